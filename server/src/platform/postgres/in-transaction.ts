import type { Pool, PoolClient } from "pg";

const afterwards = new WeakMap<PoolClient, (() => void)[]>();

/** Runs work in one transaction: all of it, or, where it throws, nothing. */
export async function inTransaction<T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const then: (() => void)[] = [];
  afterwards.set(client, then);
  let result: T;
  try {
    await client.query("BEGIN");
    result = await run(client);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    afterwards.delete(client);
    client.release();
  }
  // Whatever these do, the transaction stands.
  for (const one of then) one();
  return result;
}

/** Does something once the transaction of `inTransaction` is committed: what it wrote is there for others to see. */
export function afterCommit(client: PoolClient, then: () => void): void {
  afterwards.get(client)?.push(then);
}
