import type { StatementMapping } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { type Cell, keyOf } from "./cells.ts";
import { rangeOf } from "./check-statement.ts";

/** What a statement changes. */
export interface Compared {
  /** Days of apps of which the partner said nothing before. */
  added: Cell[];
  /** Those of which it said something else, or the same that was read in another way, with what it said. */
  restated: (Cell & { beforeMicros: bigint })[];
  unchanged: number;
}

/** Compares a statement with the partner's earlier ones. Days and apps that it leaves out stay as they were stated. */
export async function compareStatement(
  db: Pool | PoolClient,
  { partner, mapping }: { partner: string; mapping: StatementMapping },
  cells: readonly Cell[],
): Promise<Compared> {
  const last = await lastStated(db, partner, cells);
  const known = (cell: Cell) => last.get(keyOf(cell.day, cell.appId));
  const restated = cells.flatMap((cell) => {
    const before = known(cell);
    const isSame =
      before === undefined ||
      (before.reportedMicros === cell.reportedMicros &&
        before.impressions === cell.impressions &&
        before.shownMicros === cell.shownMicros &&
        before.timeZone === mapping.time_zone);
    return isSame ? [] : [{ ...cell, beforeMicros: before.reportedMicros }];
  });
  const added = cells.filter((cell) => known(cell) === undefined);
  return { added, restated, unchanged: cells.length - added.length - restated.length };
}

type Known = Pick<Cell, "impressions" | "reportedMicros" | "shownMicros"> & { timeZone: string };

async function lastStated(
  db: Pool | PoolClient,
  partner: string,
  cells: readonly Cell[],
): Promise<ReadonlyMap<string, Known>> {
  const range = rangeOf(cells.map(({ day }) => day));
  if (range === null) return new Map();
  const { rows } = await db.query<
    { day: string; appId: number; timeZone: string } & Record<"impressions" | "reported" | "shown", string>
  >(
    `SELECT DISTINCT ON (d.day, d.app_id) d.day::text AS day, d.app_id AS "appId", d.impressions, d.reported_micros AS reported,
       d.shown_micros AS shown, s.mapping->>'time_zone' AS "timeZone"
     FROM statement_days d JOIN statements s ON s.id = d.statement_id
     WHERE s.partner_id = $1 AND d.day BETWEEN $2 AND $3 ORDER BY d.day, d.app_id, s.id DESC`,
    [partner, range.ds, range.de],
  );
  return new Map(
    rows.map(({ day, appId, timeZone, impressions, reported, shown }) => [
      keyOf(day, appId),
      {
        impressions: Number(impressions),
        reportedMicros: BigInt(reported),
        shownMicros: BigInt(shown),
        timeZone,
      },
    ]),
  );
}
