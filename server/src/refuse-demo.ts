import { StartError } from "./platform/start-error.ts";
import type { Stores } from "./start-stores.ts";

/** A start without the demo on stores that have it would pay out its made-up money. Closes them and throws StartError. */
export async function refuseDemo(stores: Stores): Promise<void> {
  const { rowCount } = await stores.postgres.pool.query("SELECT FROM accounts WHERE demo LIMIT 1");
  if (rowCount === 0) return;
  await stores.stop();
  throw new StartError(
    "The demo's accounts and its made-up money are still here: run `npx millrace demo clear` to delete them, or start with MILLRACE_DEMO=1.",
  );
}
