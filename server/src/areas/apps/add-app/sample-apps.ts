import type { PoolClient } from "pg";
import { createApp, type NewApp } from "../store.ts";

/**
 * Sample apps for an account without apps. They are marked as demo data: the exchange ignores them, so they earn
 * nothing, and clearing the demo may delete them.
 */
const SAMPLES: readonly NewApp[] = [
  { name: "Sample game", bundleId: "com.example.sample.game", platform: "android" },
  { name: "Sample reader", bundleId: "com.example.sample.reader", platform: "ios" },
];

export async function createSampleApps(client: PoolClient, accountId: number): Promise<void> {
  // In the list's order, because ids follow the inserts.
  for (const sample of SAMPLES) await createApp(client, accountId, { ...sample, demo: true, moderation: "live" });
}

/** Removes the samples from a real publisher's account; a demo account has nothing else. */
export async function removeSampleApps(client: PoolClient, accountId: number, at: Date): Promise<void> {
  await client.query(
    `UPDATE apps SET deleted_at = $2 WHERE account_id = $1 AND demo AND deleted_at IS NULL
     AND NOT EXISTS (SELECT FROM accounts WHERE id = $1 AND demo)`,
    [accountId, at],
  );
}
