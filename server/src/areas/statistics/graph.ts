import type { AppPage, GraphData, Metric } from "@millrace/contract";
import { METRICS } from "@millrace/contract";
import { daysIn, eachDay, eachHour, previousRange } from "@millrace/units";
import { NO_SUMS, microsNumber, rates } from "./metrics.ts";
import type { Numbers } from "./numbers.ts";
import { hasSessions } from "./scope.ts";

/** Up to this many days a graph has a point for each hour. */
const HOURS_UP_TO_DAYS = 2;

/** The asked series (all without any asked). Where nothing happened counts are 0, and rates null. */
export async function graph(numbers: Numbers, asked: readonly Metric[]): Promise<GraphData> {
  const { range } = numbers.scope;
  const hourly = daysIn(range) <= HOURS_UP_TO_DAYS;
  const group = hourly ? "hour" : "date";
  const points = hourly ? eachHour : eachDay;
  const dates: [string[], string[]] = [points(range), points(previousRange(range))];
  const metrics = asked.length === 0 ? METRICS : asked;
  const none = new Map<string, never>();
  const [sums, lastSums, uniques] = await Promise.all([
    numbers.sums(group),
    metrics.includes("last_revenue") ? numbers.previous().sums(group) : none,
    metrics.includes("uniques") ? numbers.uniques(group) : none,
  ]);
  const withSessions = hasSessions(numbers.scope);
  const current = dates[0].map((date) => rates(sums.get(date) ?? NO_SUMS, uniques.get(date) ?? 0, withSessions));
  const previous = dates[1].map((date) => microsNumber((lastSums.get(date) ?? NO_SUMS).revenueMicros));
  const series = Object.fromEntries(
    metrics.map((metric) => [metric, metric === "last_revenue" ? previous : current.map((point) => point[metric])]),
  );
  return { step: hourly ? "hour" : "day", dates, series };
}

/** Revenue against the previous period. */
export async function revenueSummary(numbers: Numbers): Promise<AppPage["revenue_summary"]> {
  const { dates, series } = await graph(numbers, ["revenue", "last_revenue"]);
  const known = (values: (number | null)[] | undefined) => (values ?? []).map((value) => value ?? 0);
  return { dates: dates[0], series: known(series.revenue), last_series: known(series.last_revenue) };
}
