import type { Format } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { type Search, readFilter } from "../../../shared/filters/address.ts";

/** What the mediation page shows: days, and at most one format and one country, which also choose the floor to edit. */
export interface MediationAddress {
  ds: string;
  de: string;
  format: Format | undefined;
  country: string | undefined;
  /** `any` opens the floor of all countries and formats, where otherwise the first of the list is open. */
  floor: "any" | undefined;
  /** The two partners side by side, or the first of them. */
  partner: string[];
}

const DAYS = 7;
const MOST_COMPARED = 2;

export function readMediationAddress(search: Search, nowMs = Date.now()): MediationAddress {
  const today = dayOf(nowMs);
  const week = { ds: addDays(today, 1 - DAYS), de: today };
  const { ds, de, format, country, provider } = readFilter({ ...week, ...search, provider: search["partner"] }, nowMs);
  return {
    ds,
    de,
    format: format[0],
    country: country[0],
    floor: search["floor"] === "any" ? "any" : undefined,
    partner: provider.slice(0, MOST_COMPARED),
  };
}

/** The query for the address. */
export const writeMediationAddress = (address: MediationAddress): Search => ({ ...address });

/** The compared partners after one is chosen or let go; a third takes the place of the second. */
export const chosenPartners = (partners: readonly string[], id: string): string[] =>
  partners.includes(id) ? partners.filter((other) => other !== id) : [...partners.slice(0, MOST_COMPARED - 1), id];
