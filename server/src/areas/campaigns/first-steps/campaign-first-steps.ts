import type { CampaignFirstSteps } from "@millrace/contract";
import { accountSpend } from "../../budgets/index.ts";
import { campaignsById, findCampaignIds } from "../campaign-store.ts";
import { creativesOf, moderationOf } from "../creative-store.ts";
import type { CampaignsDeps } from "../deps.ts";
import { statusesOf } from "../read-campaigns.ts";
import { campaignSteps } from "./campaign-steps.ts";

/** An advertiser's steps to the first spend, as they are now. */
export async function campaignFirstSteps(deps: CampaignsDeps, accountId: number): Promise<CampaignFirstSteps> {
  const [ids, moderation, spend] = await Promise.all([
    findCampaignIds(deps.pool, accountId, ""),
    moderationOf(deps.pool, accountId),
    accountSpend(deps.pool, accountId),
  ]);
  const newestIds = ids.slice(0, 1);
  const [[newest], creatives] = await Promise.all([
    campaignsById(deps.pool, accountId, newestIds),
    creativesOf(deps.pool, newestIds),
  ]);
  const status = newest && (await statusesOf(deps, [newest], creatives)).get(newest.id);
  return {
    steps: campaignSteps({
      campaigns: ids.length,
      moderation,
      spend,
    }),
    spent: spend.spentMicros,
    since: spend.since,
    held_by: status?.status_reason ?? null,
  };
}
