import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { Log } from "../../../platform/log.ts";
import { ownerColumn } from "../../../platform/postgres/account-owner.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { PayoutProvider } from "./provider.ts";

export interface PayeeDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  provider: PayoutProvider;
  /** In the transaction in which an account is to be paid otherwise than before, or no more (null). */
  onMethodChanged(client: PoolClient, changed: { accountId: number; method: string | null }): Promise<void>;
}

/** Registers an account with the provider, if it is not, and returns the frame's signed address. */
export async function openPayoutFrame(
  { pool, clock, log, provider }: Omit<PayeeDeps, "onMethodChanged">,
  accountId: number,
): Promise<{ url: string; origin: string }> {
  // A change of the provider starts over: what another one knows cannot be used.
  await pool.query(
    `INSERT INTO payees (account_id, provider, checked_at) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET provider = excluded.provider, method = NULL, checked_at = excluded.checked_at
     WHERE payees.provider <> excluded.provider`,
    [accountId, provider.id, new Date(clock.now())],
  );
  const { rows } = await pool.query<{ payeeId: string; email: string; name: string }>(
    `SELECT y.payee_id AS "payeeId", ${ownerColumn("email", "a.id")} AS email, a.name
     FROM payees y JOIN accounts a ON a.id = y.account_id WHERE y.account_id = $1`,
    [accountId],
  );
  const [payee] = rows;
  if (!payee) throw new Problem("not_found", "There is no such account");
  try {
    return { url: await provider.frameAddress(payee), origin: provider.frameOrigin };
  } catch (error) {
    log.warn({ err: error }, "the payout provider's frame cannot be opened");
    throw new Problem("unavailable", "The payout provider cannot be reached. Please try again later");
  }
}

export async function isPayeeOf(pool: Pool, payeeId: string, accountId: number): Promise<boolean> {
  const { rowCount } = await pool.query("SELECT FROM payees WHERE payee_id = $1 AND account_id = $2", [
    payeeId,
    accountId,
  ]);
  return rowCount === 1;
}

/** After this many unanswered questions in a row, the provider counts as away. */
const MOST_UNANSWERED = 3;

/**
 * Asks the provider how accounts are paid: all that are registered, the longest unasked first, or one. One that cannot be asked about
 * stays as it was. Resolves with whether every answer was given and kept.
 */
export async function checkPayees(deps: PayeeDeps, accountId: number | null = null): Promise<boolean> {
  const { pool, clock, log, provider } = deps;
  const { rows } = await pool.query<PayeeRow>(
    `SELECT account_id AS "accountId", payee_id AS "payeeId", checked_at::text AS "checkedAt" FROM payees
     WHERE provider = $1 AND ($2::integer IS NULL OR account_id = $2) ORDER BY checked_at, account_id`,
    [provider.id, accountId],
  );
  let isAnswered = true;
  let unanswered = 0;
  for (const payee of rows) {
    if (unanswered === MOST_UNANSWERED) break;
    try {
      const method = await provider.methodOf(payee.payeeId);
      const isKept = await inTransaction(pool, (client) => keepMethod(deps, client, payee, method));
      isAnswered = isKept && isAnswered;
      unanswered = 0;
    } catch (error) {
      isAnswered = false;
      unanswered++;
      log.warn({ err: error, account: payee.accountId }, "the payout provider could not be asked about a payee");
      // It waits behind the others, so that some that cannot be looked up hold up nobody else.
      await pool.query("UPDATE payees SET checked_at = $2 WHERE account_id = $1", [
        payee.accountId,
        new Date(clock.now()),
      ]);
    }
  }
  return isAnswered;
}

interface PayeeRow {
  accountId: number;
  payeeId: string;
  checkedAt: string;
}

/** Resolves with false, without effect, if the payee was changed since it was asked about: the answer may be older than that. */
async function keepMethod(
  { clock, onMethodChanged }: PayeeDeps,
  client: PoolClient,
  { accountId, checkedAt }: PayeeRow,
  method: string | null,
): Promise<boolean> {
  const { rows } = await client.query<{ was: string | null }>(
    "SELECT method AS was FROM payees WHERE account_id = $1 AND checked_at::text = $2 FOR UPDATE",
    [accountId, checkedAt],
  );
  const [payee] = rows;
  if (!payee) return false;
  await client.query("UPDATE payees SET method = $2, checked_at = $3 WHERE account_id = $1", [
    accountId,
    method,
    new Date(clock.now()),
  ]);
  if (payee.was !== method) await onMethodChanged(client, { accountId, method });
  return true;
}

/**
 * Erases, in the client's transaction, how a deleted account was paid. Its payouts stay, without the account's digits. A payment that is
 * still to be made by hand keeps where it goes until it is settled.
 */
export async function erasePayee(client: PoolClient, accountId: number): Promise<void> {
  // In this order: whoever saves details holds the payee's row until they are stored.
  const { rows } = await client.query<{ payeeId: string }>(
    `DELETE FROM payees WHERE account_id = $1 RETURNING payee_id AS "payeeId"`,
    [accountId],
  );
  for (const { payeeId } of rows) await client.query("DELETE FROM sandbox_payees WHERE payee_id = $1", [payeeId]);
  await client.query("UPDATE payouts SET method = split_part(method, ' ', 1) WHERE account_id = $1", [accountId]);
}
