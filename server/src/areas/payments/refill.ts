import type { PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { bookPosting } from "./ledger.ts";
import { lockAccount } from "./lock-account.ts";

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
  const booked = await bookPosting(client, {
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
  const { rows } = await client.query<{ accountId: number; amount: string; reason: string; balance: string }>(
    `SELECT l.account_id AS "accountId", -l.amount_micros AS amount, p.reason, (
       SELECT -sum(b.amount_micros) FROM ledger_lines b
       WHERE b.account_id = l.account_id AND b.book = l.book AND b.posting_id <= p.id
     ) - coalesce((SELECT spent_micros FROM account_budgets WHERE account_id = l.account_id), 0) AS balance
     FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id AND l.book = 'campaign_balance'
     WHERE p.reference = $1`,
    [reference],
  );
  const [found] = rows;
  if (found?.accountId !== accountId || Number(found.amount) !== amountMicros || found.reason !== reason) {
    throw new Problem(
      "conflict",
      "Another refill has been booked with this key. Please check the balance and start again",
    );
  }
  return { booked, balanceMicros: Number(found.balance) };
}
