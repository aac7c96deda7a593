import { UNPAID_PROVIDERS } from "@millrace/contract";
import { type DayRange, eachDay } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { type RequestFilters, type RequestRollup, requestDays } from "./requests.stat.ts";

/** A day that may have matching requests, and at most how many. */
export interface CandidateDay {
  day: string;
  most: number;
}

/**
 * The days of a range that may have matching requests, newest first, by the rollups. A filter that matches nothing, or
 * little, then costs no search through days without it.
 */
export async function candidateDays(
  ask: AskStore,
  appId: number,
  range: DayRange,
  filters: RequestFilters,
): Promise<CandidateDay[]> {
  const known = await Promise.all(
    rollupsFor(filters).map(async ({ rollup, providers }) => {
      const { zones, formats, countries, reasons } = filters;
      const rows = await ask(requestDays(rollup, filters), {
        app: appId,
        ...range,
        zones: [...zones],
        formats: [...formats],
        countries: [...countries],
        reasons: [...reasons],
        providers: [...providers],
      });
      return new Map(rows.map(({ on, most }) => [on, most]));
    }),
  );
  return eachDay(range)
    .map((day) => ({ day, most: Math.min(Infinity, ...known.map((days) => days.get(day) ?? 0)) }))
    .filter(({ most }) => most > 0)
    .toReversed();
}

/** The rollups that limit a filter. Without a filter there is none: any day may have requests. */
function rollupsFor({ zones, formats, countries, reasons, winners, partners, isSold }: RequestFilters) {
  const rollups: { rollup: RequestRollup; providers: readonly string[] }[] = [];
  if (reasons.length > 0 || isSold === false) rollups.push({ rollup: "no_ad_daily", providers: [] });
  if (partners.length > 0) rollups.push({ rollup: "sent_daily", providers: partners });
  // A winner was asked, but for a publisher's own ads and line items.
  if (winners.length > 0 && !winners.some((id) => UNPAID_PROVIDERS.includes(id)))
    rollups.push({ rollup: "sent_daily", providers: winners });
  // The other rollups know formats and countries too, and `sent_daily` also zones.
  const isPlaced = zones.length > 0 || ((formats.length > 0 || countries.length > 0) && rollups.length === 0);
  if (isPlaced && partners.length === 0 && winners.length === 0) rollups.push({ rollup: "stats_daily", providers: [] });
  return rollups;
}
