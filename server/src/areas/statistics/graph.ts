import type { AppPage, GraphData, Metric, StatRow } from "@millrace/contract";
import { METRICS } from "@millrace/contract";
import { daysIn, eachDay, eachHour, previousRange } from "@millrace/units";
import { NO_SUMS, rates } from "./metrics.ts";
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
  const [sums, uniques] = await Promise.all([
    numbers.sumsWithPrevious(group),
    metrics.includes("uniques") ? numbers.uniquesWithPrevious(group) : new Map<string, number>(),
  ]);
  const withSessions = hasSessions(numbers.scope);
  const at = (date: string) => rates(sums.get(date) ?? NO_SUMS, uniques.get(date) ?? 0, withSessions);
  const [current, previous] = [dates[0].map(at), dates[1].map(at)];
  const series = Object.fromEntries(
    metrics.map((metric) => [
      metric,
      metric === "last_revenue"
        ? previous.map(({ revenue }) => revenue)
        : current.map((point: StatNumbers) => point[metric]),
    ]),
  );
  return { step: hourly ? "hour" : "day", dates, series };
}

type StatNumbers = Omit<StatRow, "id" | "name">;

/** Revenue against the previous period. */
export async function revenueSummary(numbers: Numbers): Promise<AppPage["revenue_summary"]> {
  const { dates, series } = await graph(numbers, ["revenue", "last_revenue"]);
  const known = (values: (number | null)[] | undefined) => (values ?? []).map((value) => value ?? 0);
  return { dates: dates[0], series: known(series.revenue), last_series: known(series.last_revenue) };
}
