import {
  APPS_PER_PAGE,
  type APP_ORDERS,
  type AppRow,
  type Query,
  type Reply,
  type listApps,
  mayUse,
  narrowed,
} from "@millrace/contract";
import type { AppReach, Caller } from "../../platform/http/caller.ts";
import { pageOf } from "../../platform/page-of.ts";
import { compareNames } from "../statistics/index.ts";
import { appIdentity } from "./app-identity.ts";
import { scopeOfQuery } from "./scope-of-query.ts";
import type { AppsDeps } from "./deps.ts";
import * as store from "./store.ts";

type ListQuery = Query<typeof listApps>;

/**
 * A page of the account's apps with their metrics and the totals of all found apps; to those who may read the account's revenue, also what
 * deleted ones earned beside them.
 */
export async function appList(deps: AppsDeps, caller: Caller, query: ListQuery): Promise<Reply<typeof listApps>> {
  const chosen = narrowed(query.app_id);
  const found = await store.listApps(deps.pool, caller, query.search);
  const apps = chosen ? found.filter(({ id }) => chosen.includes(String(id))) : found;
  const isWhole = !chosen && query.search === "";
  const seesDeleted = isWhole && mayUse("publisher.read", caller);
  const [metrics, deletedRevenue] = await Promise.all([
    deps.statistics.metricsByApp({ ...scopeOfQuery(query), appIds: apps.map(({ id }) => id) }, query.compare),
    seesDeleted ? earnedByDeleted(deps, caller, query) : 0,
  ]);
  const rows = apps.map((app): AppRow => ({ ...appIdentity(deps, app), ...metrics.of(app.id) }));
  const { page, pager } = pageOf(rows.toSorted(inOrder(query)), query.p, APPS_PER_PAGE);
  const { total } = metrics;
  const deleted = deletedRevenue > 0 ? { deleted_revenue: deletedRevenue } : {};
  return { apps: page, pager, totals: total, ...deleted, compared_until: total.compared_until };
}

async function earnedByDeleted(deps: AppsDeps, reach: AppReach, query: ListQuery): Promise<number> {
  const deleted = (await store.countedApps(deps.pool, reach)).filter(({ isDeleted }) => isDeleted);
  if (deleted.length === 0) return 0;
  const appIds = deleted.map(({ id }) => id);
  const { total } = await deps.statistics.metricsByApp({ ...scopeOfQuery(query), appIds }, "none");
  return total.revenue;
}

/** Apps without a value come last in both orders; equal ones keep the order of their creation. */
function inOrder({ order, order_type: direction }: { order: (typeof APP_ORDERS)[number]; order_type: "asc" | "desc" }) {
  const sign = direction === "asc" ? 1 : -1;
  return (a: AppRow, b: AppRow): number => {
    const byAge = a.app_id - b.app_id;
    if (order === "name") return sign * compareNames(a.name, b.name) || byAge;
    const [left, right] = [a[order], b[order]];
    if (left === right) return byAge;
    if (left === null) return 1;
    if (right === null) return -1;
    return sign * (left - right);
  };
}
