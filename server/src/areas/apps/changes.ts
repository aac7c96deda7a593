import {
  type Changes,
  type ChangesQuery,
  MOVER_GROUPS,
  type Query,
  appNames,
  type appChanges,
  type publisherChanges,
} from "@millrace/contract";
import type { AppReach } from "../../platform/http/caller.ts";
import { countryName, formatName } from "../statistics/index.ts";
import { scopeOfQuery } from "./scope-of-query.ts";
import type { AppsDeps } from "./deps.ts";
import { providerLabels } from "./provider-labels.ts";
import { type App, appsOfFilter, ownApp, zoneNames } from "./store.ts";

/** What changed in an app's revenue. Problem `not_found` for another account's or an unknown app. */
export async function changesOfApp(
  deps: AppsDeps,
  reach: AppReach,
  uuid: string,
  query: Query<typeof appChanges>,
): Promise<Changes> {
  return changesOf(deps, [await ownApp(deps.pool, reach, uuid)], query);
}

/** The same of all apps that the account ever had, or those in the filter. */
export async function changesOfPublisher(
  deps: AppsDeps,
  reach: AppReach,
  query: Query<typeof publisherChanges>,
): Promise<Changes> {
  const apps = await appsOfFilter(deps.pool, reach, query.app_id);
  const changes = await changesOf(deps, apps, query);
  if (changes.by !== "app") return changes;
  // A deleted app has no page that its UUID could lead to.
  const uuids = new Map(apps.flatMap(({ id, uuid, isDeleted }) => (isDeleted ? [] : [[String(id), uuid]])));
  return { ...changes, movers: changes.movers.map((mover) => ({ ...mover, uuid: uuids.get(mover.id) })) };
}

async function changesOf(deps: AppsDeps, apps: readonly App[], query: ChangesQuery): Promise<Changes> {
  const appIds = apps.map(({ id }) => id);
  const [providers, zones] = await Promise.all([providerLabels(deps), zoneNames(deps.pool, appIds)]);
  const names = {
    apps: appNames(apps.map(({ id, isDeleted: deleted, ...app }) => ({ app_id: id, deleted, ...app }))),
    provider: providers,
    zone: zones,
  };
  const statistics = deps.statistics.of({
    scope: { ...scopeOfQuery(query), appIds },
    compare: query.compare,
    metrics: [],
    view: "date",
    ordering: { order: "name", order_type: "asc" },
    names: { provider: (id) => id, zone: (zone) => zone },
  });
  const isOneApp = apps.length === 1;
  return statistics.changes({
    groups: MOVER_GROUPS.filter((group) => group !== "app" || !isOneApp),
    by: query.by,
    nameOf(group, id) {
      if (group === "country") return countryName(id);
      if (group === "app") return names.apps.get(Number(id)) ?? id;
      return group === "format" ? formatName(id) : (names[group].get(id) ?? id);
    },
  });
}
