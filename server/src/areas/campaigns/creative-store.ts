import type { CampaignStatus, CreativeFields, CreativeStatus, UploadedFile } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { pathOfFile } from "../../platform/files/serve-stored-files.ts";
import type { Moderation } from "./campaign-status.ts";
import { keepUploads, type UploadRow, uploadColumns, videoOf } from "./upload-store.ts";

type Db = Pool | PoolClient;

export interface Creative {
  id: number;
  uuid: string;
  campaignId: number;
  fields: Omit<CreativeFields, "c_id">;
  /** Its image or video. */
  image: UploadedFile;
  moderation: Moderation;
  reason: string | null;
}

interface Row extends UploadRow {
  id: number;
  uuid: string;
  campaign_id: number;
  format: CreativeFields["format"];
  store_id: string;
  country: string;
  cta: string;
  title: string;
  skip_timer: CreativeFields["skip_timer"];
  click_url: string;
  tracking_url: string;
  moderation: Moderation;
  moderation_reason: string | null;
}

/** Query fragment: creatives (`r`) with their file (`f`). */
export const CREATIVES = "creatives r JOIN uploads f ON f.id = r.upload_id";
export const CREATIVE_COLUMNS = `r.id, r.uuid, r.campaign_id, r.format, r.store_id, r.country, r.cta, r.title, r.skip_timer, r.click_url,
  r.tracking_url, r.moderation, r.moderation_reason, ${uploadColumns("f")}`;
export type CreativeRow = Row;

export function creativeOf(row: Row): Creative {
  const { format, store_id, country, cta, title, skip_timer, click_url, tracking_url } = row;
  const image = fileOf(row);
  return {
    id: row.id,
    uuid: row.uuid,
    campaignId: row.campaign_id,
    fields: { format, store_id, country, cta, title, skip_timer, click_url, tracking_url, image_url: image.url },
    image,
    moderation: row.moderation,
    reason: row.moderation === "blocked" ? row.moderation_reason : null,
  };
}

export const fileOf = (row: UploadRow): UploadedFile => ({
  url: pathOfFile(row.file),
  size: row.bytes,
  width: row.width,
  height: row.height,
  video: videoOf(row),
});

/** A creative's state: an approved one is active while its campaign buys. */
export function creativeStatus(moderation: Moderation, campaign: CampaignStatus): CreativeStatus {
  if (moderation !== "approved") return moderation;
  return campaign === "play" ? "active" : "moderated";
}

/** The creatives of campaigns, in the order in which they were added. */
export async function creativesOf(db: Db, campaignIds: readonly number[]): Promise<Creative[]> {
  const { rows } = await db.query<Row>(
    `SELECT ${CREATIVE_COLUMNS} FROM ${CREATIVES} WHERE r.campaign_id = ANY($1) AND r.deleted_at IS NULL ORDER BY r.id`,
    [campaignIds],
  );
  return rows.map(creativeOf);
}

/** The distinct moderation states of the creatives of an account's campaigns. */
export async function moderationOf(db: Db, accountId: number): Promise<Moderation[]> {
  const { rows } = await db.query<Pick<Row, "moderation">>(
    `SELECT DISTINCT r.moderation FROM creatives r JOIN campaigns c ON c.id = r.campaign_id
     WHERE c.account_id = $1 AND c.deleted_at IS NULL AND r.deleted_at IS NULL`,
    [accountId],
  );
  return rows.map(({ moderation }) => moderation);
}

/** What statistics show of a creative. A deleted one loses its file after a while. */
interface NamedCreative {
  id: number;
  uuid: string;
  campaignId: number;
  cta: string;
  file: Pick<UploadRow, "file" | "width" | "height"> | null;
  isDeleted: boolean;
}

/** Some creatives of these campaigns by their ids in numbers, deleted ones too. */
export async function creativesById(
  db: Db,
  campaignIds: readonly number[],
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedCreative>> {
  const { rows } = await db.query<NamedCreative>(
    `SELECT r.id, r.uuid, r.campaign_id AS "campaignId", r.cta, r.deleted_at IS NOT NULL AS "isDeleted",
       CASE WHEN f.id IS NOT NULL THEN json_build_object('file', f.file, 'width', f.width, 'height', f.height) END AS file
     FROM creatives r LEFT JOIN uploads f ON f.id = r.upload_id WHERE r.campaign_id = ANY($1) AND r.id = ANY($2)`,
    [campaignIds, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** When a campaign's first creative of those that may be shown was approved; null before that. */
export async function firstApproval(db: Db, campaignId: number): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    `SELECT min(COALESCE(moderated_at, created_at)) AS at FROM creatives
     WHERE campaign_id = $1 AND moderation = 'approved' AND deleted_at IS NULL`,
    [campaignId],
  );
  return rows[0]?.at ?? null;
}

/** What a save writes of a creative. */
export interface CreativeDraft {
  fields: Omit<CreativeFields, "c_id">;
  uploadId: string;
  moderation: Moderation;
  /** Why it is blocked. */
  reason?: string | null;
  at: Date;
}

const valuesOf = ({ fields, uploadId, moderation, reason = null, at }: CreativeDraft) => [
  fields.format,
  fields.store_id,
  fields.cta,
  fields.click_url,
  fields.tracking_url,
  uploadId,
  moderation,
  reason,
  at,
  fields.title,
  fields.skip_timer,
  fields.country,
];

export async function insertCreative(client: PoolClient, campaignId: number, draft: CreativeDraft): Promise<void> {
  await client.query(
    `INSERT INTO creatives (campaign_id, format, store_id, cta, click_url, tracking_url, upload_id, moderation,
       moderation_reason, waiting_since, created_at, title, skip_timer, country)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13)`,
    [campaignId, ...valuesOf(draft)],
  );
}

/** Puts a creative before a moderator again, without an earlier decision. */
export async function updateCreative(client: PoolClient, id: number, draft: CreativeDraft): Promise<void> {
  await keepUploads(client, "creatives", [id], draft.at);
  await client.query(
    `UPDATE creatives SET format = $2, store_id = $3, cta = $4, click_url = $5, tracking_url = $6, upload_id = $7,
       moderation = $8, moderation_reason = $9, waiting_since = $10, moderated_at = NULL, title = $11, skip_timer = $12,
       country = $13, categories = '{}', for_children = false
     WHERE id = $1`,
    [id, ...valuesOf(draft)],
  );
}

/**
 * Takes creatives out of service. Those that were never approved were in no auction and have no events, so they are
 * removed: one account could otherwise fill the disk with them.
 */
export async function deleteCreatives(client: PoolClient, ids: readonly number[], at: Date): Promise<void> {
  await keepUploads(client, "creatives", ids, at);
  await client.query("DELETE FROM creatives WHERE id = ANY($1) AND NOT was_approved", [ids]);
  await client.query("UPDATE creatives SET deleted_at = $2 WHERE id = ANY($1)", [ids, at]);
}
