import type { Platform } from "@millrace/contract";
import type { PoolClient } from "pg";
import { notSignedIn } from "../../platform/http/problem.ts";

/**
 * Serializes changes to the set of an account's apps, and to its deletion, which ends all of them. Problem `unauthenticated` if
 * it is deleted.
 */
export async function lockAccount(client: PoolClient, accountId: number): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM accounts WHERE id = $1 AND deleted_at IS NULL FOR UPDATE", [
    accountId,
  ]);
  if (rowCount !== 1) throw notSignedIn();
}

/** Whether another app of the account is the same store app, or has the same bundle id on the same platform. */
export async function hasSameApp(
  client: PoolClient,
  accountId: number,
  app: { platform: Platform; bundleId: string; storeId?: string; except?: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM apps WHERE account_id = $1 AND platform = $2 AND deleted_at IS NULL AND NOT demo AND id <> $5
       AND (store_id = $3 OR (bundle_id <> '' AND lower(bundle_id) = lower($4))) LIMIT 1`,
    [accountId, app.platform, app.storeId ?? null, app.bundleId, app.except ?? 0],
  );
  return rowCount === 1;
}

/** Whether there is or was an app with this UUID. */
export async function isKnown(client: PoolClient, uuid: string): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM apps WHERE uuid = $1", [uuid]);
  return (rowCount ?? 0) > 0;
}

export async function setStoreId(client: PoolClient, appId: number, storeId: string): Promise<void> {
  await client.query("UPDATE apps SET store_id = $2 WHERE id = $1", [appId, storeId]);
}

export async function setNames(
  client: PoolClient,
  appId: number,
  { name, bundleId }: { name: string; bundleId: string },
): Promise<void> {
  await client.query("UPDATE apps SET name = $2, bundle_id = $3 WHERE id = $1", [appId, name, bundleId]);
}

/** Takes a live app out of service until a moderator has decided on it again, without the earlier decision. */
export async function awaitModeration(client: PoolClient, appId: number, at: Date): Promise<void> {
  await client.query(
    `UPDATE apps SET moderation = 'check', moderation_reason = NULL, moderated_at = NULL, waiting_since = $2
     WHERE id = $1 AND moderation = 'live'`,
    [appId, at],
  );
}

/** Takes an account's app out of service; its uuid is never reused. Returns false if the account has no such app. */
export async function deleteApp(
  client: PoolClient,
  accountId: number,
  { uuid, at }: { uuid: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE apps SET deleted_at = $3 WHERE account_id = $1 AND uuid = $2 AND deleted_at IS NULL",
    [accountId, uuid, at],
  );
  return rowCount === 1;
}
