import type { PoolClient } from "pg";
import { bookOnce } from "./ledger.ts";
import { lockAccount } from "../../platform/postgres/lock-account.ts";

interface Refill {
  /** A UUID made by the caller; repeating it books the refill only once. */
  key: string;
  accountId: number;
  amountMicros: number;
  reason: string;
  actorUserId: number;
  at: Date;
}

/**
 * Adds money to an advertiser's balance in the client's transaction. Returns the balance with this refill and without
 * later ones, also for a repeated key; `booked` tells whether it is new. Problem `conflict` if the key belongs to another refill, `not_found` if the
 * account was deleted in the meantime.
 */
export async function refillCampaignBalance(
  client: PoolClient,
  refill: Refill,
): Promise<{ booked: boolean; balanceMicros: number }> {
  const { key, accountId, amountMicros, reason, actorUserId, at } = refill;
  const reference = `refill ${key.toLowerCase()}`;
  // Serialized per account, so that the sum below sees only committed postings.
  await lockAccount(client, accountId);
  const booked = await bookOnce(client, "refill", {
    reference,
    kind: "refill",
    reason,
    actorUserId,
    at,
    lines: [
      { book: "cash", accountId: null, amountMicros: BigInt(amountMicros) },
      { book: "campaign_balance", accountId, amountMicros: BigInt(-amountMicros) },
    ],
  });
  const { rows } = await client.query<{ balance: string }>(
    `SELECT (
       SELECT -sum(b.amount_micros) FROM ledger_lines b
       WHERE b.account_id = $2 AND b.book = 'campaign_balance' AND b.posting_id <= p.id
     ) - coalesce((SELECT spent_micros FROM account_budgets WHERE account_id = $2), 0) AS balance
     FROM ledger_postings p WHERE p.reference = $1`,
    [reference, accountId],
  );
  return { booked, balanceMicros: Number(rows[0]?.balance) };
}
