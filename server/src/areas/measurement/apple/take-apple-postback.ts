import type { PostbackOutcome } from "@millrace/contract";
import type { Pool } from "pg";
import type { ApplePostback, Checked, Claims } from "./apple-postback.ts";

interface Deps {
  pool: Pool;
  /** The ids under which Apple knows the platform's ad network, in lower case. */
  adNetworkIds: readonly string[];
}

interface Owner {
  id: number;
  accountId: number;
}

/** What became of a postback, and whose it is; nobody's if its app and number are of no campaign. */
export interface TakenApplePostback {
  outcome: PostbackOutcome;
  owner: Owner | null;
}

/** Keeps a checked postback once. */
export async function takeApplePostback(deps: Deps, checked: Checked, at: Date): Promise<TakenApplePostback> {
  if (!checked.ok) {
    const owner = checked.claims ? await campaignOf(deps.pool, checked.claims) : null;
    return { outcome: checked.reason, owner };
  }
  const { postback } = checked;
  const owner = await campaignOf(deps.pool, postback);
  // Developers get copies of other ad networks' postbacks, which may reach any address.
  const isOurs = postback.isTest || deps.adNetworkIds.includes(postback.adNetworkId.toLowerCase());
  if (!owner || !isOurs) return { outcome: "unknown_click", owner: null };
  return { outcome: (await insert(deps.pool, owner.id, postback, at)) ? "accepted" : "replayed", owner };
}

/** Of all digits that Apple passes on, the last two are always there. */
const TWO_DIGITS = 100;

async function campaignOf(pool: Pool, { appId, source }: Claims): Promise<Owner | null> {
  const { rows } = await pool.query<Owner>(
    `SELECT id, account_id AS "accountId" FROM campaigns
     WHERE app_platform = 'ios' AND app_store_number(store_id) = $1 AND apple_number = $2
     ORDER BY deleted_at DESC NULLS FIRST LIMIT 1`,
    [appId, source % TWO_DIGITS],
  );
  return rows[0] ?? null;
}

async function insert(pool: Pool, campaignId: number, postback: ApplePostback, at: Date): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO apple_postbacks (campaign_id, protocol, version, transaction_id, sequence, at, did_win, conversion, fine_value,
       coarse_value, is_test)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (protocol, transaction_id, sequence) DO NOTHING`,
    [
      campaignId,
      postback.protocol,
      postback.version,
      postback.transactionId,
      postback.sequence,
      at,
      postback.didWin,
      postback.conversion,
      postback.unsigned.fineValue,
      postback.unsigned.coarseValue,
      postback.isTest,
    ],
  );
  return rowCount === 1;
}
