import type { InhouseApp, InhouseFields } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { keepUploads, keepUploadsOf, type Upload } from "../upload-store.ts";

type Db = Pool | PoolClient;

/** An app of the account, with its id in numbers. */
export interface OwnApp extends InhouseApp {
  id: number;
  moderation: "check" | "live" | "banned";
}

type Files = Record<"landscape" | "portrait" | "video", Upload | null>;

/** The fields that a campaign keeps as they are entered. Apps and files are kept by their ids. */
export type PlainFields = Omit<InhouseFields, "ad_app_id" | "app_id" | "image_l" | "image_p" | "video">;

export interface Inhouse {
  id: number;
  uuid: string;
  adAppId: number;
  appIds: number[];
  fields: PlainFields;
  files: Files;
  frozen: boolean;
}

interface Row extends Files {
  id: number;
  uuid: string;
  title: string;
  description: string;
  ad_app_id: number;
  app_ids: number[];
  price_micros: string;
  geo_type: PlainFields["geo_type"];
  countries: string[];
  ios: PlainFields["ios"];
  android: PlainFields["android"];
  format: PlainFields["format"];
  target_url: string;
  store_id: string;
  store_country: string;
  video_orientation: PlainFields["video_orientation"];
  skip_timer: PlainFields["skip_timer"];
  interstitial_waterfall: boolean;
  frozen: boolean;
}

const inhouseOf = (row: Row): Inhouse => ({
  id: row.id,
  uuid: row.uuid,
  adAppId: row.ad_app_id,
  appIds: row.app_ids,
  fields: {
    title: row.title,
    desc: row.description,
    price: Number(row.price_micros),
    geo_type: row.geo_type,
    country: row.countries,
    ios: row.ios,
    android: row.android,
    format: row.format,
    target_url: row.target_url,
    store_id: row.store_id,
    store_country: row.store_country,
    video_orientation: row.video_orientation,
    skip_timer: row.skip_timer,
    interstitial_waterfall: row.interstitial_waterfall,
  },
  files: { landscape: row.landscape, portrait: row.portrait, video: row.video },
  frozen: row.frozen,
});

export const fileIdsOf = ({ landscape, portrait, video }: Files): InhouseDraft["fileIds"] => ({
  landscape: landscape?.id ?? null,
  portrait: portrait?.id ?? null,
  video: video?.id ?? null,
});

const FILE = (table: string) =>
  `CASE WHEN ${table}.id IS NOT NULL THEN json_build_object('id', ${table}.id::text, 'file', ${table}.file,
     'bytes', ${table}.bytes, 'width', ${table}.width, 'height', ${table}.height, 'video', ${table}.video) END`;
const SELECT = `SELECT c.*, ${FILE("l")} AS landscape, ${FILE("p")} AS portrait, ${FILE("v")} AS video
  FROM inhouse_campaigns c LEFT JOIN uploads l ON l.id = c.landscape_id LEFT JOIN uploads p ON p.id = c.portrait_id
    LEFT JOIN uploads v ON v.id = c.video_id`;

/** The account's in-house campaigns whose title contains the text (all without a text), newest first. */
export async function listInhouse(db: Db, accountId: number, search: string): Promise<Inhouse[]> {
  const { rows } = await db.query<Row>(
    `${SELECT} WHERE c.account_id = $1 AND c.deleted_at IS NULL
       AND ($2 = '' OR strpos(lower(c.title), lower($2)) > 0 OR c.uuid::text = lower($2)) ORDER BY c.id DESC`,
    [accountId, search],
  );
  return rows.map(inhouseOf);
}

/** One of the account's in-house campaigns. Problem `not_found`. */
export async function ownInhouse(db: Db, accountId: number, uuid: string): Promise<Inhouse> {
  return foundInhouse(
    await db.query<Row>(`${SELECT} WHERE c.account_id = $1 AND c.uuid = $2 AND c.deleted_at IS NULL`, [
      accountId,
      uuid,
    ]),
  );
}

/** The same, locked until the transaction ends. */
export async function lockInhouse(client: PoolClient, accountId: number, uuid: string): Promise<Inhouse> {
  return foundInhouse(
    await client.query<Row>(
      `${SELECT} WHERE c.account_id = $1 AND c.uuid = $2 AND c.deleted_at IS NULL FOR UPDATE OF c`,
      [accountId, uuid],
    ),
  );
}

