import { type Search, validValues, readFilter } from "../../shared/filters/address.ts";

/** The finance report's days and filters. An empty list filters nothing. */
export interface ReportAddress {
  ds: string;
  de: string;
  provider: string[];
  app_id: string[];
}

/** The page's address; invalid values are dropped, dates are corrected. */
export function readReportAddress(search: Search, nowMs = Date.now()): ReportAddress {
  const { ds, de, provider } = readFilter(search, nowMs);
  return { ds, de, provider, app_id: validValues(search["app_id"], (value) => /^[1-9]\d{0,9}$/.test(value)) };
}
