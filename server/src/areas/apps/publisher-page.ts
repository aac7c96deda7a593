import type { AppRevenue, PublisherFunc, PublisherPage, PublisherParts, PublisherQuery } from "@millrace/contract";
import type { AppReach } from "../../platform/http/caller.ts";
import type { ScopeStatistics } from "../statistics/index.ts";
import { statisticsOfQuery } from "./statistics-of-query.ts";
import type { AppsDeps } from "./deps.ts";
import { awaitValues } from "./await-values.ts";
import { type App, appsOfFilter } from "./store.ts";
import { chargesOf, deletedMark } from "./charges-of.ts";

export interface PublisherSelection {
  apps: App[];
  statistics: ScopeStatistics;
}

/** Statistics over all apps that the account ever had, or those in the filter. Other accounts' apps are never included. */
export async function selectApps(deps: AppsDeps, reach: AppReach, query: PublisherQuery): Promise<PublisherSelection> {
  const apps = await appsOfFilter(deps.pool, reach, query.app_id);
  return { apps, statistics: await statisticsOfQuery(deps, apps, query) };
}

/** The parts named by func, each under its name, computed concurrently. */
export async function publisherParts(
  selection: PublisherSelection,
  funcs: readonly PublisherFunc[],
): Promise<Partial<PublisherParts>> {
  const parts = [...new Set(funcs)].map(async (func) => [func, await part(selection, func)] as const);
  return Object.fromEntries(await Promise.all(parts));
}

async function part(selection: PublisherSelection, func: PublisherFunc): Promise<PublisherParts[PublisherFunc]> {
  if (func === "top_apps") return topApps(selection);
  if (func === "ltv") return ltv(selection);
  if (func === "online_revenue") return chargesOf(selection.statistics, selection.apps);
  return selection.statistics[func]();
}

/** All data of the page, under the page's names. */
export async function publisherPage(selection: PublisherSelection): Promise<PublisherPage> {
  const { statistics } = selection;
  const values = await awaitValues({
    stat_summary: statistics.totals(),
    revenue_summary: statistics.revenue_summary(),
    app_revenue: topApps(selection),
    format_revenue: statistics.top_formats(),
    country_impression: statistics.top_countries_impressions(),
    country_revenue: statistics.top_countries_revenue(),
    ltv: ltv(selection),
    latest_revenue: chargesOf(statistics, selection.apps),
    stat_table: statistics.stats(),
  });
  return { ...values, app_total_revenue: values.stat_summary.revenue, app_total_ltv: values.ltv.total };
}

async function topApps({ apps, statistics }: PublisherSelection): Promise<AppRevenue[]> {
  const byId = new Map(apps.map((app) => [app.id, app]));
  return (await statistics.revenue_by_app()).flatMap(({ appId, ...revenue }) => {
    const app = byId.get(appId);
    if (!app) return [];
    const { id, uuid, name, platform, logoUrl: logo_url, isSample } = app;
    const marks = { ...(isSample && { is_sample: 1 as const }), ...deletedMark(app) };
    return [{ app_id: id, uuid, name, platform, logo_url, ...marks, ...revenue }];
  });
}

async function ltv({ apps, statistics }: PublisherSelection): Promise<PublisherParts["ltv"]> {
  const [life, cohort] = await Promise.all([statistics.ltv(), statistics.cohort()]);
  const byId = new Map(apps.map((app) => [app.id, app]));
  return {
    total: life.total,
    devices: life.devices,
    cohort_devices: cohort.devices,
    curve: cohort.curve,
    by_app: life.byApp
      .flatMap(({ appId, ltv: value, devices }) => {
        const app = byId.get(appId);
        if (!app) return [];
        const { uuid, name, platform } = app;
        return [{ app_id: appId, uuid, name, platform, ...deletedMark(app), ltv: value, devices }];
      })
      .toSorted((a, b) => (b.ltv ?? -1) - (a.ltv ?? -1) || a.app_id - b.app_id),
  };
}
