import { type VideoExtension, type VideoFacts, VIDEO_TYPES } from "@millrace/contract";
import { extname } from "node:path";
import type { Pool, PoolClient } from "pg";

type Db = Pool | PoolClient;

/** A file as it is stored. */
export interface UploadRow {
  file: string;
  bytes: number;
  width: number;
  height: number;
  /** Null for images. */
  video: Omit<VideoFacts, "type"> | null;
}

/** An image or a video of an account. */
export interface Upload extends UploadRow {
  id: string;
}

/** A table's columns of an UploadRow. */
export const uploadColumns = (table: string): string =>
  ["file", "bytes", "width", "height", "video"].map((column) => `${table}.${column}`).join(", ");

/** The facts of a stored video. Its type is its extension's. */
export function videoOf({ file, video }: Pick<UploadRow, "file" | "video">): VideoFacts | null {
  return video && { type: VIDEO_TYPES[extname(file).slice(1) as VideoExtension], ...video };
}

/** Keeps the files from being swept until the transaction ends. */
export async function holdFiles(client: PoolClient): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock_shared(hashtext('uploads'))");
}

/** Waits until nobody holds the files, and keeps others from it until the transaction ends. */
async function takeFiles(client: PoolClient): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('uploads'))");
}

/** The account's uploads among files, by file name. They count as used from now on. */
export async function claimUploads(
  client: PoolClient,
  accountId: number,
  files: readonly string[],
  at: Date,
): Promise<Map<string, Upload>> {
  const { rows } = await client.query<Upload>(
    `UPDATE uploads SET used_at = $3 WHERE account_id = $1 AND file = ANY($2) RETURNING id, ${uploadColumns("uploads")}`,
    [accountId, files, at],
  );
  return new Map(rows.map((upload) => [upload.file, upload]));
}

/** Queries for the uploads of creatives, and of in-house campaigns, by the ids of these. */
const UPLOADS_OF = {
  creatives: "SELECT upload_id FROM creatives WHERE id = ANY($1)",
  inhouse: `SELECT unnest(ARRAY[landscape_id, portrait_id, video_id]) FROM inhouse_campaigns WHERE id = ANY($1)`,
};

/** To be called before a change that may leave uploads without a use: ads that were returned are shown for a while. */
export async function keepUploads(
  client: PoolClient,
  of: keyof typeof UPLOADS_OF,
  ids: readonly number[],
  at: Date,
): Promise<void> {
  await client.query(`UPDATE uploads SET used_at = $2 WHERE id IN (${UPLOADS_OF[of]})`, [ids, at]);
}

/** The same before an account is deleted. */
export async function keepUploadsOf(client: PoolClient, accountId: number): Promise<void> {
  await client.query("UPDATE uploads SET used_at = now() WHERE account_id = $1", [accountId]);
}

/** How many files an account has, and their bytes. */
export async function countUploads(db: Db, accountId: number): Promise<{ files: number; bytes: number }> {
  const { rows } = await db.query<{ files: number; bytes: string }>(
    "SELECT count(*)::int AS files, COALESCE(sum(bytes), 0) AS bytes FROM uploads WHERE account_id = $1",
    [accountId],
  );
  return { files: rows[0]?.files ?? 0, bytes: Number(rows[0]?.bytes ?? 0) };
}

/** Records an upload; the same file again stays one. */
export async function insertUpload(
  client: PoolClient,
  accountId: number,
  { file, bytes, width, height, video, at }: Omit<UploadRow, "video"> & { video: VideoFacts | null; at: Date },
): Promise<Upload> {
  const { type: _, ...facts } = video ?? { type: null };
  const { rows } = await client.query<Upload>(
    `INSERT INTO uploads (account_id, file, bytes, width, height, video, created_at, used_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (account_id, file) DO UPDATE SET used_at = excluded.used_at
     RETURNING id, ${uploadColumns("uploads")}`,
    [accountId, file, bytes, width, height, video && facts, at],
  );
  if (!rows[0]) throw new Error("an insert gives its row back");
  return rows[0];
}

/** Deletes the record of an upload after its file could not be stored. One that is older, or was used since, stays. */
export async function forgetUpload(pool: Pool, id: string, at: Date): Promise<void> {
  await pool.query("DELETE FROM uploads WHERE id = $1 AND created_at = $2 AND used_at = $2", [id, at]);
}

/**
 * Deletes one upload that neither a creative nor an in-house campaign uses and that was last used before a moment. Returns its file, and whether no
 * account has it any more; null if there is no such upload.
 */
export async function forgetUnused(
  client: PoolClient,
  before: Date,
): Promise<{ file: string; isNobodys: boolean } | null> {
  await takeFiles(client);
  const { rows } = await client.query<{ file: string }>(
    `DELETE FROM uploads WHERE id = (
       SELECT u.id FROM uploads u WHERE u.used_at < $1
         AND NOT EXISTS (SELECT FROM creatives r WHERE r.upload_id = u.id AND r.deleted_at IS NULL)
         AND NOT EXISTS (SELECT FROM inhouse_campaigns c
           WHERE u.id IN (c.landscape_id, c.portrait_id, c.video_id) AND c.deleted_at IS NULL)
       ORDER BY u.used_at LIMIT 1) AND used_at < $1 RETURNING file`,
    [before],
  );
  const file = rows[0]?.file;
  if (file === undefined) return null;
  const { rowCount } = await client.query("SELECT FROM uploads WHERE file = $1 LIMIT 1", [file]);
  return { file, isNobodys: rowCount === 0 };
}
