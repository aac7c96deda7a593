import type { Pool, PoolClient } from "pg";
import { type Cell, keyOf } from "./cells.ts";
import { rangeOf } from "./check-statement.ts";

/** What a statement changes. */
export interface Compared {
  /** Days of apps of which the partner said nothing before. */
  added: Cell[];
  /** Those of which it said something else, with what. */
  restated: (Cell & { beforeMicros: bigint })[];
  unchanged: number;
}

/** Compares a statement with the partner's earlier ones. Days and apps that it leaves out stay as they were stated. */
export async function compareStatement(
  db: Pool | PoolClient,
  partner: string,
  cells: readonly Cell[],
): Promise<Compared> {
  const last = await lastStated(db, partner, cells);
  const known = (cell: Cell) => last.get(keyOf(cell.day, cell.appId));
  const restated = cells.flatMap((cell) => {
    const before = known(cell);
    const isSame =
      before === undefined ||
      (before.reportedMicros === cell.reportedMicros && before.impressions === cell.impressions);
    return isSame ? [] : [{ ...cell, beforeMicros: before.reportedMicros }];
  });
  const added = cells.filter((cell) => known(cell) === undefined);
  return { added, restated, unchanged: cells.length - added.length - restated.length };
}

type Known = Pick<Cell, "impressions" | "reportedMicros">;

async function lastStated(
  db: Pool | PoolClient,
  partner: string,
  cells: readonly Cell[],
): Promise<ReadonlyMap<string, Known>> {
  const range = rangeOf(cells.map(({ day }) => day));
  if (range === null) return new Map();
  const { rows } = await db.query<{ day: string; appId: number; impressions: string; reported: string }>(
    `SELECT DISTINCT ON (d.day, d.app_id) d.day::text AS day, d.app_id AS "appId", d.impressions, d.reported_micros AS reported
     FROM statement_days d JOIN statements s ON s.id = d.statement_id
     WHERE s.partner_id = $1 AND d.day BETWEEN $2 AND $3 ORDER BY d.day, d.app_id, s.id DESC`,
    [partner, range.ds, range.de],
  );
  return new Map(
    rows.map(({ day, appId, impressions, reported }) => [
      keyOf(day, appId),
      { impressions: Number(impressions), reportedMicros: BigInt(reported) },
    ]),
  );
}
