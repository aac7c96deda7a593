import type { DspFormat, WorldRegion } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { SealError, type Sealer } from "../../platform/sealed/sealer.ts";

/** A demand partner as configured by the operator. */
export interface PartnerRow {
  id: string;
  /** The bidder's kind: an id in `@millrace/partners`. */
  kind: string;
  name: string;
  endpoint: string;
  media_types: string[];
  /** Of apps; null or absent for all that its adapter buys. */
  platforms?: string[] | null;
  /** Of devices' countries; null or absent for all. */
  regions?: string[] | null;
  /** Its addresses by region, in place of `endpoint`. */
  region_endpoints?: Partial<Record<WorldRegion, string>>;
  gvl_id: number | null;
  openrtb_version: string;
  gzip: boolean;
  active: boolean;
  demo: boolean;
  /** The app-ads.txt lines that it requires of publishers, with `{key}` in place of the publisher's keys. */
  app_ads_lines?: string[];
  /** The platform's own ids there, by the adapter's names for them. */
  platform_ids?: Record<string, string>;
  /** Headers of every request. */
  headers?: Record<string, string>;
  /** Secret headers, sealed. */
  credentials?: Buffer | null;
  /** ISO 4217 codes: the currency it is asked to bid in, and that of responses that name none. */
  currency?: string | null;
  bid_currency?: string | null;
  schain_node?: { asi: string; sid: string; name?: string; domain?: string } | null;
  /** The most requests per second. */
  qps_limit?: number | null;
}

/** A publisher's keys at a partner for one app and format. */
export interface PartnerKeysRow {
  app_id: number;
  partner_id: string;
  format: DspFormat;
  keys: Record<string, unknown>;
  enabled: boolean;
}

type Db = Pool | PoolClient;

/** All partners, ordered by id. */
export async function listPartners(db: Db): Promise<PartnerRow[]> {
  const { rows } = await db.query<PartnerRow>(
    `SELECT id, kind, name, endpoint, media_types, platforms, regions, region_endpoints, gvl_id, openrtb_version, gzip, active, demo,
            app_ads_lines, platform_ids, headers, credentials, currency, bid_currency, schain_node, qps_limit
     FROM partners ORDER BY id`,
  );
  return rows;
}

/** Sets a partner up, or changes these settings; a change reaches the exchange within seconds. */
export async function upsertPartner(db: Db, partner: PartnerRow): Promise<void> {
  await db.query(
    `INSERT INTO partners (id, kind, name, endpoint, media_types, gvl_id, openrtb_version, gzip, active, demo, app_ads_lines,
       regions, region_endpoints)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (id) DO UPDATE SET kind = $2, name = $3, endpoint = $4, media_types = $5, gvl_id = $6,
       openrtb_version = $7, gzip = $8, active = $9, demo = $10, app_ads_lines = $11, regions = $12, region_endpoints = $13`,
    [
      partner.id,
      partner.kind,
      partner.name,
      partner.endpoint,
      partner.media_types,
      partner.gvl_id,
      partner.openrtb_version,
      partner.gzip,
      partner.active,
      partner.demo,
      partner.app_ads_lines ?? [],
      partner.regions ?? null,
      partner.region_endpoints ?? {},
    ],
  );
}

/** The sealing purpose of partners' keys. */
export const PARTNER_KEYS = "partner keys";

/** A row of keys as it is stored. */
export interface SealedKeysRow extends Omit<PartnerKeysRow, "keys"> {
  /** From a row written before keys were sealed, or by the demo. */
  keys: Record<string, unknown> | null;
  sealed: Buffer | null;
}

/** The keys of all apps of the account, or of one; keys that do not unseal have to be entered again. */
export async function listKeysOf(
  db: Db,
  sealer: Sealer,
  accountId: number,
  appId: number | null = null,
): Promise<PartnerKeysRow[]> {
  const { rows } = await db.query<SealedKeysRow>(
    `SELECT ${KEYS_COLUMNS} FROM partner_keys k JOIN apps a ON a.id = k.app_id AND a.deleted_at IS NULL
     WHERE a.account_id = $1 AND ($2::integer IS NULL OR k.app_id = $2) ${KEYS_ORDER}`,
    [accountId, appId],
  );
  return rows.flatMap(({ sealed, keys: plain, ...row }) => {
    const keys = openKeys({ sealed, keys: plain }, sealer);
    return keys === null ? [] : [{ ...row, keys }];
  });
}

/** The sealed keys of these apps, of any account. */
export async function listSealedKeys(db: Db, appIds: readonly number[]): Promise<SealedKeysRow[]> {
  const { rows } = await db.query<SealedKeysRow>(
    `SELECT ${KEYS_COLUMNS} FROM partner_keys k WHERE k.app_id = ANY($1) ${KEYS_ORDER}`,
    [appIds],
  );
  return rows;
}

