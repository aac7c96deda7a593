import { type CampaignStatsQuery, narrowed } from "@millrace/contract";
import type { CampaignStatistics } from "../../statistics/index.ts";
import { type NamedCampaign, namedCampaigns } from "../campaign-store.ts";
import type { CampaignsDeps } from "../deps.ts";

type Deps = Pick<CampaignsDeps, "pool" | "clock" | "statistics">;

export interface CampaignSelection {
  deps: Deps;
  query: CampaignStatsQuery;
  /** All of the account, deleted ones too, whose costs stay; and those of the filter. */
  campaigns: readonly NamedCampaign[];
  chosen: readonly NamedCampaign[];
  statistics: CampaignStatistics;
}

/** Statistics of the account's campaigns, or of those in the filter. Other accounts' campaigns are never included. */
export async function selectCampaigns(
  deps: Deps,
  accountId: number,
  query: CampaignStatsQuery,
): Promise<CampaignSelection> {
  const campaigns = await namedCampaigns(deps.pool, accountId);
  const [filter, formats] = [narrowed(query.campaign), narrowed(query.format)];
  const chosen = campaigns.filter(
    ({ uuid, format }) => filter?.includes(uuid) !== false && formats?.includes(format) !== false,
  );
  const statistics = deps.statistics.campaigns.of({
    scope: {
      campaignIds: chosen.map(({ id }) => id),
      range: { ds: query.ds, de: query.de },
      campaignFormats: chosen.map(({ format }) => format),
      countries: narrowed(query.country) ?? [],
    },
    compare: query.compare,
    metrics: query.metrics,
  });
  return { deps, query, campaigns, chosen, statistics };
}
