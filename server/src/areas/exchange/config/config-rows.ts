import type { Pool } from "pg";
import { listPartners, type PartnerKeysRow, type PartnerRow } from "../../demand-partners/index.ts";

export interface AppConfigRow {
  id: number;
  uuid: string;
  account_id: number;
  name: string;
  bundle_id: string;
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
  demo: boolean;
}

export interface ZoneRow {
  app_id: number;
  zone: string;
  name: string;
  format: string;
  refresh_seconds: number;
}

export interface FloorRow {
  app_id: number;
  country: string | null;
  format: string | null;
  /** bigint, as text. */
  floor_micros: string;
}

/** The tables that the snapshot is made of, as rows. The names are those of the notifications. */
export interface ConfigRows {
  apps: AppConfigRow[];
  zones: ZoneRow[];
  floors: FloorRow[];
  partners: PartnerRow[];
  partner_keys: PartnerKeysRow[];
}
export type ConfigTable = keyof ConfigRows;

const OF_LIVING_APPS = "WHERE app_id IN (SELECT id FROM apps WHERE deleted_at IS NULL)";

/** Where the rows come from: the store, and the area that can open sealed keys. */
export interface ConfigSource {
  pool: Pool;
  partnerKeys(): Promise<PartnerKeysRow[]>;
}

// Sample apps in accounts of real publishers are there to be looked at, and serve nothing.
const SERVING_APPS = "deleted_at IS NULL AND (NOT demo OR account_id IN (SELECT id FROM accounts WHERE demo))";

const LOADERS: { [T in ConfigTable]: (source: ConfigSource) => Promise<ConfigRows[T]> } = {
  apps: async ({ pool }) => {
    const { rows } = await pool.query<AppConfigRow>(
      `SELECT id, uuid, account_id, name, bundle_id, platform, url, moderation, kids, blocked_categories, blocked_domains,
              is_gaming, adult, only_image, muted, test_devices, demo
       FROM apps WHERE ${SERVING_APPS} ORDER BY id`,
    );
    return rows;
  },
  zones: async ({ pool }) => {
    const { rows } = await pool.query<ZoneRow>(
      `SELECT app_id, zone, name, format, refresh_seconds FROM zones ${OF_LIVING_APPS} ORDER BY app_id, zone`,
    );
    return rows;
  },
  floors: async ({ pool }) => {
    const { rows } = await pool.query<FloorRow>(
      `SELECT app_id, country, format, floor_micros FROM floors ${OF_LIVING_APPS}
       ORDER BY app_id, country NULLS FIRST, format NULLS FIRST`,
    );
    return rows;
  },
  partners: ({ pool }) => listPartners(pool),
  partner_keys: (source) => source.partnerKeys(),
};

export const CONFIG_TABLES = Object.keys(LOADERS) as ConfigTable[];
export const isConfigTable = (name: string | undefined): name is ConfigTable =>
  CONFIG_TABLES.includes(name as ConfigTable);

/** Reads these tables anew; the others are taken over. */
export async function loadRows(
  source: ConfigSource,
  tables: Iterable<ConfigTable>,
  before: ConfigRows | null,
): Promise<ConfigRows> {
  const wanted = before === null ? CONFIG_TABLES : [...tables];
  const loaded = await Promise.all(wanted.map(async (table) => [table, await LOADERS[table](source)] as const));
  return { ...before, ...Object.fromEntries(loaded) } as ConfigRows;
}
