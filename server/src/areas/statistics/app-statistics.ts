import type { ClickHouseClient } from "@clickhouse/client";
import type { AppParts, Format, Metric, View } from "@millrace/contract";
import { askStore } from "./ask-store.ts";
import { graph, revenueSummary } from "./graph.ts";
import { type Names, knownFormat } from "./labels.ts";
import { latestEarnings } from "./latest-earnings.stat.ts";
import { microsNumber } from "./metrics.ts";
import { noAdReasons } from "./no-ad-reasons.stat.ts";
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

/** A charge of the online revenue list; the app's own facts are its owner's to add. */
export interface EarningFacts {
  at: string;
  auction_id: string;
  provider: string;
  provider_name: string;
  format: Format;
  country: string;
  earn: number;
}

/** Every part of one app's statistics as a question that can be asked alone; those asked together share their queries. */
export function appStatistics(read: ClickHouseClient, question: AppQuestion) {
  const { appId, metrics, view, ordering, names } = question;
  const scope: Scope = { ...question.scope, appIds: [appId] };
  const numbers = numbersOf(read, scope);
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
    online_revenue: async (): Promise<EarningFacts[]> => {
      const rows = await askStore(read, latestEarnings, { ...bound, appId });
      return rows.map((row) => ({
        at: new Date(row.atMs).toISOString(),
        auction_id: row.auctionId,
        provider: row.provider,
        provider_name: names.provider(row.provider),
        format: knownFormat(row.format),
        country: row.country,
        earn: microsNumber(row.revenueMicros),
      }));
    },
    sdk_versions: async () => sdkShares(await askStore(read, sdkVersions, bound)),
    why_no_ad: async () => noAdShares(await askStore(read, noAdReasons, bound)),
    stats: () => table(numbers, view, ordering, names),
  } satisfies { [Part in Exclude<keyof AppParts, "app" | "online_revenue">]: () => Promise<AppParts[Part]> } & Record<
    string,
    () => Promise<unknown>
  >;
}
export type AppStatistics = ReturnType<typeof appStatistics>;
