import type { LinePrice, LineSource } from "@millrace/contract";
import type { Pool } from "pg";
import { grouped } from "../../../platform/grouped.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { KeyReader, PartnerKeysRow } from "../../demand-partners/index.ts";

export interface AppConfigRow {
  id: number;
  uuid: string;
  account_id: number;
  seller_id: string;
  name: string;
  bundle_id: string;
  store_id: string | null;
  platform: string;
  url: string | null;
  moderation: string;
  kids: boolean;
  blocked_categories: string[];
  blocked_domains: string[];
  is_gaming: boolean;
  adult: boolean;
  only_image: boolean;
  muted: boolean;
  test_devices: string[];
  skips_partners: boolean;
  automatic_floors: boolean;
  reward_name: string;
  reward_amount: number;
  reward_callback_url: string | null;
  exploration: number;
  demo: boolean;
}

export interface ZoneRow {
  app_id: number;
  zone: string;
  name: string;
  format: string;
  refresh_seconds: number;
  reward_name: string | null;
  reward_amount: number | null;
}

export interface FloorRow {
  app_id: number;
  country: string | null;
  format: string | null;
  /** bigint, as text. */
  floor_micros: string;
}

export interface LineItemRow {
  app_id: number;
  id: number;
  uuid: string;
  name: string;
  format: string;
  zones: string[];
  enabled: boolean;
  source: LineSource;
  prices: LinePrice[];
  gvl_id: number | null;
}

interface ShareRow {
  app_id: number;
  from_day: string;
  share_ppm: number;
}

/** An app with all rows that its auctions depend on. */
export interface AppRows {
  app: AppConfigRow;
  zones: ZoneRow[];
  /** The shares of its account, in the order in which they were set. */
  shares: ShareRow[];
  floors: FloorRow[];
  lineItems: LineItemRow[];
  keys: PartnerKeysRow[];
}

/** Keeps campaigns in memory. */
export interface CampaignReader {
  renewAll(): Promise<void>;
  renew(ids: readonly number[]): Promise<void>;
}

/** The rows' sources: the store, and the demand partners area, which unseals keys. */
export interface ConfigSource {
  pool: Pool;
  partnerKeys: KeyReader;
  /** How many days an exchange rate may be used. */
  rateDays?: number;
  /** Reads campaigns into their own indexes. */
  campaigns?: readonly (CampaignReader | undefined)[];
}

// Sample apps in real publishers' accounts never serve.
const SERVING_APPS = "deleted_at IS NULL AND (NOT demo OR account_id IN (SELECT id FROM accounts WHERE demo))";

/**
 * The apps among these ids that can serve, read in one transaction. For an app without moderation its floors, blocks,
 * line items and keys are not read, so that its owner cannot inflate its size.
 */
export function readApps(source: ConfigSource, ids: readonly number[]): Promise<AppRows[]> {
  return inTransaction(source.pool, async (client) => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    const { rows: apps } = await client.query<AppConfigRow>(
      `SELECT id, uuid, account_id, name, bundle_id, store_id, platform, url, moderation, kids, is_gaming, adult, only_image, muted,
              test_devices, skips_partners, automatic_floors, exploration, reward_name, reward_amount, reward_callback_url, demo,
              (SELECT accounts.uuid FROM accounts WHERE accounts.id = apps.account_id) AS seller_id,
              CASE WHEN moderation = 'live' THEN blocked_categories ELSE '{}' END AS blocked_categories,
              CASE WHEN moderation = 'live' THEN blocked_domains ELSE '{}' END AS blocked_domains
       FROM apps WHERE id = ANY($1) AND ${SERVING_APPS} ORDER BY id`,
      [ids],
    );
    const { rows: zones } = await client.query<ZoneRow>(
      `SELECT app_id, zone, name, format, refresh_seconds, reward_name, reward_amount FROM zones WHERE app_id = ANY($1)
       ORDER BY app_id, zone`,
      [apps.map(({ id }) => id)],
    );
    const live = apps.flatMap(({ id, moderation }) => (moderation === "live" ? [id] : []));
    const { rows: floors } = await client.query<FloorRow>(
      `SELECT app_id, country, format, floor_micros FROM floors WHERE app_id = ANY($1)
       ORDER BY app_id, country NULLS FIRST, format NULLS FIRST`,
      [live],
    );
    const { rows: shares } = await client.query<ShareRow>(
      `SELECT a.id AS app_id, s.from_day::text AS from_day, s.share_ppm
       FROM apps a JOIN revenue_shares s ON s.account_id = a.account_id WHERE a.id = ANY($1) ORDER BY s.id`,
      [live],
    );
    const { rows: lineItems } = await client.query<LineItemRow>(
      `SELECT app_id, id, uuid, name, format, zones, enabled, source, prices, gvl_id FROM line_items
       WHERE app_id = ANY($1) ORDER BY app_id, id`,
      [live],
    );
    const keys = await source.partnerKeys(client, live);
    const [zonesOf, floorsOf, keysOf] = [grouped(zones, byApp), grouped(floors, byApp), grouped(keys, byApp)];
    const [sharesOf, lineItemsOf] = [grouped(shares, byApp), grouped(lineItems, byApp)];
    return apps.map((app) => ({
      app,
      zones: zonesOf.get(app.id) ?? [],
      shares: sharesOf.get(app.id) ?? [],
      floors: floorsOf.get(app.id) ?? [],
      lineItems: lineItemsOf.get(app.id) ?? [],
      keys: keysOf.get(app.id) ?? [],
    }));
  });
}

const byApp = (row: { app_id: number }) => row.app_id;

/** The ids of the apps after an id, in order; empty at the end. */
export async function appIdsAfter(pool: Pool, after: number, limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    "SELECT id FROM apps WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2",
    [after, limit],
  );
  return rows.map(({ id }) => id);
}
