import type { AppStatsQuery, PublisherQuery } from "@millrace/contract";
import type { ScopeStatistics } from "../statistics/index.ts";
import { scopeOfQuery } from "./scope-of-query.ts";
import type { AppsDeps } from "./deps.ts";
import { providerLabels } from "./provider-labels.ts";
import { type App, zoneNames } from "./store.ts";

/** The statistics of these apps together, with display names for providers and zones. */
export async function statisticsOfQuery(
  deps: AppsDeps,
  apps: readonly App[],
  query: AppStatsQuery | PublisherQuery,
): Promise<ScopeStatistics> {
  const appIds = apps.map(({ id }) => id);
  const [providers, zones] = await Promise.all([providerLabels(deps), zoneNames(deps.pool, appIds)]);
  return deps.statistics.of({
    scope: { ...scopeOfQuery(query), appIds },
    compare: query.compare,
    metrics: query.metrics,
    view: query.view,
    ordering: query,
    names: {
      provider: (id) => providers.get(id) ?? id,
      zone: (zone) => zones.get(zone) ?? zone,
    },
  });
}
