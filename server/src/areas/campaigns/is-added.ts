import type { CampaignFields } from "@millrace/contract";
import type { PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { campaignChange, creativeDiffers } from "./campaign-change.ts";
import * as store from "./campaign-store.ts";
import { creativesOf } from "./creative-store.ts";

/**
 * Whether the account has added a campaign with this key already, in a transaction that has locked the account. Problem
 * `conflict` if what is sent has changed since, and `not_found` if it has been deleted, or is another account's.
 */
export async function isAdded(
  client: PoolClient,
  sent: { accountId: number; key: string; body: CampaignFields; startsNow: boolean },
): Promise<boolean> {
  const { accountId, key, body, startsNow } = sent;
  if (!(await store.isKnown(client, key))) return false;
  const campaign = await store.ownCampaign(client, accountId, key);
  const { creatives, start_date, start_time, end_time, ...rest } = body;
  const fields = {
    ...rest,
    // By now, it would start at another minute.
    ...(!startsNow && { start_date, start_time }),
    // Without an end, its time is not stored.
    ...(rest.end_date !== null && { end_time }),
  };
  const before = await creativesOf(client, [campaign.id]);
  const isSame =
    Object.keys(campaignChange(campaign.fields, fields)).length === 0 &&
    before.length === creatives.length &&
    creatives.every((creative, nth) => {
      const stored = before[nth]?.fields;
      return stored !== undefined && !creativeDiffers(stored, creative);
    });
  if (!isSame)
    throw new Problem(
      "conflict",
      "An earlier try has added this campaign already, as it was then. Open it in the list of campaigns to change it.",
    );
  return true;
}
