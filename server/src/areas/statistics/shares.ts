import { REASONS, type Reason, describeReason } from "@millrace/auction";
import { AUCTION_DEADLINE_MS, type AppParts, TOP_COUNTRIES, notCountedText } from "@millrace/contract";
import { percentOf } from "@millrace/units";
import type { z } from "zod";
import type { noAdReasons, notCounted, sdkVersions } from "./daily-lists.stat.ts";
import { type Names, countryName, formatName, knownFormat } from "./labels.ts";
import { microsNumber } from "./metrics.ts";
import type { Numbers } from "./numbers.ts";
import { hasSessions } from "./scope.ts";
import type { SumsGroup } from "./sums.stat.ts";

/** What each provider earned, the most first. */
export async function earningsByProviders(numbers: Numbers, names: Names): Promise<AppParts["earnings_by_providers"]> {
  return (await revenueBy(numbers, "provider")).map(({ id, ...revenue }) => ({
    provider: id,
    name: names.provider(id),
    ...revenue,
  }));
}

/** What each app earned, the most first; those without anything are left out. */
export async function revenueByApp(
  numbers: Numbers,
): Promise<{ appId: number; revenue: number; last_revenue: number | null }[]> {
  return (await revenueBy(numbers, "app"))
    .map(({ id, ...revenue }) => ({ appId: Number(id), ...revenue }))
    .toSorted((a, b) => b.revenue - a.revenue || a.appId - b.appId);
}

export async function topFormats(numbers: Numbers): Promise<AppParts["top_formats"]> {
  return (await revenueBy(numbers, "format")).map(({ id, ...revenue }) => ({
    format: knownFormat(id),
    name: formatName(id),
    ...revenue,
  }));
}

async function revenueBy(numbers: Numbers, group: SumsGroup) {
  const [sums, last] = await Promise.all([numbers.sums(group), numbers.compared?.earnings(group)]);
  return [...sums.values()]
    .map(({ id, revenueMicros }) => ({
      id,
      revenue: microsNumber(revenueMicros),
      last_revenue: last ? microsNumber(last.get(id)?.revenueMicros ?? 0n) : null,
    }))
    .filter(({ revenue }) => revenue > 0)
    .toSorted((a, b) => b.revenue - a.revenue || byText(a.id, b.id));
}

export async function impressionsByFormats(numbers: Numbers): Promise<AppParts["impressions_by_formats"]> {
  const [sums, last] = await Promise.all([numbers.sums("format"), numbers.compared?.sums("format")]);
  return [...sums.values()]
    .map(({ id, impressions }) => ({
      format: knownFormat(id),
      name: formatName(id),
      impressions,
      last_impressions: last ? (last.get(id)?.impressions ?? 0) : null,
    }))
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
  const [values, last] = await Promise.all([
    metric === "uniques" ? numbers.mostUniques("country", TOP_COUNTRIES) : valuesOf(numbers, metric),
    metric === "uniques" || !numbers.compared ? null : valuesOf(numbers.compared, metric),
  ]);
  return [...values]
    .map(([country, value]) => ({
      country,
      name: countryName(country),
      value,
      last_value: last ? (last.get(country) ?? 0) : null,
    }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value || byText(a.country, b.country))
    .slice(0, TOP_COUNTRIES);
}

async function valuesOf(numbers: Pick<Numbers, "sums">, metric: Exclude<CountryMetric, "uniques">) {
  const sums = await numbers.sums("country");
  return new Map(
    [...sums].map(([id, row]) => [id, metric === "revenue" ? microsNumber(row.revenueMicros) : row[metric]] as const),
  );
}

export function sdkShares(rows: readonly z.output<(typeof sdkVersions)["row"]>[]): AppParts["sdk_versions"] {
  const total = rows.reduce((sum, { sessions }) => sum + sessions, 0);
  return rows.map((row) => ({ ...row, share: percentOf(row.sessions, total) ?? 0 }));
}

export function noAdShares(rows: readonly z.output<(typeof noAdReasons)["row"]>[]): AppParts["why_no_ad"] {
  const total = rows.reduce((sum, { requests }) => sum + requests, 0);
  return rows.map((row) => ({ ...row, text: reasonText(row.reason), share: percentOf(row.requests, total) ?? 0 }));
}

export const notCountedReasons = (rows: readonly z.output<(typeof notCounted)["row"]>[]): AppParts["not_counted"] =>
  rows.map((row) => ({ ...row, text: notCountedText(row.reason) }));

/** The sentence of a recorded reason for no ad. */
export const reasonText = (reason: string): string =>
  Object.hasOwn(REASONS, reason) ? describeReason(reason as Reason, { deadlineMs: AUCTION_DEADLINE_MS }) : reason;

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
