import { type StatsFilter, narrowed } from "@millrace/contract";
import type { Scope } from "../statistics/index.ts";

/** The dates and filters of a call; an empty filter, or '0' in it, matches everything. */
export const scopeOfQuery = (
  query: Pick<StatsFilter, "ds" | "de" | "provider" | "format" | "country">,
): Omit<Scope, "appIds"> => ({
  range: { ds: query.ds, de: query.de },
  providers: narrowed(query.provider) ?? [],
  formats: narrowed(query.format) ?? [],
  countries: narrowed(query.country) ?? [],
});
