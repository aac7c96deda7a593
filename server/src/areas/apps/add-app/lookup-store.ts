import type { LookupItem } from "@millrace/contract";
import type { Pool } from "pg";

export type LookupState = "waiting" | "working" | "done" | "unreachable";

/** The stored part of a look-up, beyond what the page shows. */
export interface FoundItem extends LookupItem {
  store_id: string;
  bundle_id: string;
}

export interface Lookup {
  state: LookupState;
  items: FoundItem[];
  createdAt: Date;
}

export async function insertLookup(
  pool: Pool,
  accountId: number,
  { qid, url, createdAt }: { qid: string; url: string; createdAt: Date },
): Promise<void> {
  await pool.query("INSERT INTO app_lookups (qid, account_id, url, created_at) VALUES ($1, $2, $3, $4)", [
    qid,
    accountId,
    url,
    createdAt,
  ]);
}

/** Finds one of the account's own look-ups. */
export async function findLookup(pool: Pool, accountId: number, qid: string): Promise<Lookup | undefined> {
  const { rows } = await pool.query<Lookup>(
    `SELECT state, items, created_at AS "createdAt" FROM app_lookups WHERE account_id = $1 AND qid = $2`,
    [accountId, qid],
  );
  return rows[0];
}

/** The picture of an app among the account's look-ups. */
export async function findLogo(
  pool: Pool,
  accountId: number,
  { storeId, platform }: { storeId: string; platform: string },
): Promise<string | null> {
  const { rows } = await pool.query<{ logo: string | null }>(
    `SELECT item->>'logo_url' AS logo FROM app_lookups, jsonb_array_elements(items) AS item
     WHERE account_id = $1 AND item->>'store_id' = $2 AND item->>'platform' = $3 ORDER BY created_at DESC LIMIT 1`,
    [accountId, storeId, platform],
  );
  return rows[0]?.logo ?? null;
}

export async function setLookup(
  pool: Pool,
  accountId: number,
  { qid, state, items = [] }: { qid: string; state: LookupState; items?: readonly FoundItem[] },
): Promise<void> {
  await pool.query("UPDATE app_lookups SET state = $3, items = $4 WHERE account_id = $1 AND qid = $2", [
    accountId,
    qid,
    state,
    JSON.stringify(items),
  ]);
}

/** Deletes all look-ups older than a moment. */
export async function deleteLookupsBefore(pool: Pool, moment: Date): Promise<void> {
  await pool.query("DELETE FROM app_lookups WHERE created_at < $1", [moment]);
}
