import type { Format, RequestOutcome } from "@millrace/contract";
import { stringifySearch } from "./filters/address.ts";

/** The filters of an app's list of requests, as in its address. Absent and empty ones match everything. */
export interface RequestsFilter {
  /** UTC days, both included; the page shows today and yesterday without them. */
  ds?: string | undefined;
  de?: string | undefined;
  zone?: readonly string[] | string | undefined;
  format?: readonly Format[] | Format | undefined;
  country?: readonly string[] | string | undefined;
  outcome?: RequestOutcome | undefined;
  /** Codes of the reasons for no ad. */
  reason?: readonly string[] | string | undefined;
  /** Partners that were asked. */
  partner?: readonly string[] | string | undefined;
  winner?: readonly string[] | string | undefined;
}

/** The address of an app's requests with these filters. */
export const requestsPath = ({ uuid, ...filter }: RequestsFilter & { uuid: string }): string =>
  `/apps/${encodeURIComponent(uuid)}/requests${stringifySearch({ ...filter })}`;

/** The address of an auction's page; `imp` names one of several requests in the auction. */
export const auctionPath = (id: string, imp?: string): string =>
  `/auctions/${encodeURIComponent(id)}${stringifySearch({ imp })}`;
