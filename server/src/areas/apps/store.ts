import { type Platform, type StatsFilter, narrowed } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";

type Db = Pool | PoolClient;

/** A row of the table of apps. */
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
  /** A demo app in a real publisher's account: its figures are made up. */
  isSample: boolean;
}

const IS_SAMPLE = "(apps.demo AND NOT EXISTS (SELECT FROM accounts o WHERE o.id = apps.account_id AND o.demo))";
const COLUMNS = `id, uuid, account_id AS "accountId", name, bundle_id AS "bundleId", platform, url, logo_url AS "logoUrl",
  in_dev AS "inDev", moderation, sdk_version AS "sdkVersion", sdk_seen_at AS "sdkSeenAt", demo, ${IS_SAMPLE} AS "isSample"`;

/** The account's app; undefined for another account's. */
export async function findApp(db: Db, accountId: number, uuid: string): Promise<App | undefined> {
  const { rows } = await db.query<App>(
    `SELECT ${COLUMNS} FROM apps WHERE account_id = $1 AND uuid = $2 AND deleted_at IS NULL`,
    [accountId, uuid],
  );
  return rows[0];
}

/** The account's app. Problem `not_found` for another account's or an unknown one. */
export async function ownApp(db: Db, accountId: number, uuid: string): Promise<App> {
  const app = await findApp(db, accountId, uuid);
  if (!app) throw new Problem("not_found", "There is no such app");
  return app;
}

/**
 * The account's apps whose name or bundle contains the text (all apps without a text), in the order of their creation.
 */
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

/** The account's apps that a filter by `app_id` names; all apps without one. */
export async function appsOfFilter(db: Db, accountId: number, appIds: StatsFilter["app_id"]): Promise<App[]> {
  const own = await listApps(db, accountId);
  const chosen = narrowed(appIds);
  return chosen ? own.filter(({ id }) => chosen.includes(String(id))) : own;
}

/** The ids of all apps the account ever had, also deleted ones. */
export async function everyAppId(db: Db, accountId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>("SELECT id FROM apps WHERE account_id = $1 ORDER BY id", [accountId]);
  return rows.map(({ id }) => id);
}

/** The ids of all apps whose earnings are the account's: those it ever had, without samples. */
export async function earningAppIds(db: Db, accountId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT id FROM apps WHERE account_id = $1 AND NOT ${IS_SAMPLE} ORDER BY id`,
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** Apps of any account, for the admin area. */
export async function findAppsById(db: Db, ids: readonly number[]): Promise<App[]> {
  const { rows } = await db.query<App>(`SELECT ${COLUMNS} FROM apps WHERE id = ANY($1) AND deleted_at IS NULL`, [ids]);
  return rows;
}

export interface NewApp {
  /** Set for a stable key; random otherwise. */
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

/** Labels of these apps' zones; if two zones share a name, each keeps its id. */
export async function zoneNames(db: Db, appIds: readonly number[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ zone: string; name: string }>(
    `SELECT zone, min(name) AS name FROM zones WHERE app_id = ANY($1) GROUP BY zone HAVING count(DISTINCT name) = 1`,
    [appIds],
  );
  return new Map(rows.map(({ zone, name }) => [zone, name]));
}

/** Takes all apps of the account out of service. */
export async function deleteAppsOf(client: PoolClient, accountId: number): Promise<void> {
  await client.query("UPDATE apps SET deleted_at = now() WHERE account_id = $1 AND deleted_at IS NULL", [accountId]);
}
