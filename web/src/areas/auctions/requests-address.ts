import { REQUEST_OUTCOMES, type RequestOutcome } from "@millrace/contract";
import { type Filter, type Search, validValues, readFilter } from "../../shared/filters/address.ts";

/** The address of an app's list of requests. An empty list filters nothing. */
export interface RequestsAddress extends Omit<Filter, "provider"> {
  zone: string[];
  outcome: RequestOutcome | undefined;
  reason: string[];
  partner: string[];
  winner: string[];
}

const CODE = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const ZONE = /^[A-Za-z0-9_.:-]{1,64}$/;
const codes = (value: unknown) => validValues(value, (item) => CODE.test(item));

/** The filters from the address; invalid values are dropped. */
export function readRequestsAddress(search: Search, nowMs = Date.now()): RequestsAddress {
  const { ds, de, format, country } = readFilter(search, nowMs);
  return {
    ds,
    de,
    format,
    country,
    zone: validValues(search["zone"], (item) => ZONE.test(item)),
    outcome: REQUEST_OUTCOMES.find((outcome) => outcome === search["outcome"]),
    reason: codes(search["reason"]),
    partner: codes(search["partner"]),
    winner: codes(search["winner"]),
  };
}

/** How many filters are set besides the days. */
export const countFilters = ({ zone, format, country, outcome, reason, partner, winner }: RequestsAddress): number =>
  [zone, format, country, reason, partner, winner].filter((values) => values.length > 0).length +
  (outcome === undefined ? 0 : 1);

/** An auction's id in a pasted text, such as its address or a line of a log; null if there is none. */
export const auctionIdIn = (text: string): string | null =>
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i.exec(text)?.[0].toLowerCase() ?? null;
