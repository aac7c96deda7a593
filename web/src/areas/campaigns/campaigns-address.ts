import { type Search, readFilter, readSearched } from "../../shared/filters/address.ts";

/** The address of the campaigns: UTC days, a search, and the page counted from 0. */
export interface CampaignsAddress {
  ds: string;
  de: string;
  search: string;
  p: number;
}

/** The list's address; invalid values are dropped, dates are corrected. */
export function readCampaignsAddress(search: Search, nowMs = Date.now()): CampaignsAddress {
  const { ds, de } = readFilter(search, nowMs);
  return { ds, de, ...readSearched(search) };
}

/** The query for the address: always the days, the rest only if set. */
export function writeCampaignsAddress({ ds, de, search, p }: CampaignsAddress): Search {
  return { ds, de, search: search === "" ? undefined : search, p: p === 0 ? undefined : p };
}