const KEYS_COLUMNS = "k.app_id, k.partner_id, k.format, k.keys, k.sealed, k.enabled";
const KEYS_ORDER = "ORDER BY k.app_id, k.partner_id, k.format";

/** The unsealed text, or null if its secret is gone. */
export function openKeys(
  { sealed, keys }: Pick<SealedKeysRow, "sealed" | "keys">,
  sealer: Sealer,
): PartnerKeysRow["keys"] | null {
  if (sealed === null) return keys ?? {};
  try {
    return JSON.parse(sealer.open(sealed, PARTNER_KEYS)) as PartnerKeysRow["keys"];
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** Locks an app's keys at a partner, also while there are none, and returns them; null if there are none that unseal. */
export async function lockPartnerKeys(
  client: PoolClient,
  sealer: Sealer,
  { appId, partnerId, format }: KeysPlace,
): Promise<PartnerKeysRow["keys"] | null> {
  await client.query("SELECT FROM apps WHERE id = $1 FOR NO KEY UPDATE", [appId]);
  const { rows } = await client.query<Pick<SealedKeysRow, "keys" | "sealed">>(
    "SELECT keys, sealed FROM partner_keys WHERE app_id = $1 AND partner_id = $2 AND format = $3",
    [appId, partnerId, format],
  );
  return rows[0] ? openKeys(rows[0], sealer) : null;
}

/** Identifies keys. */
interface KeysPlace {
  appId: number;
  partnerId: string;
  format: DspFormat;
}

/**
 * Sets keys of an account's app, sealed; returns false if the account has no such app. Without `enabled`, existing keys keep their
 * switch, and new ones take that of the partner's other format, or are on.
 */
export async function setPartnerKeys(
  db: Db,
  sealer: Sealer,
  accountId: number,
  { app_id, partner_id, format, keys, enabled }: Omit<PartnerKeysRow, "enabled"> & { enabled?: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO partner_keys (app_id, partner_id, format, sealed, enabled)
     SELECT a.id, $3, $4, $5, coalesce($6, (
       SELECT bool_or(k.enabled) FROM partner_keys k WHERE k.app_id = a.id AND k.partner_id = $3
     ), true) FROM apps a WHERE a.id = $1 AND a.account_id = $2 AND a.deleted_at IS NULL
     ON CONFLICT (app_id, partner_id, format) DO UPDATE
       SET keys = NULL, sealed = excluded.sealed, enabled = coalesce($6, partner_keys.enabled)`,
    [app_id, accountId, partner_id, format, sealer.seal(JSON.stringify(keys), PARTNER_KEYS), enabled],
  );
  return (rowCount ?? 0) > 0;
}

/** Removes keys of an account's app; returns false if there are none. */
export async function deletePartnerKeys(
  db: Db,
  accountId: number,
  { appId, partnerId, format }: KeysPlace,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `DELETE FROM partner_keys k USING apps a
     WHERE a.id = k.app_id AND a.account_id = $1 AND k.app_id = $2 AND k.partner_id = $3 AND k.format = $4`,
    [accountId, appId, partnerId, format],
  );
  return (rowCount ?? 0) > 0;
}

/** Switches a partner on or off for an app, for both formats, in a transaction; returns false if the app has no keys there. */
export async function switchPartnerKeys(
  client: PoolClient,
  accountId: number,
  { appId, partnerId, enabled }: { appId: number; partnerId: string; enabled: boolean },
): Promise<boolean> {
  // Keys of another format that are added at the same time would have the old switch.
  await client.query("SELECT FROM apps WHERE id = $1 FOR NO KEY UPDATE", [appId]);
  const { rowCount } = await client.query(
    `UPDATE partner_keys k SET enabled = $4 FROM apps a
     WHERE a.id = k.app_id AND a.account_id = $1 AND k.app_id = $2 AND k.partner_id = $3`,
    [accountId, appId, partnerId, enabled],
  );
  return (rowCount ?? 0) > 0;
}

/** Seals keys that older versions stored in the clear. Two processes may do so at once: the keys stay the same. */
export async function sealPlainKeys(db: Db, sealer: Sealer): Promise<void> {
  const { rows } = await db.query<Omit<SealedKeysRow, "sealed">>(
    "SELECT app_id, partner_id, format, keys FROM partner_keys WHERE sealed IS NULL AND keys IS NOT NULL",
  );
  for (const { app_id, partner_id, format, keys } of rows) {
    await db.query(
      `UPDATE partner_keys SET sealed = $4, keys = NULL
       WHERE app_id = $1 AND partner_id = $2 AND format = $3 AND sealed IS NULL`,
      [app_id, partner_id, format, sealer.seal(JSON.stringify(keys), PARTNER_KEYS)],
    );
  }
}
