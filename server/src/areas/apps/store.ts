import { type Platform, type StatsFilter, narrowed } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { AppReach } from "../../platform/http/caller.ts";
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
  isDeleted: boolean;
}

const IS_SAMPLE = "(apps.demo AND NOT EXISTS (SELECT FROM accounts o WHERE o.id = apps.account_id AND o.demo))";
const COLUMNS = `id, uuid, account_id AS "accountId", name, bundle_id AS "bundleId", platform, url, logo_url AS "logoUrl",
  in_dev AS "inDev", moderation, sdk_version AS "sdkVersion", sdk_seen_at AS "sdkSeenAt", demo, ${IS_SAMPLE} AS "isSample",
  deleted_at IS NOT NULL AS "isDeleted"`;

/** The one place where a member's apps are enforced. `$1` is the account, `$2` its chosen apps. */
const EVER_IN_REACH = "account_id = $1 AND ($2::integer[] IS NULL OR id = ANY($2))";
/** The apps within reach. */
const IN_REACH = `${EVER_IN_REACH} AND deleted_at IS NULL`;

/** The sample apps of all accounts, deleted ones too. */
export async function sampleAppIds(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(`SELECT id FROM apps WHERE ${IS_SAMPLE} ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** The app of this UUID; undefined if it is out of reach. */
export async function findApp(db: Db, { accountId, appIds }: AppReach, uuid: string): Promise<App | undefined> {
  const { rows } = await db.query<App>(`SELECT ${COLUMNS} FROM apps WHERE ${IN_REACH} AND uuid = $3`, [
    accountId,
    appIds,
    uuid,
  ]);
  return rows[0];
}

/** The app of this UUID. Problem `not_found` if it is out of reach. */
export async function ownApp(db: Db, reach: AppReach, uuid: string): Promise<App> {
  const app = await findApp(db, reach, uuid);
  if (!app) throw new Problem("not_found", "There is no such app");
  return app;
}

/**
 * The apps within reach whose name or bundle contains the text (all without a text), in the order of their creation.
 */
export async function listApps(db: Db, { accountId, appIds }: AppReach, search = ""): Promise<App[]> {
  const { rows } = await db.query<App>(
    `SELECT ${COLUMNS} FROM apps
     WHERE ${IN_REACH} AND ($3 = '' OR strpos(lower(name), lower($3)) > 0 OR strpos(lower(bundle_id), lower($3)) > 0)
     ORDER BY id`,
    [accountId, appIds, search],
  );
  return rows;
}

/** The apps within reach that figures count: deleted ones keep theirs, but a deleted sample takes them along. */
export async function countedApps(db: Db, { accountId, appIds }: AppReach): Promise<App[]> {
  const { rows } = await db.query<App>(
    `SELECT ${COLUMNS} FROM apps WHERE ${EVER_IN_REACH} AND (deleted_at IS NULL OR NOT ${IS_SAMPLE}) ORDER BY id`,
    [accountId, appIds],
  );
  return rows;
}

/** The counted apps that a filter by `app_id` names; all of them without one. */
export async function appsOfFilter(db: Db, reach: AppReach, appIds: StatsFilter["app_id"]): Promise<App[]> {
  const own = await countedApps(db, reach);
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

/** Takes all apps of a deleted account out of service, and erases people's devices and the addresses of its servers from them. */
export async function deleteAppsOf(client: PoolClient, accountId: number): Promise<void> {
  await client.query(
    `UPDATE apps SET deleted_at = coalesce(deleted_at, now()), test_devices = '{}', reward_callback_url = NULL
     WHERE account_id = $1`,
    [accountId],
  );
  // Both hold addresses too, and a callback names a user of the app.
  for (const table of ["revenue_webhooks", "reward_callbacks"])
    await client.query(`DELETE FROM ${table} USING apps WHERE apps.id = app_id AND account_id = $1`, [accountId]);
}
