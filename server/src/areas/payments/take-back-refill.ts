import { ADMIN_ROWS_PER_PAGE, type AdminRefills } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { campaignBalanceOf } from "./balances.ts";
import { bookOnce } from "./ledger.ts";
import { lockAccount } from "../../platform/postgres/lock-account.ts";

/** What was taken back of the refill `p`, in micro-dollars. */
export const TAKEN_BACK = `(SELECT coalesce(sum(l.amount_micros), 0) FROM ledger_postings t JOIN ledger_lines l ON l.posting_id = t.id
  WHERE t.kind = 'refill_taken_back' AND split_part(t.reference, ' ', 2) = split_part(p.reference, ' ', 2) AND l.book = 'campaign_balance')`;

const REFILLS = `
  SELECT split_part(p.reference, ' ', 2) AS key, p.at, p.reason, -l.amount_micros AS amount, ${TAKEN_BACK} AS "takenBack"
  FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id AND l.book = 'campaign_balance'
  WHERE p.kind = 'refill' AND l.account_id = $1`;

interface Row {
  key: string;
  at: Date;
  reason: string;
  amount: string;
  takenBack: string;
}

/** The last refills of an account, newest first, and what was taken back of each. */
export async function listRefills(pool: Pool, accountId: number): Promise<AdminRefills> {
  const { rows } = await pool.query<Row>(`${REFILLS} ORDER BY p.id DESC LIMIT ${ADMIN_ROWS_PER_PAGE}`, [accountId]);
  return {
    refills: rows.map(({ key, at, reason, amount, takenBack }) => ({
      key,
      at: at.toISOString(),
      reason,
      amount: Number(amount),
      taken_back: Number(takenBack),
    })),
  };
}

interface TakenBack {
  /** The key of the refill. */
  refill: string;
  /** A UUID made by the caller; repeating it takes the money back only once. */
  key: string;
  accountId: number;
  amountMicros: number;
  reason: string;
  actorUserId: number;
  at: Date;
}

/**
 * Takes a refill that was a mistake, or a part of it, off an advertiser's balance in the client's transaction. Returns the balance after
 * it; `booked` tells whether it is new. Problem `unprocessable` if less is left of the refill, or of the balance that is neither spent nor
 * leased; `not_found` for an unknown refill and another account's; `conflict` if the key took back something else.
 */
export async function takeBackRefill(
  client: PoolClient,
  takenBack: TakenBack,
): Promise<{ booked: boolean; balanceMicros: number }> {
  const { accountId, amountMicros, reason, actorUserId, at } = takenBack;
  const [refill, key] = [takenBack.refill.toLowerCase(), takenBack.key.toLowerCase()];
  await lockAccount(client, accountId);
  const { rows } = await client.query<Row>(`${REFILLS} AND p.reference = $2`, [accountId, `refill ${refill}`]);
  const [found] = rows;
  if (!found) throw new Problem("not_found", "There is no such refill");
  const booked = await bookOnce(client, "taken-back amount", {
    reference: `taken-back ${refill} ${key}`,
    kind: "refill_taken_back",
    reason,
    actorUserId,
    at,
    lines: [
      { book: "campaign_balance", accountId, amountMicros: BigInt(amountMicros) },
      { book: "cash", accountId: null, amountMicros: BigInt(-amountMicros) },
    ],
  });
  if (booked) {
    const left = BigInt(found.amount) - BigInt(found.takenBack);
    if (BigInt(amountMicros) > left)
      throw new Problem("unprocessable", { amount: `At most ${formatMoneyExact(left)} is left of this refill` });
    const free = await freeOf(client, accountId, at);
    if (free < 0n) {
      const most = free + BigInt(amountMicros);
      throw new Problem("unprocessable", {
        amount: `At most ${formatMoneyExact(most < 0n ? 0n : most)} is neither spent nor held by running campaigns`,
      });
    }
  }
  return { booked, balanceMicros: await campaignBalanceOf(client, accountId) };
}

/**
 * What of an advertiser's balance is neither spent nor leased, in micro-dollars; negative if more was taken. Locks the budget's row, as
 * spending and leasing do, and returns expired leases.
 */
export async function freeOf(client: PoolClient, accountId: number, at: Date): Promise<bigint> {
  await client.query("INSERT INTO account_budgets (account_id) VALUES ($1) ON CONFLICT DO NOTHING", [accountId]);
  await client.query("SELECT FROM account_budgets WHERE account_id = $1 FOR UPDATE", [accountId]);
  await client.query(
    `SELECT return_to_budgets(array_agg(id), array_agg(amount_micros - spent_micros)) FROM budget_leases
     WHERE account_id = $1 AND expires_at <= $2 HAVING count(*) > 0`,
    [accountId, at],
  );
  await client.query("DELETE FROM budget_leases WHERE account_id = $1 AND expires_at <= $2", [accountId, at]);
  const { rows } = await client.query<{ free: string }>(
    "SELECT ledger_balance($1) - spent_micros - leased_micros AS free FROM account_budgets WHERE account_id = $1",
    [accountId],
  );
  return BigInt(rows[0]?.free ?? 0);
}
