import type { ComparisonKind, Metric, View } from "@millrace/contract";
import { DAY_MS, type DayRange, HOUR_MS, MINUTE_MS, comparisonOf, dayOf } from "@millrace/units";
import type { Clock } from "../../platform/clock.ts";
import type { AskStore } from "./ask-store.ts";
import { type ChangesQuery, changes } from "./changes.ts";
import { cohort } from "./cohort.stat.ts";
import { notCounted } from "./daily-lists.stat.ts";
import { graph, revenueSummary } from "./graph.ts";
import type { Names } from "./labels.ts";
import { onlineRevenue } from "./online-revenue.ts";
import { type ComparedPeriod, numbersOf } from "./numbers.ts";
import { type Scope, bindScope } from "./scope.ts";
import {
  earningsByProviders,
  impressionsByFormats,
  notCountedReasons,
  revenueByApp,
  topCountries,
  topFormats,
} from "./shares.ts";
import { noAdShares, sdkShares } from "./count-shares.ts";
import { type TableOrdering, table } from "./table.ts";
import { lifetimeValue, totals } from "./totals.ts";

/** What is asked of some apps, one or all of a publisher's. */
export interface Question {
  scope: Scope;
  compare: ComparisonKind;
  metrics: readonly Metric[];
  view: View;
  ordering: TableOrdering;
  names: Names;
}

export interface ScopeStatisticsDeps {
  ask: AskStore;
  clock: Clock;
  /** For how many days raw rows are kept at least. */
  rawDays: number;
}

/** What a range is compared with now. The part of a last hour is counted from raw rows: without them the comparison has full hours. */
export function comparedPeriod(
  { clock, rawDays }: Pick<ScopeStatisticsDeps, "clock" | "rawDays">,
  range: DayRange,
  kind: ComparisonKind,
): ComparedPeriod | null {
  const nowMs = clock.now();
  const comparison = comparisonOf(range, kind, { nowMs, stepMs: MINUTE_MS });
  if (!comparison) return null;
  const isExact = comparison.range.de >= dayOf(nowMs - rawDays * DAY_MS);
  const untilMs = comparison.untilMs === null || isExact ? comparison.untilMs : floorTo(comparison.untilMs, HOUR_MS);
  return { ...comparison, untilMs, isExact };
}

const floorTo = (ms: number, stepMs: number) => Math.floor(ms / stepMs) * stepMs;

/** Every part of the statistics of the scope's apps as a question that can be asked alone; those asked together share their queries. */
export function scopeStatistics(deps: ScopeStatisticsDeps, question: Question) {
  const { ask, clock } = deps;
  const { scope, metrics, view, ordering, names } = question;
  const numbers = numbersOf(ask, scope, comparedPeriod(deps, scope.range, question.compare));
  const bound = bindScope(scope);
  return {
    totals: () => totals(numbers),
    graph_data: () => graph(numbers, metrics, clock.now()),
    revenue_summary: () => revenueSummary(numbers, clock.now()),
    earnings_by_providers: () => earningsByProviders(numbers, names),
    top_formats: () => topFormats(numbers),
    impressions_by_formats: () => impressionsByFormats(numbers),
    top_countries_impressions: () => topCountries(numbers, "impressions"),
    top_countries_revenue: () => topCountries(numbers, "revenue"),
    top_countries_sessions: () => topCountries(numbers, "sessions"),
    top_countries_uniques: () => topCountries(numbers, "uniques"),
    online_revenue: () => onlineRevenue({ ask, nowMs: clock.now(), names }, scope),
    sdk_versions: () => sdkShares(ask, numbers),
    why_no_ad: () => noAdShares(ask, numbers),
    not_counted: async () => notCountedReasons(await ask(notCounted, bound)),
    changes: (query: ChangesQuery) => changes(numbers, query),
    revenue_by_app: () => revenueByApp(numbers),
    cohort: () => cohort({ ask, nowMs: clock.now() }, scope),
    ltv: () => lifetimeValue(numbers),
    stats: () => table(numbers, view, ordering, names),
  };
}
export type ScopeStatistics = ReturnType<typeof scopeStatistics>;
