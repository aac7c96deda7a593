import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { hashedUuid } from "../../../platform/hashed-uuid.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { bookNew, closeMonth } from "../ledger.ts";
import { afterMonth } from "./months.ts";
import { type PayableTerms, readPayables } from "./payables.ts";

export interface ClaimDeps {
  pool: Pool;
  clock: Clock;
  /** In the transaction of each claim: queues what is to be told. */
  onClaimed(client: PoolClient, payoutId: string): Promise<void>;
}

/**
 * Closes a month's books, and takes what each account is owed of it off its balance, into a payout that is due. An
 * account has at most one payout per month, however often and wherever this runs. Resolves with the number of new ones.
 */
export async function claimPayouts(deps: ClaimDeps, terms: PayableTerms): Promise<number> {
  const { pool, clock } = deps;
  await closeUntil(pool, terms.month, new Date(clock.now()));
  let claimed = 0;
  for (const { accountId, blocks } of await readPayables(pool, terms)) {
    if (blocks.length > 0) continue;
    if (await inTransaction(pool, (client) => claim(deps, client, accountId, terms))) claimed++;
  }
  return claimed;
}

/** Closes every month with postings up to and with this one. */
async function closeUntil(pool: Pool, month: string, at: Date): Promise<void> {
  const { rows } = await pool.query<{ month: string }>(
    `SELECT to_char(first, 'YYYY-MM') AS month
     FROM generate_series(date_trunc('month', (SELECT min(on_day) FROM ledger_postings)::timestamp), $1::date - 1,
       interval '1 month') AS m(first)
     WHERE NOT EXISTS (SELECT FROM closed_months WHERE month = first::date)
       AND EXISTS (SELECT FROM ledger_postings WHERE on_day >= first::date AND on_day < (first + interval '1 month')::date)
     ORDER BY 1`,
    [afterMonth(month)],
  );
  for (const open of rows) await inTransaction(pool, (client) => closeMonth(client, open.month, at));
}

async function claim(
  { clock, onClaimed }: ClaimDeps,
  client: PoolClient,
  accountId: number,
  terms: PayableTerms,
): Promise<boolean> {
  // Whoever else takes money off this balance waits, and is then part of the sum.
  await client.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
  const [payable] = await readPayables(client, terms, accountId);
  if (!payable?.payeeId || payable.blocks.length > 0) return false;
  const at = new Date(clock.now());
  const { rows } = await client.query<{ id: string }>(
    // What is entered later does not redirect it, and the account's deletion does not take away where it goes.
    `INSERT INTO payouts (id, account_id, period, amount_micros, provider, payee_id, method, created_at, changed_at, details)
     VALUES ($8, $1, $2, $3, $4, $5, $6, $7, $7,
       (SELECT details FROM sandbox_payees WHERE payee_id = $5 AND $4 = 'sandbox'))
     ON CONFLICT (account_id, period) DO NOTHING RETURNING id`,
    [
      accountId,
      `${terms.month}-01`,
      payable.amountMicros.toString(),
      terms.provider,
      payable.payeeId,
      payable.method,
      at,
      payoutIdOf(payable.payeeId, terms.month),
    ],
  );
  const [payout] = rows;
  if (!payout) return false;
  await bookNew(client, {
    reference: `payout ${payout.id}`,
    kind: "payout",
    reason: "",
    actorUserId: null,
    at,
    lines: [
      { book: "publisher_balance", accountId, amountMicros: payable.amountMicros },
      { book: "payouts_due", accountId, amountMicros: -payable.amountMicros },
    ],
  });
  await onClaimed(client, payout.id);
  return true;
}

/**
 * The id of a payee's payout for a month. A platform that is restored from a backup
 * claims the months since under the same ids, by which the provider knows what it has paid already.
 */
const payoutIdOf = (payeeId: string, month: string): string => hashedUuid(`millrace payout ${payeeId} ${month}`);
