import type { PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { publisherBalanceOf } from "./balances.ts";
import { bookPosting } from "./ledger.ts";
import { lockAccount } from "./lock-account.ts";

interface Adjustment {
  /** A UUID made by the caller; repeating it books the adjustment only once. */
  key: string;
  kind: "bonus" | "correction";
  accountId: number;
  /** Negative to take money. */
  amountMicros: number;
  reason: string;
  actorUserId: number;
  at: Date;
}

/**
 * Gives money to a publisher's balance, or takes it, in the client's transaction; the platform bears it. Returns the
 * balance after it; `booked` tells whether it is new. Problem `conflict` if the key belongs to another adjustment,
 * `not_found` if the account was deleted in the meantime.
 */
export async function adjustPublisherBalance(
  client: PoolClient,
  { key, kind, accountId, amountMicros, reason, actorUserId, at }: Adjustment,
): Promise<{ booked: boolean; balanceMicros: number }> {
  const reference = `adjustment ${key.toLowerCase()}`;
  await lockAccount(client, accountId);
  const booked = await bookPosting(client, {
    reference,
    kind,
    reason,
    actorUserId,
    at,
    lines: [
      { book: "adjustments", accountId: null, amountMicros: BigInt(amountMicros) },
      { book: "publisher_balance", accountId, amountMicros: BigInt(-amountMicros) },
    ],
  });
  const same = await client.query(
    `SELECT FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE p.reference = $1 AND p.kind = $2 AND p.reason = $3
       AND l.book = 'publisher_balance' AND l.account_id = $4 AND l.amount_micros = $5`,
    [reference, kind, reason, accountId, -amountMicros],
  );
  if (same.rowCount !== 1) {
    throw new Problem(
      "conflict",
      "Another adjustment has been booked with this key. Please check the balance and start again",
    );
  }
  return { booked, balanceMicros: await publisherBalanceOf(client, accountId) };
}
