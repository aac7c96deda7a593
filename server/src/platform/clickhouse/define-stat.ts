import { setImmediate as nextTurn } from "node:timers/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import { z } from "zod";

/** A statistics query as a named value. */
export type Stat<Params extends z.ZodObject, Row extends z.ZodObject> = {
  /** Unique; shown in the store's list of running queries and in errors. */
  name: string;
  /** ClickHouse SQL without FORMAT. All values are bound as `{name:Type}`. */
  sql: string;
  /** The values that `sql` binds. */
  params: Params;
  /** One row. An undeclared column is an error. */
  row: Row;
};

/** Declares a statistics query; `runStat` runs it. */
export function defineStat<Params extends z.ZodObject, Row extends z.ZodObject>(
  stat: Stat<Params, Row>,
): Stat<Params, Row> {
  return { ...stat, row: stat.row.strict() as Row };
}

/** A 64-bit integer column (quoted in JSON) that stays below 2^53: counts and milliseconds. */
export const countColumn = z
  .union([z.string().regex(/^-?\d+$/), z.number().int()])
  .transform(Number)
  .refine(Number.isSafeInteger, "is past 2^53");

/** A 64-bit integer column of money, in micro-dollars. */
export const microsColumn = z.union([z.string().regex(/^-?\d+$/), z.number().int()]).transform(BigInt);

/**
 * Runs a declared query on a reading connection and checks every row. Throws ClickHouseError if the store refuses the
 * query, and an Error with the query's and the column's name if params or a row are not as declared.
 */
export async function runStat<Params extends z.ZodObject, Row extends z.ZodObject>(
  read: ClickHouseClient,
  stat: Stat<Params, Row>,
  params: z.input<Params>,
): Promise<z.output<Row>[]> {
  const bound = check(stat.params, params, `the parameters of ${stat.name}`);
  // One document parses several times faster than one per row.
  const result = await read.query({ query: stat.sql, query_params: bound, format: "JSON" });
  const { data } = await result.json<unknown>();
  const rows: z.output<Row>[] = [];
  for (const row of data) {
    // Years of days are thousands of rows, and auctions must not wait until all are checked.
    if (rows.length % ROWS_A_TURN === ROWS_A_TURN - 1) await nextTurn();
    // Row by row: zod's array check would collect the issues of all rows.
    rows.push(check(stat.row, row, `a row of ${stat.name}`));
  }
  return rows;
}

/** Their checks take some milliseconds. */
const ROWS_A_TURN = 250;

function check<Shape extends z.ZodObject>(shape: Shape, value: unknown, what: string): z.output<Shape> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`In ${what}, ${issue?.path.join(".") || "it"}: ${issue?.message ?? "not as declared"}`);
}
