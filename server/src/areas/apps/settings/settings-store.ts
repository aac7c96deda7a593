import type { FloorRule } from "@millrace/auction";
import {
  type AppSettings,
  FORMATS,
  type Floor,
  type Format,
  type RewardSettings,
  type SettingPart,
  type Zone,
} from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

type Flags = AppSettings["flags"];
type Learning = AppSettings["learning"];
type StoredZone = Omit<Zone, "revision">;
type Db = Pool | PoolClient;

interface AppRow {
  kids: boolean;
  adult: boolean;
  is_gaming: boolean;
  only_image: boolean;
  muted: boolean;
  skip_partners: boolean;
  exploration: number;
  categories: string[];
  domains: string[];
  devices: string[];
  callback_url: string | null;
  reward_name: string;
  reward_amount: number;
}

/**
 * The settings that an app's auctions depend on, apart from partners. The caller has checked the account: the id comes
 * from `findApp`.
 */
export async function findSettings(
  db: Db,
  appId: number,
): Promise<Pick<AppSettings, SettingPart> & { zones: StoredZone[] }> {
  const apps = await db.query<AppRow>(
    `SELECT kids, adult, is_gaming, only_image, muted, skips_partners AS skip_partners, exploration,
            blocked_categories AS categories, blocked_domains AS domains, test_devices AS devices,
            reward_callback_url AS callback_url, reward_name, reward_amount FROM apps WHERE id = $1`,
    [appId],
  );
  const zones = await db.query<Omit<StoredZone, "first_seen_at"> & { first_seen_at: Date }>(
    `SELECT zone, name, format, refresh_seconds, first_seen_at,
       CASE WHEN reward_name IS NOT NULL THEN jsonb_build_object('name', reward_name, 'amount', reward_amount) END AS reward
     FROM zones WHERE app_id = $1 ORDER BY first_seen_at, zone`,
    [appId],
  );
  const floors = await db.query<{ country: string | null; format: Format | null; floor: string }>(
    `SELECT country, format, floor_micros AS floor FROM floors WHERE app_id = $1
     ORDER BY country NULLS FIRST, format NULLS FIRST`,
    [appId],
  );
  const [app] = apps.rows;
  if (!app) throw new Error(`the app ${appId} is gone`);
  const {
    categories,
    domains,
    devices,
    skip_partners,
    exploration,
    callback_url,
    reward_name,
    reward_amount,
    ...flags
  } = app;
  return {
    flags,
    learning: { skip_partners, exploration },
    zones: zones.rows.map((zone) => ({ ...zone, first_seen_at: zone.first_seen_at.toISOString() })),
    floors: floors.rows.map(({ floor, ...rule }) => ({ ...rule, floor: Number(floor) })),
    blocks: { categories, domains },
    test_devices: devices,
    rewards: { callback_url, name: reward_name, amount: reward_amount },
  };
}

/** A floor as auctions apply it; null for a format that this version does not know: without it, the rule would apply to all formats. */
export function floorRuleOf(row: { country: string | null; format: string | null; floor: number }): FloorRule | null {
  const format = FORMATS.find((known) => known === row.format);
  if (row.format !== null && format === undefined) return null;
  return { ...(row.country !== null && { country: row.country }), ...(format && { format }), floorMicros: row.floor };
}

/** Replaces the floors, in a transaction that has locked the account: see `lockAccount`. */
export async function replaceFloors(client: PoolClient, appId: number, floors: readonly Floor[]): Promise<void> {
  await client.query("DELETE FROM floors WHERE app_id = $1", [appId]);
  await client.query(
    `INSERT INTO floors (app_id, country, format, floor_micros)
     SELECT $1, country, format, floor FROM jsonb_to_recordset($2) AS f(country text, format text, floor bigint)`,
    [appId, JSON.stringify(floors)],
  );
}

export async function setBlocks(
  db: Db,
  appId: number,
  { categories, domains }: { categories: readonly string[]; domains: readonly string[] },
): Promise<void> {
  await db.query("UPDATE apps SET blocked_categories = $2, blocked_domains = $3 WHERE id = $1", [
    appId,
    categories,
    domains,
  ]);
}

export async function setTestDevices(db: Db, appId: number, devices: readonly string[]): Promise<void> {
  await db.query("UPDATE apps SET test_devices = $2 WHERE id = $1", [appId, devices]);
}

export async function setFlags(db: Db, appId: number, flags: Flags): Promise<void> {
  await db.query("UPDATE apps SET kids = $2, adult = $3, is_gaming = $4, only_image = $5, muted = $6 WHERE id = $1", [
    appId,
    flags.kids,
    flags.adult,
    flags.is_gaming,
    flags.only_image,
    flags.muted,
  ]);
}

export async function setLearning(db: Db, appId: number, learning: Learning): Promise<void> {
  const { skip_partners, exploration } = learning;
  await db.query("UPDATE apps SET skips_partners = $2, exploration = $3 WHERE id = $1", [
    appId,
    skip_partners,
    exploration,
  ]);
}

export async function setRewards(db: Db, appId: number, rewards: RewardSettings): Promise<void> {
  await db.query("UPDATE apps SET reward_callback_url = $2, reward_name = $3, reward_amount = $4 WHERE id = $1", [
    appId,
    rewards.callback_url,
    rewards.name,
    rewards.amount,
  ]);
}

export async function setMuted(db: Db, appId: number, muted: boolean): Promise<void> {
  await db.query("UPDATE apps SET muted = $2 WHERE id = $1", [appId, muted]);
}

/** Deletes a zone of the account's app. Returns false if there is none. */
export async function deleteZone(
  db: Db,
  accountId: number,
  { appId, zone }: { appId: number; zone: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    "DELETE FROM zones USING apps WHERE apps.id = app_id AND account_id = $1 AND app_id = $2 AND zone = $3",
    [accountId, appId, zone],
  );
  return rowCount === 1;
}

export async function updateZone(
  db: Db,
  appId: number,
  {
    zone,
    name,
    refreshSeconds,
    reward,
  }: { zone: string; name: string; refreshSeconds: number; reward: Zone["reward"] },
): Promise<void> {
  await db.query(
    "UPDATE zones SET name = $3, refresh_seconds = $4, reward_name = $5, reward_amount = $6 WHERE app_id = $1 AND zone = $2",
    [appId, zone, name, refreshSeconds, reward?.name ?? null, reward?.amount ?? null],
  );
}
