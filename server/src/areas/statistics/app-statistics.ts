import type { AppParts, Metric, View } from "@millrace/contract";
import type { Clock } from "../../platform/clock.ts";
import type { AskStore } from "./ask-store.ts";
import { graph, revenueSummary } from "./graph.ts";
import type { Names } from "./labels.ts";
import { noAdReasons } from "./no-ad-reasons.stat.ts";
import { onlineRevenue } from "./online-revenue.ts";
import { numbersOf } from "./numbers.ts";
import { type Scope, bindScope } from "./scope.ts";
import { sdkVersions } from "./sdk-versions.stat.ts";
import {
  earningsByProviders,
  impressionsByFormats,
  noAdShares,
  sdkShares,
  topCountries,
  topFormats,
} from "./shares.ts";
import { type TableOrdering, table } from "./table.ts";
import { totals } from "./totals.ts";

export interface AppQuestion {
  appId: number;
  scope: Omit<Scope, "appIds">;
  metrics: readonly Metric[];
  view: View;
  ordering: TableOrdering;
  names: Names;
}

/** Every part of one app's statistics as a question that can be asked alone; those asked together share their queries. */
export function appStatistics({ ask, clock }: { ask: AskStore; clock: Clock }, question: AppQuestion) {
  const { appId, metrics, view, ordering, names } = question;
  const scope: Scope = { ...question.scope, appIds: [appId] };
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
    online_revenue: () => onlineRevenue({ ask, nowMs: clock.now(), names }, appId, scope),
    sdk_versions: async () => sdkShares(await ask(sdkVersions, bound)),
    why_no_ad: async () => noAdShares(await ask(noAdReasons, bound)),
    stats: () => table(numbers, view, ordering, names),
  } satisfies { [Part in Exclude<keyof AppParts, "app" | "online_revenue">]: () => Promise<AppParts[Part]> } & Record<
    string,
    () => Promise<unknown>
  >;
}
export type AppStatistics = ReturnType<typeof appStatistics>;
