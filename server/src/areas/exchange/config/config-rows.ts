import type { Pool } from "pg";
import { listAllKeys, listPartners, type PartnerKeysRow, type PartnerRow } from "../../demand-partners/index.ts";

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

const LOADERS: { [T in ConfigTable]: (pool: Pool) => Promise<ConfigRows[T]> } = {
  apps: async (pool) => {
    const { rows } = await pool.query<AppConfigRow>(
      `SELECT id, uuid, account_id, name, bundle_id, platform, url, moderation, kids, blocked_categories, blocked_domains, demo
       FROM apps WHERE deleted_at IS NULL ORDER BY id`,
    );
    return rows;
  },
  zones: async (pool) => {
    const { rows } = await pool.query<ZoneRow>(
      `SELECT app_id, zone, name, format, refresh_seconds FROM zones ${OF_LIVING_APPS} ORDER BY app_id, zone`,
    );
    return rows;
  },
  floors: async (pool) => {
    const { rows } = await pool.query<FloorRow>(
      `SELECT app_id, country, format, floor_micros FROM floors ${OF_LIVING_APPS}
       ORDER BY app_id, country NULLS FIRST, format NULLS FIRST`,
    );
    return rows;
  },
  partners: listPartners,
  partner_keys: listAllKeys,
};

export const CONFIG_TABLES = Object.keys(LOADERS) as ConfigTable[];
export const isConfigTable = (name: string | undefined): name is ConfigTable =>
  CONFIG_TABLES.includes(name as ConfigTable);

/** Reads these tables anew; the others are taken over. */
export async function loadRows(
  pool: Pool,
  tables: Iterable<ConfigTable>,
  before: ConfigRows | null,
): Promise<ConfigRows> {
  const wanted = before === null ? CONFIG_TABLES : [...tables];
  const loaded = await Promise.all(wanted.map(async (table) => [table, await LOADERS[table](pool)] as const));
  return { ...before, ...Object.fromEntries(loaded) } as ConfigRows;
}
