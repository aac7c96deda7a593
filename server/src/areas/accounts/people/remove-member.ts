import type { PoolClient } from "pg";

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
