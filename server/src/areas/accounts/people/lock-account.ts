import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";

/**
 * Holds an account back from being deleted until the transaction ends, so that nobody is let into one that goes. Others who
 * do the same wait as well. Problem `unauthenticated` where it has gone already.
 */
export async function lockAccount(client: PoolClient, accountId: number): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM accounts WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
    [accountId],
  );
  if (rowCount !== 1) throw new Problem("unauthenticated", "Please log in");
}
