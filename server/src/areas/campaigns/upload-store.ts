import type { Pool, PoolClient } from "pg";

type Db = Pool | PoolClient;

/** An image of an account. */
export interface Upload {
  id: string;
  file: string;
  bytes: number;
  width: number;
  height: number;
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
    `UPDATE uploads SET used_at = $3 WHERE account_id = $1 AND file = ANY($2) RETURNING id, file, bytes, width, height`,
    [accountId, files, at],
  );
  return new Map(rows.map((upload) => [upload.file, upload]));
}

export async function countUploads(db: Db, accountId: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>("SELECT count(*)::int AS n FROM uploads WHERE account_id = $1", [
    accountId,
  ]);
  return rows[0]?.n ?? 0;
}

/** Records an upload; the same file again stays one. */
export async function insertUpload(
  client: PoolClient,
  accountId: number,
  { file, bytes, width, height, at }: Omit<Upload, "id"> & { at: Date },
): Promise<Upload> {
  const { rows } = await client.query<Upload>(
    `INSERT INTO uploads (account_id, file, bytes, width, height, created_at, used_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (account_id, file) DO UPDATE SET used_at = excluded.used_at
     RETURNING id, file, bytes, width, height`,
    [accountId, file, bytes, width, height, at],
  );
  if (!rows[0]) throw new Error("an insert gives its row back");
  return rows[0];
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
