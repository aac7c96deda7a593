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

/** A month that is over, as the table has it. */
interface OldMonth {
  month: string;
  rows: number;
  /** Its first and last block. Later rows are in later blocks, or merged with these. */
  firstBlock: number;
  lastBlock: number;
}

/** Drops whatever the size: a server refuses partitions above 50 GB otherwise. */
const ANY_SIZE = { max_partition_size_to_drop: "0" } as const;

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
    for (const old of await oldMonths(read, { table, edge, quietBefore: nowMs - quietMs })) {
      const { month, rows, lastBlock } = old;
      const generation = table === "auctions" ? await generationOf(read, old) : 0;
      for (const day of await daysOf(read, table, month)) {
        for (const query of FILLS[table]) {
          const params = { day, generation };
          await write.command({ query, query_params: params, clickhouse_settings: { max_execution_time: 0 } });
        }
      }
      // Rows that came meanwhile are not in the rollups: the month waits for the next time.
      if ((await rowsIn(read, table, month)) !== rows) continue;
      const note = (dropped: 0 | 1) =>
        write.command({
          query: `INSERT INTO retired_months (month, generation, dropped, through) VALUES (${month}, ${generation}, ${dropped}, ${lastBlock})`,
        });
      if (table === "auctions") await note(0);
      await write.command({
        query: `ALTER TABLE ${table} DROP PARTITION ID '${month}'`,
        clickhouse_settings: ANY_SIZE,
      });
      if (table === "auctions") await note(1);
      retired.push({ table, month });
    }
  }
  return retired;
}

/**
 * How often the auctions of a month were dropped before. If the last run was cut off before that, those that are there belong to
 * its generation still, with all that came since.
 */
async function generationOf(read: ClickHouse["read"], { month, firstBlock }: OldMonth): Promise<number> {
  const found = await read.query({
    query: `SELECT max((generation, dropped, toFloat64(through))) AS last FROM retired_months WHERE month = ${month} HAVING count() > 0`,
    format: "JSONEachRow",
  });
  const [row] = await found.json<{ last: [generation: number, dropped: number, through: number] }>();
  if (!row) return 0;
  const [generation, dropped, through] = row.last;
  return dropped === 1 || firstBlock > through ? generation + 1 : generation;
}

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7).replace("-", "");

async function oldMonths(
  read: ClickHouse["read"],
  { table, edge, quietBefore }: { table: RawTable; edge: string; quietBefore: number },
): Promise<OldMonth[]> {
  const found = await read.query({
    query: `SELECT partition_id AS month, toFloat64(sum(rows)) AS rows, toFloat64(min(min_block_number)) AS firstBlock,
        toFloat64(max(max_block_number)) AS lastBlock
      FROM system.parts
      WHERE database = currentDatabase() AND table = {table:String} AND active
      GROUP BY partition_id
      HAVING partition_id < {edge:String} AND max(modification_time) < toDateTime({quietBefore:UInt32}, 'UTC')
      ORDER BY partition_id`,
    query_params: { table, edge, quietBefore: Math.max(0, Math.ceil(quietBefore / 1000)) },
    format: "JSONEachRow",
  });
  return (await found.json<OldMonth>()).filter(({ month }) => /^\d{6}$/.test(month));
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
