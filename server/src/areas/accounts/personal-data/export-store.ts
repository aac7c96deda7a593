import type { Pool, PoolClient } from "pg";

export type ExportState = "working" | "ready" | "failed";

export interface Export {
  uuid: string;
  state: ExportState;
  createdAt: Date;
  expiresAt: Date;
}

const EXPORT = `uuid, state, created_at AS "createdAt", expires_at AS "expiresAt"`;
/** A job that has not ended by then, with all its tries, is not coming back. */
const LONGEST_WORK_MS = 3_600_000;

/** The reported state of an export; one whose job was lost has failed. */
export const exportState = ({ state, createdAt }: Pick<Export, "state" | "createdAt">, nowMs: number): ExportState =>
  state === "working" && nowMs - createdAt.getTime() > LONGEST_WORK_MS ? "failed" : state;

/** The user's newest export that has not expired. */
export async function findExport(
  pool: Pool | PoolClient,
  { userId, now }: { userId: number; now: Date },
): Promise<Export | null> {
  const { rows } = await pool.query<Export>(
    `SELECT ${EXPORT} FROM personal_exports WHERE user_id = $1 AND expires_at > $2 ORDER BY created_at DESC LIMIT 1`,
    [userId, now],
  );
  return rows[0] ?? null;
}

/** Begins an export in place of those before. Resolves to its UUID. */
export async function insertExport(
  client: PoolClient,
  { userId, accountId, createdAt, expiresAt }: { userId: number; accountId: number; createdAt: Date; expiresAt: Date },
): Promise<string> {
  await client.query("DELETE FROM personal_exports WHERE user_id = $1", [userId]);
  const { rows } = await client.query<{ uuid: string }>(
    "INSERT INTO personal_exports (user_id, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4) RETURNING uuid",
    [userId, accountId, createdAt, expiresAt],
  );
  if (!rows[0]) throw new Error("The export was not kept");
  return rows[0].uuid;
}

/** The user of a pending export, for the job only. */
export async function findUngathered(
  pool: Pool,
  uuid: string,
): Promise<{ userId: number; accountId: number } | undefined> {
  const { rows } = await pool.query<{ userId: number; accountId: number }>(
    `SELECT user_id AS "userId", account_id AS "accountId" FROM personal_exports WHERE uuid = $1 AND state <> 'ready'`,
    [uuid],
  );
  return rows[0];
}

/** True unless it was deleted meanwhile. */
export async function finishExport(
  client: PoolClient,
  uuid: string,
  content: object,
  expiresAt: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE personal_exports SET state = 'ready', content = $2, expires_at = $3 WHERE uuid = $1",
    [uuid, JSON.stringify(content), expiresAt],
  );
  return rowCount === 1;
}

export async function failExport(pool: Pool, uuid: string): Promise<void> {
  await pool.query("UPDATE personal_exports SET state = 'failed' WHERE uuid = $1 AND state = 'working'", [uuid]);
}

/** The export's content, for its user only; undefined if there is none, or it is pending or expired. */
export async function readExport(
  pool: Pool,
  { userId, uuid, now }: { userId: number; uuid: string; now: Date },
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await pool.query<{ content: Record<string, unknown> }>(
    `SELECT content FROM personal_exports
     WHERE uuid = $1 AND user_id = $2 AND state = 'ready' AND expires_at > $3`,
    [uuid, userId, now],
  );
  return rows[0]?.content;
}

export async function deleteEndedExports(pool: Pool, now: Date): Promise<void> {
  await pool.query("DELETE FROM personal_exports WHERE expires_at <= $1", [now]);
}
