import type { Pool, PoolClient } from "pg";
import { notSignedIn } from "../../../platform/http/problem.ts";

/**
 * Holds an account until the transaction ends, before any of its people and invitations, as its deletion does: nobody is let
 * into one that goes, and nobody waits in a circle. Problem `unauthenticated` where it has gone already.
 */
export async function lockAccount(client: PoolClient, accountId: number): Promise<{ name: string }> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM accounts WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
    [accountId],
  );
  const [account] = rows;
  if (!account) throw notSignedIn();
  return account;
}

/** Whether somebody with this e-mail is in the account already. */
export async function isMember(pool: Pool, accountId: number, email: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    "SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 AND u.email = $2",
    [accountId, email],
  );
  return rowCount !== 0;
}

/**
 * Takes somebody out of an account: their sessions there end, and a login that belongs to no other account is deleted, which
 * frees its e-mail. Everything that hangs on the login goes with it.
 */
export async function removeMember(
  client: PoolClient,
  { accountId, userId }: { accountId: number; userId: number },
): Promise<void> {
  await client.query("DELETE FROM sessions WHERE account_id = $1 AND user_id = $2", [accountId, userId]);
  await client.query("DELETE FROM memberships WHERE account_id = $1 AND user_id = $2", [accountId, userId]);
  await client.query("DELETE FROM users WHERE id = $1 AND NOT EXISTS (SELECT FROM memberships WHERE user_id = $1)", [
    userId,
  ]);
}
