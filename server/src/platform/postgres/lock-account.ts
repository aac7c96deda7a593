import type { PoolClient } from "pg";
import { Problem } from "../http/problem.ts";

/**
 * Serializes what is booked and saved for an account, and its deletion, until the client's transaction ends. Problem
 * `not_found` if the account has been deleted.
 */
export async function lockAccount(client: PoolClient, accountId: number): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM accounts WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
    [accountId],
  );
  if (rowCount !== 1) throw new Problem("not_found", "There is no such account");
}
