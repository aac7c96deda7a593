import { REASONS, type Reason, describeReason } from "@millrace/auction";
import { AUCTION_DEADLINE_MS, type AppParts, TOP_COUNTRIES, notCountedText } from "@millrace/contract";
import type { z } from "zod";
import type { notCounted } from "./daily-lists.stat.ts";
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
  const { compared } = numbers;
  const [values, lastValues] = await Promise.all([
    metric === "uniques" ? numbers.mostUniques("country", TOP_COUNTRIES) : valuesOf(numbers, metric),
    metric === "uniques" || !compared ? null : valuesOf(compared, metric),
  ]);
  const top = [...values]
    .filter(([, value]) => value > 0)
    .toSorted(([a, left], [b, right]) => right - left || byText(a, b))
    .slice(0, TOP_COUNTRIES);
  const codes = top.map(([country]) => country);
  const last = lastValues ?? (await compared?.uniquesOf("country", codes));
  return top.map(([country, value]) => ({
    country,
    name: countryName(country),
    value,
    last_value: last ? (last.get(country) ?? 0) : null,
  }));
}

async function valuesOf(numbers: Pick<Numbers, "sums">, metric: Exclude<CountryMetric, "uniques">) {
  const sums = await numbers.sums("country");
  return new Map(
    [...sums].map(([id, row]) => [id, metric === "revenue" ? microsNumber(row.revenueMicros) : row[metric]] as const),
  );
}

export const notCountedReasons = (rows: readonly z.output<(typeof notCounted)["row"]>[]): AppParts["not_counted"] =>
  rows.map((row) => ({ ...row, text: notCountedText(row.reason) }));

/** The sentence of a recorded reason for no ad. */
export const reasonText = (reason: string): string =>
  Object.hasOwn(REASONS, reason) ? describeReason(reason as Reason, { deadlineMs: AUCTION_DEADLINE_MS }) : reason;

export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
