import { DAY_MS } from "@millrace/units";
import type { ClickHouse } from "../../../platform/clickhouse/connect-clickhouse.ts";
import { FILLS, type RawTable } from "./fills.ts";

export interface Retention {
  /** How many days raw rows of each table are kept at least. */
  days: Record<RawTable, number>;
  /** A month that was written to in this time is left alone: what belongs together may not be there yet. */
  quietMs: number;
}

/** A month of a raw table, as `202411`. */
interface RetiredMonth {
  table: RawTable;
  month: string;
}

/**
 * Drops months of raw rows whose last day is older than they are kept, after what screens need of them is in the rollups.
 * Cut off at any moment, it is called again: what it writes twice counts once.
 */
export async function retireRawRows(
  { read, write }: Pick<ClickHouse, "read" | "write">,
  nowMs: number,
  { days, quietMs }: Retention,
): Promise<RetiredMonth[]> {
  const retired: RetiredMonth[] = [];
  for (const table of Object.keys(FILLS) as RawTable[]) {
    const edge = monthOf(nowMs - days[table] * DAY_MS);
    for (const { month, rows } of await oldMonths(read, { table, edge, quietBefore: nowMs - quietMs })) {
      for (const day of await daysOf(read, table, month)) {
        for (const query of FILLS[table])
          await write.command({ query, query_params: { day }, clickhouse_settings: { max_execution_time: 0 } });
      }
      // Rows that came meanwhile are not in the rollups: the month waits for the next time.
      if ((await rowsIn(read, table, month)) !== rows) continue;
      if (table === "auctions") await write.command({ query: `INSERT INTO retired_months SELECT ${month}` });
      await write.command({ query: `ALTER TABLE ${table} DROP PARTITION ID '${month}'` });
      retired.push({ table, month });
    }
  }
  return retired;
}

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7).replace("-", "");

async function oldMonths(
  read: ClickHouse["read"],
  { table, edge, quietBefore }: { table: RawTable; edge: string; quietBefore: number },
): Promise<{ month: string; rows: number }[]> {
  const found = await read.query({
    query: `SELECT partition_id AS month, toFloat64(sum(rows)) AS rows
      FROM system.parts
      WHERE database = currentDatabase() AND table = {table:String} AND active
      GROUP BY partition_id
      HAVING partition_id < {edge:String} AND max(modification_time) < toDateTime({quietBefore:UInt32}, 'UTC')
      ORDER BY partition_id`,
    query_params: { table, edge, quietBefore: Math.max(0, Math.ceil(quietBefore / 1000)) },
    format: "JSONEachRow",
  });
  return (await found.json<{ month: string; rows: number }>()).filter(({ month }) => /^\d{6}$/.test(month));
}

async function daysOf(read: ClickHouse["read"], table: RawTable, month: string): Promise<string[]> {
  const found = await read.query({
    query: `SELECT DISTINCT toString(toDate(at, 'UTC')) AS day FROM ${table} WHERE toYYYYMM(at) = ${month} ORDER BY day`,
    format: "JSONEachRow",
  });
  return (await found.json<{ day: string }>()).map(({ day }) => day);
}

async function rowsIn(read: ClickHouse["read"], table: RawTable, month: string): Promise<number> {
  const found = await read.query({
    query: `SELECT toFloat64(count()) AS rows FROM ${table} WHERE toYYYYMM(at) = ${month}`,
    format: "JSONEachRow",
  });
  return (await found.json<{ rows: number }>())[0]?.rows ?? 0;
}
