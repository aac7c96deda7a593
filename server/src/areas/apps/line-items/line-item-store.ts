import type { LineItemFields, LinePrice } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

type Db = Pool | PoolClient;

/** A line item as it is stored. The caller has checked the app's account: see `ownApp`. */
export interface StoredLineItem extends LineItemFields {
  id: number;
  uuid: string;
}

/** An app's line items in the order in which they were added. */
export async function listLineItems(db: Db, appId: number): Promise<StoredLineItem[]> {
  const { rows } = await db.query<StoredLineItem>(
    `SELECT id, uuid, name, format, zones, enabled, source, prices, gvl_id FROM line_items
     WHERE app_id = $1 ORDER BY created_at, id`,
    [appId],
  );
  return rows;
}

/** Adds a line item and returns its UUID. */
export async function insertLineItem(
  db: Db,
  appId: number,
  { uuid, ...item }: LineItemFields & { uuid?: string | undefined },
  at: Date,
): Promise<string> {
  const { rows } = await db.query<{ uuid: string }>(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, gvl_id, created_at, uuid)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, gen_random_uuid())) RETURNING uuid`,
    [appId, ...valuesOf(item), at, uuid],
  );
  return rows[0]?.uuid ?? "";
}

export async function updateLineItem(db: Db, id: number, item: LineItemFields, at: Date): Promise<void> {
  await db.query(
    `UPDATE line_items SET name = $2, format = $3, zones = $4, enabled = $5, source = $6, prices = $7, gvl_id = $8,
       source_since = CASE WHEN source = $6 THEN source_since ELSE $9 END
     WHERE id = $1`,
    [id, ...valuesOf(item), at],
  );
}

/** The line items of an app that had another source before, and since when they have theirs, in epoch seconds. */
export async function changedSources(db: Db, appId: number): Promise<{ id: number; since: number }[]> {
  const { rows } = await db.query<{ id: number; since: number }>(
    `SELECT id, ceil(extract(epoch FROM source_since))::int AS since FROM line_items
     WHERE app_id = $1 AND source_since IS NOT NULL`,
    [appId],
  );
  return rows;
}

/** The apps with line items that an adapter of the SDK shows. */
export async function appsWithAdapters(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    "SELECT DISTINCT app_id AS id FROM line_items WHERE source ->> 'kind' = 'sdk' ORDER BY id",
  );
  return rows.map(({ id }) => id);
}

export async function setPrices(db: Db, id: number, prices: readonly LinePrice[]): Promise<void> {
  await db.query("UPDATE line_items SET prices = $2 WHERE id = $1", [id, JSON.stringify(prices)]);
}

export async function removeLineItem(db: Db, id: number): Promise<void> {
  await db.query("DELETE FROM line_items WHERE id = $1", [id]);
}

const valuesOf = ({ name, format, zones, enabled, source, prices, gvl_id }: LineItemFields): unknown[] => [
  name,
  format,
  zones,
  enabled,
  JSON.stringify(source),
  JSON.stringify(prices),
  gvl_id,
];
