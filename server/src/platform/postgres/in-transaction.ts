import type { Pool, PoolClient } from "pg";
import { isConnectionLoss } from "../retry-on-connection-loss.ts";

const afterwards = new WeakMap<PoolClient, (() => void)[]>();

/** Runs work in one transaction, which rolls back if it throws. */
export async function inTransaction<T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const callbacks: (() => void)[] = [];
  afterwards.set(client, callbacks);
  let result: T;
  let isBroken = false;
  try {
    await client.query("BEGIN");
    result = await run(client);
    await client.query("COMMIT");
  } catch (error) {
    // On a connection that does not answer, the transaction ends with it.
    isBroken =
      isConnectionLoss(error) ||
      !(await client.query("ROLLBACK").then(
        () => true,
        () => false,
      ));
    throw error;
  } finally {
    afterwards.delete(client);
    client.release(isBroken);
  }
  // Their failure does not undo the transaction.
  for (const callback of callbacks) callback();
  return result;
}

/** Runs a function after the transaction of `inTransaction` commits, when others can see its writes. */
export function afterCommit(client: PoolClient, callback: () => void): void {
  afterwards.get(client)?.push(callback);
}
