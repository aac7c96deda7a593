import type { AppPage, GraphData, Metric } from "@millrace/contract";
import { METRICS } from "@millrace/contract";
import { DAY_MS, HOUR_MS, daysIn, eachDay, eachHour } from "@millrace/units";
import { NO_SUMS, microsNumber, rates } from "./metrics.ts";
import type { ComparedNumbers, ComparedPeriod, Numbers } from "./numbers.ts";
import { type Scope, hasSessions } from "./scope.ts";
import { type Sums, sumOf } from "./sums.stat.ts";
import { comparedUntil } from "./totals.ts";

/** Up to this many days a graph has a point for each hour. */
const HOURS_UP_TO_DAYS = 2;

type ByPoint<T> = (group: "hour" | "date") => Promise<ReadonlyMap<string, T>>;

/** What a graph is made of: numbers of apps, or of campaigns. */
export interface GraphNumbers {
  scope: Pick<Scope, "range" | "providers" | "formats">;
  sums: ByPoint<Sums>;
  uniques: ByPoint<number>;
  /** The compared period, of which the line has the whole days. */
  compared:
    | (Pick<ComparedNumbers, "sumsSince"> & { comparison: ComparedPeriod; whole: { sums: ByPoint<Sums> } })
    | null;
}

/** The asked series (all without any asked). Where nothing happened counts are 0, and rates null. */
export async function graph(numbers: GraphNumbers, chosen: readonly Metric[], nowMs: number): Promise<GraphData> {
  const { compared } = numbers;
  const { range } = numbers.scope;
  const hourly = daysIn(range) <= HOURS_UP_TO_DAYS;
  const group = hourly ? "hour" : "date";
  const points = hourly ? eachHour : eachDay;
  const dates: [string[], string[]] = [points(range), compared ? points(compared.comparison.range) : []];
  const metrics = (chosen.length === 0 ? METRICS : chosen).filter((metric) => compared || metric !== "last_revenue");
  const isRunning = compared !== null && compared.comparison.untilMs !== null;
  const none = new Map<string, never>();
  const [sums, lastSums, uniques] = await Promise.all([
    numbers.sums(group),
    compared && (isRunning || metrics.includes("last_revenue")) ? compared.whole.sums(group) : none,
    metrics.includes("uniques") ? numbers.uniques(group) : none,
  ]);
  const withSessions = hasSessions(numbers.scope);
  const current = dates[0].map((date) => rates(sums.get(date) ?? NO_SUMS, uniques.get(date) ?? 0, withSessions));
  const previous = dates[1].map((date) => microsNumber((lastSums.get(date) ?? NO_SUMS).revenueMicros));
  const series = Object.fromEntries(
    metrics.map((metric) => [metric, metric === "last_revenue" ? previous : current.map((point) => point[metric])]),
  );
  const stepMs = hourly ? HOUR_MS : DAY_MS;
  const finished = dates[0].filter((date) => Date.parse(date) + stepMs <= nowMs).length;
  const running = { at: dates[0][finished], before: dates[1][finished], stepMs };
  return {
    step: hourly ? "hour" : "day",
    dates,
    series,
    complete_until: dates[0][finished - 1] ?? null,
    pace: await paceOf(numbers, { metrics, running, soFar: sums, whole: lastSums }),
    compared_until: comparedUntil(numbers),
  };
}

interface PaceOf {
  metrics: readonly Metric[];
  /** The point that is not over, the one at the same place of the compared period, and how long both are. */
  running: { at: string | undefined; before: string | undefined; stepMs: number };
  soFar: ReadonlyMap<string, Sums>;
  whole: ReadonlyMap<string, Sums>;
}

/** The running point's sums so far, and what its compared point still got after the same time of day. */
async function paceOf(
  { scope, compared }: GraphNumbers,
  { metrics, running: { at, before, stepMs }, soFar, whole }: PaceOf,
): Promise<GraphData["pace"]> {
  const untilMs = compared?.comparison.untilMs ?? null;
  if (!compared?.comparison.isExact || untilMs === null || at === undefined || before === undefined) return null;
  const all = whole.get(before);
  // At the turn of an hour the clock may already be in the next point.
  if (!all || all.requests === 0 || untilMs < Date.parse(before) || untilMs >= Date.parse(before) + stepMs) return null;
  const sofar = soFar.get(at) ?? NO_SUMS;
  const rest = restOf(all, await compared.sumsSince(Date.parse(before)));
  const values = rates(sumOf([sofar, rest]), 0, hasSessions(scope));
  const paced = metrics.filter((metric) => metric !== "last_revenue");
  return {
    at,
    values: Object.fromEntries(paced.map((metric) => [metric, metric === "uniques" ? null : values[metric]])),
  };
}

/** What a point got after its first part. */
const restOf = (all: Sums, first: Sums): Sums => ({
  id: all.id,
  requests: Math.max(0, all.requests - first.requests),
  impressions: Math.max(0, all.impressions - first.impressions),
  clicks: Math.max(0, all.clicks - first.clicks),
  sessions: Math.max(0, all.sessions - first.sessions),
  sessionSeconds: Math.max(0, all.sessionSeconds - first.sessionSeconds),
  revenueMicros: all.revenueMicros > first.revenueMicros ? all.revenueMicros - first.revenueMicros : 0n,
});

/** Revenue against the compared period. */
export async function revenueSummary(numbers: Numbers, nowMs: number): Promise<AppPage["revenue_summary"]> {
  const { dates, series } = await graph(numbers, ["revenue", "last_revenue"], nowMs);
  const known = (values: (number | null)[] | undefined) => (values ?? []).map((value) => value ?? 0);
  return { dates: dates[0], series: known(series.revenue), last_series: known(series.last_revenue) };
}