/** Whether there is or was an in-house campaign with this UUID. */
export async function isKnown(client: PoolClient, uuid: string): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM inhouse_campaigns WHERE uuid = $1", [uuid]);
  return (rowCount ?? 0) > 0;
}

function foundInhouse({ rows: [row] }: { rows: Row[] }): Inhouse {
  if (!row) throw new Problem("not_found", "There is no such in-house campaign");
  return inhouseOf(row);
}

/** The account's apps, by name. */
export async function appsOf(db: Db, accountId: number): Promise<OwnApp[]> {
  const { rows } = await db.query<OwnApp>(
    `SELECT id, uuid, name, platform, bundle_id, url, logo_url, moderation FROM apps
     WHERE account_id = $1 AND deleted_at IS NULL ORDER BY lower(name), id`,
    [accountId],
  );
  return rows;
}

export async function countInhouse(client: PoolClient, accountId: number): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM inhouse_campaigns WHERE account_id = $1 AND deleted_at IS NULL",
    [accountId],
  );
  return rows[0]?.n ?? 0;
}

/** What a save writes: the fields, and the apps and files by their ids. */
export interface InhouseDraft {
  fields: PlainFields;
  adAppId: number;
  appIds: readonly number[];
  fileIds: Record<keyof Files, string | null>;
}

const columnsOf = ({ fields, adAppId, appIds, fileIds }: InhouseDraft) => ({
  title: fields.title,
  description: fields.desc,
  ad_app_id: adAppId,
  app_ids: appIds,
  price_micros: fields.price,
  geo_type: fields.geo_type,
  countries: fields.country,
  ios: fields.ios,
  android: fields.android,
  format: fields.format,
  target_url: fields.target_url,
  store_id: fields.store_id,
  store_country: fields.store_country,
  landscape_id: fileIds.landscape,
  portrait_id: fileIds.portrait,
  video_id: fileIds.video,
  video_orientation: fields.video_orientation,
  skip_timer: fields.skip_timer,
  interstitial_waterfall: fields.interstitial_waterfall,
});

/** Adds a campaign and returns its ids. */
export async function insertInhouse(
  client: PoolClient,
  accountId: number,
  { uuid, at, ...draft }: InhouseDraft & { uuid?: string | undefined; at: Date },
): Promise<{ id: number; uuid: string }> {
  const columns = Object.entries(columnsOf(draft));
  const { rows } = await client.query<{ id: number; uuid: string }>(
    `INSERT INTO inhouse_campaigns (uuid, account_id, created_at, ${columns.map(([name]) => name).join(", ")})
     VALUES (coalesce($1, gen_random_uuid()), $2, $3, ${columns.map((_, index) => `$${index + 4}`).join(", ")})
     RETURNING id, uuid`,
    [uuid, accountId, at, ...columns.map(([, value]) => value)],
  );
  if (!rows[0]) throw new Error("an insert gives its row back");
  return rows[0];
}

export async function updateInhouse(
  client: PoolClient,
  { id }: Pick<Inhouse, "id">,
  { at, ...draft }: InhouseDraft & { at: Date },
): Promise<void> {
  await keepUploads(client, "inhouse", [id], at);
  const columns = Object.entries(columnsOf(draft));
  await client.query(
    `UPDATE inhouse_campaigns SET ${columns.map(([name], index) => `${name} = $${index + 2}`).join(", ")} WHERE id = $1`,
    [id, ...columns.map(([, value]) => value)],
  );
}

export async function setFrozen(client: PoolClient, { id }: Pick<Inhouse, "id">, frozen: boolean): Promise<void> {
  await client.query("UPDATE inhouse_campaigns SET frozen = $2 WHERE id = $1", [id, frozen]);
}

/** Takes a campaign out of service; its id is never reused. */
export async function deleteInhouse(client: PoolClient, { id }: Pick<Inhouse, "id">, at: Date): Promise<void> {
  await keepUploads(client, "inhouse", [id], at);
  await client.query("UPDATE inhouse_campaigns SET deleted_at = $2 WHERE id = $1", [id, at]);
}

/** Takes all in-house campaigns of an account out of service. */
export async function deleteInhouseOf(client: PoolClient, accountId: number): Promise<void> {
  await keepUploadsOf(client, accountId);
  await client.query("UPDATE inhouse_campaigns SET deleted_at = now() WHERE account_id = $1 AND deleted_at IS NULL", [
    accountId,
  ]);
}
