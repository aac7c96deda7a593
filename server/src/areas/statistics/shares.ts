import { REASONS, type Reason, describeReason } from "@millrace/auction";
import { AUCTION_DEADLINE_MS, type AppParts, TOP_COUNTRIES } from "@millrace/contract";
import { percentOf } from "@millrace/units";
import type { z } from "zod";
import type { noAdReasons, sdkVersions } from "./daily-lists.stat.ts";
import { type Names, countryName, formatName, knownFormat } from "./labels.ts";
import { microsNumber } from "./metrics.ts";
import type { Numbers } from "./numbers.ts";
import { hasSessions } from "./scope.ts";

/** What each provider earned, the most first. */
export async function earningsByProviders(numbers: Numbers, names: Names): Promise<AppParts["earnings_by_providers"]> {
  const rows = [...(await numbers.sums("provider")).values()].map(({ id, revenueMicros }) => ({
    provider: id,
    name: names.provider(id),
    revenue: microsNumber(revenueMicros),
  }));
  return rows
    .filter(({ revenue }) => revenue > 0)
    .toSorted((a, b) => b.revenue - a.revenue || byText(a.provider, b.provider));
}

/** What each app earned, the most first; those without anything are left out. */
export async function revenueByApp(numbers: Numbers): Promise<{ appId: number; revenueMicros: number }[]> {
  return [...(await numbers.sums("app")).values()]
    .map(({ id, revenueMicros }) => ({ appId: Number(id), revenueMicros: microsNumber(revenueMicros) }))
    .filter(({ revenueMicros }) => revenueMicros > 0)
    .toSorted((a, b) => b.revenueMicros - a.revenueMicros || a.appId - b.appId);
}

export async function topFormats(numbers: Numbers): Promise<AppParts["top_formats"]> {
  const rows = [...(await numbers.sums("format")).values()].map(({ id, revenueMicros }) => ({
    format: knownFormat(id),
    name: formatName(id),
    revenue: microsNumber(revenueMicros),
  }));
  return rows
    .filter(({ revenue }) => revenue > 0)
    .toSorted((a, b) => b.revenue - a.revenue || byText(a.format, b.format));
}

export async function impressionsByFormats(numbers: Numbers): Promise<AppParts["impressions_by_formats"]> {
  const rows = [...(await numbers.sums("format")).values()].map(({ id, impressions }) => ({
    format: knownFormat(id),
    name: formatName(id),
    impressions,
  }));
  return rows
    .filter(({ impressions }) => impressions > 0)
    .toSorted((a, b) => b.impressions - a.impressions || byText(a.format, b.format));
}

export type CountryMetric = "impressions" | "revenue" | "sessions" | "uniques";

/** The countries with the most of something; those with none of it are left out. */
export async function topCountries(
  numbers: Numbers,
  metric: CountryMetric,
): Promise<AppParts["top_countries_revenue"]> {
  if (metric === "sessions" && !hasSessions(numbers.scope)) return [];
  const values =
    metric === "uniques"
      ? [...(await numbers.mostUniques("country", TOP_COUNTRIES))]
      : [...(await numbers.sums("country")).values()].map((sums): [string, number] => [
          sums.id,
          metric === "revenue" ? microsNumber(sums.revenueMicros) : sums[metric],
        ]);
  return values
    .map(([country, value]) => ({ country, name: countryName(country), value }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value || byText(a.country, b.country))
    .slice(0, TOP_COUNTRIES);
}

export function sdkShares(rows: readonly z.output<(typeof sdkVersions)["row"]>[]): AppParts["sdk_versions"] {
  const total = rows.reduce((sum, { sessions }) => sum + sessions, 0);
  return rows.map((row) => ({ ...row, share: percentOf(row.sessions, total) ?? 0 }));
}

export function noAdShares(rows: readonly z.output<(typeof noAdReasons)["row"]>[]): AppParts["why_no_ad"] {
  const total = rows.reduce((sum, { requests }) => sum + requests, 0);
  return rows.map((row) => ({ ...row, text: reasonText(row.reason), share: percentOf(row.requests, total) ?? 0 }));
}

const reasonText = (reason: string): string =>
  Object.hasOwn(REASONS, reason) ? describeReason(reason as Reason, { deadlineMs: AUCTION_DEADLINE_MS }) : reason;

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
