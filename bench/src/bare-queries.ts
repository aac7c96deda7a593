import type { DashboardCall } from "./dashboard-calls.ts";
import type { DashboardData } from "./dashboard-data.ts";
import { rowsOf } from "./stores.ts";

const UUID = /^\/apps\/([0-9a-f-]{36})\//;
/** Parts of the app page that hold no devices. */
const SUMS_ALONE = new Set(["app", "sdk_versions", "why_no_ad", "online_revenue"]);
const OF_DEVICES = /^(?:app list|app page|table|func)/;

/**
 * The floor of a dashboard call: the rollups of its apps, days and filters read by plain queries that know no trick. Sums by day
 * from `stats_daily` and, where the call tells devices, their exact number from `devices_daily`. Resolves to its milliseconds.
 */
export async function bareQuery({ stores, apps }: DashboardData, call: DashboardCall): Promise<number> {
  const queries = bareQueries(apps, call);
  const from = performance.now();
  for (const query of queries) await rowsOf(stores.clickhouse, query);
  return performance.now() - from;
}

function bareQueries(apps: DashboardData["apps"], { kind, path, days }: DashboardCall): string[] {
  if (days === undefined) return ["SELECT 1"];
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const uuid = UUID.exec(pathname)?.[1];
  const ids = apps.filter((app) => uuid === undefined || app.uuid === uuid).map(({ id }) => id);
  const among = (column: string) => {
    const values = searchParams.getAll(column).map((value) => `'${value}'`);
    return values.length > 0 ? ` AND ${column} IN (${values.join(", ")})` : "";
  };
  const range = `app_id IN (${ids.join(", ")}) AND day BETWEEN '${searchParams.get("ds")}' AND '${searchParams.get("de")}'`;
  const place = `${range}${among("format")}${among("country")}`;
  const sums = `SELECT day, sum(requests), sum(impressions), sum(clicks), sum(sessions), sum(revenue_micros)
    FROM stats_daily WHERE ${place}${among("provider")} GROUP BY day`;
  const devices = `SELECT uniqExact(device) FROM ${searchParams.has("provider") ? "viewers_daily" : "devices_daily"}
    WHERE ${place}${searchParams.has("provider") ? among("provider") : ""}`;
  const part = /^func (.+)$/.exec(kind)?.[1];
  const tellsDevices = OF_DEVICES.test(kind) && !SUMS_ALONE.has(part ?? "");
  return tellsDevices ? [sums, devices] : [sums];
}
