import { isObject } from "./check.ts";
import type { Bid } from "./bid-response.ts";
import type { BidRequest } from "./bid-request.ts";

/** What a request demands of each ad by the EU's Digital Services Act, as its `pubrender` (IAB Tech Lab, "DSA Transparency"). */
export interface TransparencyDemand {
  pubrender: unknown;
}

/** `dsarequired`: bids without the object are not accepted, from publishers and from online platforms. */
const REQUIRED: readonly unknown[] = [2, 3];
/** Of `pubrender` and `adrender`: who draws the notice. */
const PUBLISHER = { cannot: 0, will: 2 } as const;
const AD = { doesNot: 0, does: 1 } as const;

/** The demand of a request, at its place in 2.6 or where some senders write it; null if there is none. */
export function demandedTransparency({ regs }: BidRequest): TransparencyDemand | null {
  const dsa = [regs?.ext?.["dsa"], regs && "dsa" in regs ? regs.dsa : undefined].find(isObject);
  return dsa && REQUIRED.includes(dsa["dsarequired"]) ? { pubrender: dsa["pubrender"] } : null;
}

/** What a bid says of its notice: its `adrender`, -1 if it leaves that open. Undefined without the object. */
export function transparencyOf({ ext }: Bid): number | undefined {
  const dsa = ext?.["dsa"];
  if (!isObject(dsa)) return undefined;
  const { adrender } = dsa;
  return typeof adrender === "number" && Number.isInteger(adrender) ? adrender : -1;
}

/** Whether a bid meets the demand: it says who is behind the ad, and one of the two draws the notice. */
export function isTransparent(adrender: number | undefined, { pubrender }: TransparencyDemand): boolean {
  if (adrender === undefined) return false;
  const isNobodys = pubrender === PUBLISHER.cannot && adrender === AD.doesNot;
  const isTwice = pubrender === PUBLISHER.will && adrender === AD.does;
  return !isNobodys && !isTwice;
}
