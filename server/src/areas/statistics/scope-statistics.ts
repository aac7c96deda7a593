import type { Metric, View } from "@millrace/contract";
import type { Clock } from "../../platform/clock.ts";
import type { AskStore } from "./ask-store.ts";
import { cohort } from "./cohort.stat.ts";
import { noAdReasons, sdkVersions } from "./daily-lists.stat.ts";
import { graph, revenueSummary } from "./graph.ts";
import type { Names } from "./labels.ts";
import { onlineRevenue } from "./online-revenue.ts";
import { numbersOf } from "./numbers.ts";
import { type Scope, bindScope } from "./scope.ts";
import {
  earningsByProviders,
  impressionsByFormats,
  noAdShares,
  revenueByApp,
  sdkShares,
  topCountries,
  topFormats,
} from "./shares.ts";
import { type TableOrdering, table } from "./table.ts";
import { lifetimeValue, totals } from "./totals.ts";

/** What is asked of some apps, one or all of a publisher's. */
export interface Question {
  scope: Scope;
  metrics: readonly Metric[];
  view: View;
  ordering: TableOrdering;
  names: Names;
}

/** Every part of the statistics of the scope's apps as a question that can be asked alone; those asked together share their queries. */
export function scopeStatistics({ ask, clock }: { ask: AskStore; clock: Clock }, question: Question) {
  const { scope, metrics, view, ordering, names } = question;
  const numbers = numbersOf(ask, scope);
  const bound = bindScope(scope);
  return {
    totals: () => totals(numbers),
    graph_data: () => graph(numbers, metrics),
    revenue_summary: () => revenueSummary(numbers),
    earnings_by_providers: () => earningsByProviders(numbers, names),
    top_formats: () => topFormats(numbers),
    impressions_by_formats: () => impressionsByFormats(numbers),
    top_countries_impressions: () => topCountries(numbers, "impressions"),
    top_countries_revenue: () => topCountries(numbers, "revenue"),
    top_countries_sessions: () => topCountries(numbers, "sessions"),
    top_countries_uniques: () => topCountries(numbers, "uniques"),
    online_revenue: () => onlineRevenue({ ask, nowMs: clock.now(), names }, scope),
    sdk_versions: async () => sdkShares(await ask(sdkVersions, bound)),
    why_no_ad: async () => noAdShares(await ask(noAdReasons, bound)),
    revenue_by_app: () => revenueByApp(numbers),
    cohort: () => cohort({ ask, nowMs: clock.now() }, scope),
    ltv: () => lifetimeValue(numbers),
    stats: () => table(numbers, view, ordering, names),
  };
}
export type ScopeStatistics = ReturnType<typeof scopeStatistics>;
