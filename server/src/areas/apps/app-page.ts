import type { AppFunc, AppPage, AppParts, AppStatsQuery } from "@millrace/contract";
import type { AppReach } from "../../platform/http/caller.ts";
import type { ScopeStatistics } from "../statistics/index.ts";
import { appIdentity } from "./app-identity.ts";
import { statisticsOfQuery } from "./statistics-of-query.ts";
import type { AppsDeps } from "./deps.ts";
import { awaitValues } from "./await-values.ts";
import { type App, ownApp } from "./store.ts";
import { chargesOf } from "./charges-of.ts";

interface AppSelection {
  app: App;
  identity: AppParts["app"];
  statistics: ScopeStatistics;
}

/** The app and its statistics. Problem `not_found` for another account's or an unknown app. */
export async function selectApp(
  deps: AppsDeps,
  reach: AppReach,
  uuid: string,
  query: AppStatsQuery,
): Promise<AppSelection> {
  const app = await ownApp(deps.pool, reach, uuid);
  const statistics = await statisticsOfQuery(deps, [app], query);
  return { app, identity: appIdentity(deps, app), statistics };
}

/** The parts named by func, each under its name, computed concurrently. */
export async function appParts(selection: AppSelection, funcs: readonly AppFunc[]): Promise<Partial<AppParts>> {
  const parts = [...new Set(funcs)].map(async (func) => [func, await part(selection, func)] as const);
  return Object.fromEntries(await Promise.all(parts));
}

async function part({ app, identity, statistics }: AppSelection, func: AppFunc): Promise<AppParts[AppFunc]> {
  if (func === "app") return identity;
  if (func === "online_revenue") return chargesOf(statistics, [app]);
  return statistics[func]();
}

/** All data of the page, under the page's names. */
export async function appPage({ app, identity, statistics }: AppSelection): Promise<AppPage> {
  const values = await awaitValues({
    stat_summary: statistics.totals(),
    revenue_summary: statistics.revenue_summary(),
    provider_revenue: statistics.earnings_by_providers(),
    format_revenue: statistics.top_formats(),
    format_impressions: statistics.impressions_by_formats(),
    graph_data: statistics.graph_data(),
    country_impression: statistics.top_countries_impressions(),
    country_revenue: statistics.top_countries_revenue(),
    country_sessions: statistics.top_countries_sessions(),
    country_uniques: statistics.top_countries_uniques(),
    latest_revenue: chargesOf(statistics, [app]),
    stat_table: statistics.stats(),
  });
  return { app: identity, ...values };
}
