import type { CampaignFields } from "@millrace/contract";
import type { PoolClient } from "pg";
import { refuseOther } from "../../platform/http/revision.ts";
import { isAsSent } from "./campaign-change.ts";
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
  const { start_date, start_time } = campaign.fields;
  // By now, it would start at another minute.
  const wanted = startsNow ? { ...body, start_date, start_time } : body;
  refuseOther("campaign", isAsSent({ ...campaign, creatives: await creativesOf(client, [campaign.id]) }, wanted));
  return true;
}
