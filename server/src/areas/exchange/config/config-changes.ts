import type { Pool } from "pg";

/** A transaction's id in PostgreSQL: 64 bits, so that it never wraps around. */
type Xid = bigint;

/** How far the changes have been read. */
export interface Position {
  /** All older transactions had ended, and their changes have been read. */
  xmin: Xid;
  /** The newer transactions already read, by the changed object, so that no change is read twice. */
  seen: ReadonlyMap<string, Xid>;
}

/** The changes since a position, and the next position. */
export interface Changes {
  next: Position;
  /** Everything must be read: after a change without rows, or if the store's transaction ids do not continue. */
  all: boolean;
  partners: boolean;
  appIds: number[];
  campaignIds: number[];
}

/** The starting position. Take it before the first read, which then includes every change that is seen here. */
export async function currentPosition(pool: Pool): Promise<Position> {
  const { xmin, changed } = await readVersions(pool, null);
  return { xmin, seen: seenFrom(xmin, changed) };
}

/** The objects changed by transactions that were still running at the position. */
export async function changesSince(pool: Pool, { xmin, seen }: Position): Promise<Changes> {
  const now = await readVersions(pool, xmin);
  const fresh = now.changed.filter(({ kind, id, xid }) => seen.get(`${kind} ${id}`) !== xid);
  return {
    next: { xmin: now.xmin, seen: seenFrom(now.xmin, now.changed) },
    all: now.xmin < xmin || fresh.some(({ kind }) => kind === "all"),
    partners: fresh.some(({ kind }) => kind === "partner"),
    appIds: idsOf("app", fresh),
    campaignIds: idsOf("campaign", fresh),
  };
}

interface Version {
  kind: string;
  id: string;
  xid: Xid;
}

/** The oldest running transaction, and the versions that a transaction since `since` has written: by default, since that one. */
async function readVersions(pool: Pool, since: Xid | null): Promise<{ xmin: Xid; changed: Version[] }> {
  const { rows } = await pool.query<{ xmin: string; kind: string | null; id: string; xid: string }>(
    `SELECT now.xmin::text AS xmin, version.kind, version.id, version.xid::text AS xid
     FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xmin) now
     LEFT JOIN config_versions version ON version.xid >= coalesce($1::text::xid8, now.xmin)`,
    [since?.toString() ?? null],
  );
  return {
    xmin: BigInt(rows[0]?.xmin ?? 0),
    changed: rows.flatMap(({ kind, id, xid }) => (kind === null ? [] : [{ kind, id, xid: BigInt(xid) }])),
  };
}

/** What the next read must leave out, because it looks at these transactions again. */
const seenFrom = (xmin: Xid, changed: readonly Version[]): Position["seen"] =>
  new Map(changed.filter(({ xid }) => xid >= xmin).map(({ kind, id, xid }) => [`${kind} ${id}`, xid]));

const idsOf = (wantedKind: string, changed: readonly Version[]): number[] =>
  changed.flatMap(({ kind, id }) => (kind === wantedKind ? [Number(id)] : []));
