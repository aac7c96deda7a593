import type { PoolClient } from "pg";
import { createApp, type NewApp } from "../store.ts";

/**
 * What somebody without apps can take a look at. They are the demo's like those of its own accounts: the exchange does not
 * know them, so they earn nothing, and whoever clears the demo away loses nothing with them.
 */
const SAMPLES: readonly NewApp[] = [
  { name: "Sample game", bundleId: "com.example.sample.game", platform: "android" },
  { name: "Sample reader", bundleId: "com.example.sample.reader", platform: "ios" },
];

export async function createSampleApps(client: PoolClient, accountId: number): Promise<void> {
  // In the order of the list: ids follow the inserts.
  for (const sample of SAMPLES) await createApp(client, accountId, { ...sample, demo: true, moderation: "live" });
}

/** Takes the samples from an account of a real publisher; an account of the demo has nothing else. */
export async function removeSampleApps(client: PoolClient, accountId: number, at: Date): Promise<void> {
  await client.query(
    `UPDATE apps SET deleted_at = $2 WHERE account_id = $1 AND demo AND deleted_at IS NULL
     AND NOT EXISTS (SELECT FROM accounts WHERE id = $1 AND demo)`,
    [accountId, at],
  );
}
