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

/** The starting position. Take it before the first read, so that no change is missed. */
export async function currentPosition(pool: Pool): Promise<Position> {
  const { rows } = await pool.query<{ xmin: string }>("SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin");
  return { xmin: BigInt(rows[0]?.xmin ?? 0), seen: new Map() };
}

/** The objects changed by transactions that were still running at the position. */
export async function changesSince(pool: Pool, { xmin, seen }: Position): Promise<Changes> {
  const { rows } = await pool.query<{ xmin: string; kind: string | null; id: string; xid: string }>(
    `SELECT now.xmin::text AS xmin, version.kind, version.id, version.xid::text AS xid
     FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xmin) now
     LEFT JOIN config_versions version ON version.xid >= $1::text::xid8`,
    [xmin.toString()],
  );
  const nextXmin = BigInt(rows[0]?.xmin ?? 0);
  const changed = rows.flatMap(({ kind, id, xid }) => (kind === null ? [] : [{ kind, id, xid: BigInt(xid) }]));
  const fresh = changed.filter(({ kind, id, xid }) => seen.get(`${kind} ${id}`) !== xid);
  return {
    next: {
      xmin: nextXmin,
      seen: new Map(changed.filter(({ xid }) => xid >= nextXmin).map(({ kind, id, xid }) => [`${kind} ${id}`, xid])),
    },
    all: nextXmin < xmin || fresh.some(({ kind }) => kind === "all"),
    partners: fresh.some(({ kind }) => kind === "partner"),
    appIds: idsOf("app", fresh),
    campaignIds: idsOf("campaign", fresh),
  };
}

const idsOf = (of: string, changed: readonly { kind: string; id: string }[]): number[] =>
  changed.flatMap(({ kind, id }) => (kind === of ? [Number(id)] : []));
