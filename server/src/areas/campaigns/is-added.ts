import type { CampaignFields } from "@millrace/contract";
import type { PoolClient } from "pg";
import { refuseOtherContent } from "../../platform/http/once-by-key.ts";
import { isAsSent } from "./campaign-change.ts";
import * as store from "./campaign-store.ts";
import { creativesOf } from "./creative-store.ts";

/**
 * Whether the account has added this campaign already, in a transaction that has locked the account. Problem `conflict` if
 * what is sent has changed since, and `not_found` if it has been deleted.
 */
export async function isAdded(
  client: PoolClient,
  sent: { accountId: number; uuid: string; body: CampaignFields; startsNow: boolean },
): Promise<boolean> {
  const { accountId, uuid, body, startsNow } = sent;
  if (!(await store.isKnown(client, uuid))) return false;
  const campaign = await store.ownCampaign(client, accountId, uuid);
  const { start_date, start_time } = campaign.fields;
  // By now, it would start at another minute.
  const wanted = startsNow ? { ...body, start_date, start_time } : body;
  refuseOtherContent(
    "campaign",
    isAsSent({ ...campaign, creatives: await creativesOf(client, [campaign.id]) }, wanted),
  );
  return true;
}
