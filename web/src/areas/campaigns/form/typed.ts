import { OS_VERSIONS } from "@millrace/contract";
import { microsOf } from "../../../shared/micros-of.ts";

// What the forms of campaigns and of cross promotions keep as it is typed.

/** The input limit of address fields: generous, so that a long address is refused with a message instead of cut short. */
export const MOST_TYPED = 1000;

export interface VersionsDraft {
  all: boolean;
  min: string;
  max: string;
}

/** A typed amount in micro-dollars; −1 if it is none. */
export const amountOf = (typed: string): number => microsOf(typed) ?? -1;

export function allVersions(os: keyof typeof OS_VERSIONS): VersionsDraft {
  const versions = OS_VERSIONS[os];
  return { all: true, min: versions[0], max: versions.at(-1) ?? versions[0] };
}

/** Micro-dollars as they are typed: at least two decimals, and more only if they count. */
export function dollarsOf(micros: number): string {
  const [whole, fraction = ""] = (micros / 1_000_000).toFixed(6).split(".");
  return `${whole}.${fraction.replace(/0{1,4}$/, "")}`;
}
