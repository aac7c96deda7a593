import type { Query, setCampaignStatus as call } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { campaignBalanceOf } from "../payments/index.ts";
import { isOver } from "./campaign-status.ts";
import * as store from "./campaign-store.ts";
import { creativesOf, deleteCreatives } from "./creative-store.ts";
import type { CampaignsDeps } from "./deps.ts";

/**
 * Starts, freezes or deletes a campaign. Problem `not_found`, and `conflict` if it cannot start: without a balance, or
 * after its end.
 */
export async function setCampaignStatus(
  { pool, clock }: Pick<CampaignsDeps, "pool" | "clock">,
  by: By,
  { uuid, status }: { uuid: string } & Query<typeof call>,
): Promise<void> {
  const { accountId } = by.caller;
  await inTransaction(pool, async (client) => {
    const campaign = await store.lockCampaign(client, accountId, uuid);
    const record = (action: string, details: Record<string, unknown> = {}) =>
      recordAct({ pool: client, clock }, by, { action, subject: campaign.uuid, details });
    if (status === "delete") {
      const at = new Date(clock.now());
      const creatives = await creativesOf(client, [campaign.id]);
      await deleteCreatives(
        client,
        creatives.map(({ id }) => id),
        at,
      );
      await store.deleteCampaign(client, campaign, at);
      return record("campaign_deleted");
    }
    if (status === "active") {
      if (isOver(campaign.endsAt, clock.now()))
        throw new Problem("conflict", "This campaign is over. To start it again, change its end date");
      if ((await campaignBalanceOf(client, accountId)) <= 0)
        throw new Problem(
          "conflict",
          "Your campaign balance is empty. Contact support to refill it, then start the campaign",
        );
    }
    if (store.switchOf(campaign) === status) return;
    await store.setFrozen(client, campaign, status === "frozen");
    await record("campaign_status_set", { status });
  });
}
