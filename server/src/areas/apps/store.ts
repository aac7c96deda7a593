import type { Platform } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";

type Db = Pool | PoolClient;

/** An app as its row is. */
export interface App {
  id: number;
  uuid: string;
  accountId: number;
  name: string;
  bundleId: string;
  platform: Platform;
  url: string | null;
  logoUrl: string | null;
  inDev: boolean;
  moderation: "check" | "live" | "banned";
  sdkVersion: string | null;
  sdkSeenAt: Date | null;
  demo: boolean;
}

const COLUMNS = `id, uuid, account_id AS "accountId", name, bundle_id AS "bundleId", platform, url, logo_url AS "logoUrl",
  in_dev AS "inDev", moderation, sdk_version AS "sdkVersion", sdk_seen_at AS "sdkSeenAt", demo`;

/** The account's app, or undefined; another account's app is not there either. */
export async function findApp(db: Db, accountId: number, uuid: string): Promise<App | undefined> {
  const { rows } = await db.query<App>(
    `SELECT ${COLUMNS} FROM apps WHERE account_id = $1 AND uuid = $2 AND deleted_at IS NULL`,
    [accountId, uuid],
  );
  return rows[0];
}

/** The account's app. Problem `not_found` for another account's, or none. */
export async function ownApp(db: Db, accountId: number, uuid: string): Promise<App> {
  const app = await findApp(db, accountId, uuid);
  if (!app) throw new Problem("not_found", "There is no such app");
  return app;
}

/** The account's apps whose name or bundle contains the text (any without one), in the order they were made. */
export async function listApps(db: Db, accountId: number, search = ""): Promise<App[]> {
  const { rows } = await db.query<App>(
    `SELECT ${COLUMNS} FROM apps
     WHERE account_id = $1 AND deleted_at IS NULL
       AND ($2 = '' OR strpos(lower(name), lower($2)) > 0 OR strpos(lower(bundle_id), lower($2)) > 0)
     ORDER BY id`,
    [accountId, search],
  );
  return rows;
}

/** Ids of every app the account ever had: what a deleted one earned stays earned. */
export async function everyAppId(db: Db, accountId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>("SELECT id FROM apps WHERE account_id = $1 ORDER BY id", [accountId]);
  return rows.map(({ id }) => id);
}

/** Apps of whatever accounts, for those who run the platform. */
export async function findAppsById(db: Db, ids: readonly number[]): Promise<App[]> {
  const { rows } = await db.query<App>(`SELECT ${COLUMNS} FROM apps WHERE id = ANY($1) AND deleted_at IS NULL`, [ids]);
  return rows;
}

export interface NewApp {
  /** Chosen by whoever needs a stable key; random otherwise. */
  uuid?: string;
  name: string;
  bundleId: string;
  platform: Platform;
  url?: string;
  logoUrl?: string;
  inDev?: boolean;
  moderation?: App["moderation"];
  demo?: boolean;
}

export async function createApp(db: Db, accountId: number, app: NewApp): Promise<App> {
  const { rows } = await db.query<App>(
    `INSERT INTO apps (uuid, account_id, name, bundle_id, platform, url, logo_url, in_dev, moderation, demo)
     VALUES (coalesce($1, gen_random_uuid()), $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
    [
      app.uuid,
      accountId,
      app.name,
      app.bundleId,
      app.platform,
      app.url,
      app.logoUrl,
      app.inDev ?? false,
      app.moderation ?? "live",
      app.demo ?? false,
    ],
  );
  const [created] = rows;
  if (!created) throw new Error("an insert gives its row back");
  return created;
}

/** What people call the zones of these apps; a name is one zone's alone, or else the zone keeps its own. */
export async function zoneNames(db: Db, appIds: readonly number[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ zone: string; name: string }>(
    `SELECT zone, min(name) AS name FROM zones WHERE app_id = ANY($1) GROUP BY zone HAVING count(DISTINCT name) = 1`,
    [appIds],
  );
  return new Map(rows.map(({ zone, name }) => [zone, name]));
}

/** Takes every app of the account out of service. */
export async function deleteAppsOf(client: PoolClient, accountId: number): Promise<void> {
  await client.query("UPDATE apps SET deleted_at = now() WHERE account_id = $1 AND deleted_at IS NULL", [accountId]);
}
