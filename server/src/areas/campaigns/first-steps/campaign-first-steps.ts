import type { CampaignFirstSteps } from "@millrace/contract";
import { accountSpend } from "../../budgets/index.ts";
import { listCampaigns as findCampaigns } from "../campaign-store.ts";
import { creativesOf } from "../creative-store.ts";
import type { CampaignsDeps } from "../deps.ts";
import { statusesOf } from "../read-campaigns.ts";
import { campaignSteps } from "./campaign-steps.ts";

/** An advertiser's steps to the first spend, as they are now. */
export async function campaignFirstSteps(deps: CampaignsDeps, accountId: number): Promise<CampaignFirstSteps> {
  const [campaigns, spend] = await Promise.all([
    findCampaigns(deps.pool, accountId, ""),
    accountSpend(deps.pool, accountId),
  ]);
  const creatives = await creativesOf(
    deps.pool,
    campaigns.map(({ id }) => id),
  );
  const [newest] = campaigns;
  const status = newest && (await statusesOf(deps, [newest], creatives)).get(newest.id);
  return {
    steps: campaignSteps({
      campaigns: campaigns.length,
      moderation: creatives.map(({ moderation }) => moderation),
      spend,
    }),
    spent: spend.spentMicros,
    since: spend.since,
    held_by: status?.status_reason ?? null,
  };
}
