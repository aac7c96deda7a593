import type { Pool, PoolClient } from "pg";

/** A buyer as the operator set it up. */
export interface PartnerRow {
  id: string;
  /** Which kind of bidder it is: an id of `@millrace/partners`. */
  kind: string;
  name: string;
  endpoint: string;
  media_types: string[];
  gvl_id: number | null;
  openrtb_version: string;
  gzip: boolean;
  active: boolean;
  demo: boolean;
}

type KeyFormat = "video" | "banner";

/** A publisher's keys at a partner for one app and format. */
export interface PartnerKeysRow {
  app_id: number;
  partner_id: string;
  format: KeyFormat;
  keys: Record<string, unknown>;
  enabled: boolean;
}

type Db = Pool | PoolClient;

/** Every partner, in the order of their ids. */
export async function listPartners(db: Db): Promise<PartnerRow[]> {
  const { rows } = await db.query<PartnerRow>(
    `SELECT id, kind, name, endpoint, media_types, gvl_id, openrtb_version, gzip, active, demo FROM partners ORDER BY id`,
  );
  return rows;
}

/** Sets a partner up, or changes it; a change reaches the exchange within seconds. */
export async function upsertPartner(db: Db, partner: PartnerRow): Promise<void> {
  await db.query(
    `INSERT INTO partners (id, kind, name, endpoint, media_types, gvl_id, openrtb_version, gzip, active, demo)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (id) DO UPDATE SET kind = $2, name = $3, endpoint = $4, media_types = $5, gvl_id = $6,
       openrtb_version = $7, gzip = $8, active = $9, demo = $10`,
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
    ],
  );
}

/** All keys of apps that exist, for the exchange's snapshot. */
export async function listAllKeys(db: Db): Promise<PartnerKeysRow[]> {
  const { rows } = await db.query<PartnerKeysRow>(
    `SELECT k.app_id, k.partner_id, k.format, k.keys, k.enabled
     FROM partner_keys k JOIN apps a ON a.id = k.app_id AND a.deleted_at IS NULL
     ORDER BY k.app_id, k.partner_id, k.format`,
  );
  return rows;
}

/** Sets keys of an account's app; false where the account has no such app. */
export async function setPartnerKeys(
  db: Db,
  accountId: number,
  { app_id, partner_id, format, keys, enabled }: PartnerKeysRow,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO partner_keys (app_id, partner_id, format, keys, enabled)
     SELECT a.id, $3, $4, $5, $6 FROM apps a WHERE a.id = $1 AND a.account_id = $2 AND a.deleted_at IS NULL
     ON CONFLICT (app_id, partner_id, format) DO UPDATE SET keys = excluded.keys, enabled = excluded.enabled`,
    [app_id, accountId, partner_id, format, JSON.stringify(keys), enabled],
  );
  return (rowCount ?? 0) > 0;
}
