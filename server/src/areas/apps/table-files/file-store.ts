import { AppFileQuery, FILE_KINDS, PublisherFileQuery, type TableFileStatus } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import type { AppReach } from "../../../platform/http/caller.ts";
import type { FileRequest } from "./make-table-file.ts";

type Db = Pool | PoolClient;

export interface TableFile {
  uuid: string;
  state: TableFileStatus["state"];
  percent: number;
  /** Of one app, or of all apps. */
  isOfOneApp: boolean;
  fileName: string | null;
  expiresAt: Date;
}

const COLUMNS = `uuid, state, percent, wish->>'app' IS NOT NULL AS "isOfOneApp", file_name AS "fileName", expires_at AS "expiresAt"`;
const UNFINISHED = "state IN ('waiting', 'working')";

const Kind = z.enum(FILE_KINDS);
/** Requests from before members had chosen apps have none. */
const AppIds = z.array(z.int()).nullable().default(null);
const StoredRequest: z.ZodType<FileRequest> = z.union([
  z.object({ kind: Kind, appIds: AppIds, app: z.string(), query: AppFileQuery }),
  z.object({ kind: Kind, appIds: AppIds, app: z.null(), query: PublisherFileQuery }),
]);

/** Locks the account's files until the transaction ends. */
export async function lockFilesOf(client: PoolClient, accountId: number): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('table_files'), $1)", [accountId]);
}

/**
 * The account's file until it expires; undefined for another account's or an unknown one. A member of chosen apps finds
 * the files that were made of exactly these.
 */
export async function findFile(
  db: Db,
  { accountId, appIds }: AppReach,
  uuid: string,
  now: Date,
): Promise<TableFile | undefined> {
  const { rows } = await db.query<TableFile>(
    `SELECT ${COLUMNS} FROM table_files WHERE account_id = $1 AND uuid = $2 AND expires_at > $3
       AND ($4::jsonb IS NULL OR wish->'appIds' = $4)`,
    [accountId, uuid, now, appIds && JSON.stringify(appIds)],
  );
  return rows[0];
}

/** The account's newest file with the same request, if it has not failed and was requested since a moment. */
export async function findSameFile(
  db: Db,
  accountId: number,
  request: FileRequest,
  { since, now }: { since: Date; now: Date },
): Promise<TableFile | undefined> {
  const { rows } = await db.query<TableFile>(
    `SELECT ${COLUMNS} FROM table_files
     WHERE account_id = $1 AND wish = $2 AND state <> 'failed' AND created_at >= $3 AND expires_at > $4
     ORDER BY created_at DESC LIMIT 1`,
    [accountId, JSON.stringify(request), since, now],
  );
  return rows[0];
}

export async function countUnfinished(db: Db, accountId: number): Promise<number> {
  const { rows } = await db.query<{ files: number }>(
    `SELECT count(*)::int AS files FROM table_files WHERE account_id = $1 AND ${UNFINISHED}`,
    [accountId],
  );
  return rows[0]?.files ?? 0;
}

export async function insertFile(
  db: Db,
  accountId: number,
  request: FileRequest,
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date },
): Promise<TableFile> {
  const { rows } = await db.query<TableFile>(
    `INSERT INTO table_files (account_id, wish, created_at, expires_at) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
    [accountId, JSON.stringify(request), createdAt, expiresAt],
  );
  if (!rows[0]) throw new Error("an insert gives its row back");
  return rows[0];
}

/** Begins an attempt at the account's oldest unfinished file. */
export async function takeOldest(
  db: Db,
  accountId: number,
): Promise<{ uuid: string; tries: number; request: FileRequest } | undefined> {
  const { rows } = await db.query<{ uuid: string; tries: number; request: unknown }>(
    `UPDATE table_files SET state = 'working', tries = tries + 1, percent = 0
     WHERE uuid = (SELECT uuid FROM table_files WHERE account_id = $1 AND ${UNFINISHED} ORDER BY created_at, uuid LIMIT 1)
     RETURNING uuid, tries, wish AS request`,
    [accountId],
  );
  const [row] = rows;
  return row && { ...row, request: StoredRequest.parse(row.request) };
}

export async function setPercent(db: Db, uuid: string, percent: number): Promise<void> {
  await db.query("UPDATE table_files SET percent = $2 WHERE uuid = $1 AND state = 'working'", [uuid, percent]);
}

/** Ready with a name, or failed without one. */
export async function finishFile(db: Db, uuid: string, fileName: string | null): Promise<void> {
  await db.query(
    `UPDATE table_files SET state = CASE WHEN $2::text IS NULL THEN 'failed' ELSE 'ready' END, file_name = $2,
       percent = CASE WHEN $2::text IS NULL THEN percent ELSE 100 END
     WHERE uuid = $1`,
    [uuid, fileName],
  );
}

/** Deletes expired files, and all but each account's newest finished ones. */
export async function forgetOldFiles(db: Db, now: Date, keptPerAccount: number): Promise<void> {
  await db.query(
    `DELETE FROM table_files WHERE expires_at <= $1 OR uuid IN (
       SELECT uuid FROM (
         SELECT uuid, row_number() OVER (PARTITION BY account_id ORDER BY created_at DESC) AS nth
         FROM table_files WHERE NOT ${UNFINISHED}
       ) AS finished WHERE nth > $2)`,
    [now, keptPerAccount],
  );
}

export async function everyFile(db: Db): Promise<Set<string>> {
  const { rows } = await db.query<{ uuid: string }>("SELECT uuid FROM table_files");
  return new Set(rows.map(({ uuid }) => uuid));
}
