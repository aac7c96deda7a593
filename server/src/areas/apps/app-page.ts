import type { AppFunc, AppPage, AppParts, AppStatsQuery } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import type { AppStatistics } from "../statistics/index.ts";
import { appIdentity } from "./app-identity.ts";
import { askedScope } from "./asked-scope.ts";
import type { AppsDeps } from "./deps.ts";
import { type App, findApp, zoneNames } from "./store.ts";

interface Asked {
  app: App;
  identity: AppParts["app"];
  statistics: AppStatistics;
}

/** The app and its statistics, ready to be asked. Another account's app, or none: Problem `not_found`. */
export async function askApp(deps: AppsDeps, accountId: number, uuid: string, query: AppStatsQuery): Promise<Asked> {
  const app = await findApp(deps.pool, accountId, uuid);
  if (!app) throw new Problem("not_found", "There is no such app");
  const [providers, zones] = await Promise.all([deps.providerNames(), zoneNames(deps.pool, app.id)]);
  const statistics = deps.statistics.appStatistics({
    appId: app.id,
    scope: askedScope(query),
    metrics: query.metrics,
    view: query.view,
    ordering: query,
    names: { provider: (id) => providers.get(id) ?? id, zone: (zone) => zones.get(zone) ?? zone },
  });
  return { app, identity: appIdentity(deps, app), statistics };
}

/** The parts named by func, each under its name; they are computed side by side. */
export async function appParts(asked: Asked, funcs: readonly AppFunc[]): Promise<Partial<AppParts>> {
  const parts = [...new Set(funcs)].map(async (func) => [func, await part(asked, func)] as const);
  return Object.fromEntries(await Promise.all(parts));
}

async function part({ app, identity, statistics }: Asked, func: AppFunc): Promise<AppParts[AppFunc]> {
  if (func === "app") return identity;
  if (func === "online_revenue") return onlineRevenue(app, statistics);
  return statistics[func]();
}

/** The whole page, under the page's names. */
export async function appPage({ app, identity, statistics }: Asked): Promise<AppPage> {
  const of = await settled({
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
    latest_revenue: onlineRevenue(app, statistics),
    stat_table: statistics.stats(),
  });
  return { app: identity, ...of };
}

async function onlineRevenue(app: App, statistics: AppStatistics): Promise<AppParts["online_revenue"]> {
  const about = { icon: app.logoUrl, title: app.name, app_id: app.id, platform: app.platform, url: app.url };
  return (await statistics.online_revenue()).map((earning) => ({ ...about, ...earning }));
}

/** Waits for every value of the object at once. */
async function settled<T extends Record<string, Promise<unknown>>>(
  asked: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const entries = Object.entries(asked).map(async ([name, value]) => [name, await value] as const);
  return Object.fromEntries(await Promise.all(entries)) as { [K in keyof T]: Awaited<T[K]> };
}
