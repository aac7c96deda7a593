import { ADMIN_ROWS_PER_PAGE, type Pager } from "@millrace/contract";
import type { Pool } from "pg";
import { entriesBefore, pagerOf } from "../../platform/page-of.ts";

export interface Paged<T> {
  rows: T[];
  pager: Pager;
}

/** One page of what a query finds. */
export async function paged<T extends object>(
  pool: Pool,
  { columns, from, orderBy }: { columns: string; from: string; orderBy: string },
  values: readonly unknown[],
  p: number,
): Promise<Paged<T>> {
  const counted = await pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${from}`, [...values]);
  const pager = pagerOf(Number(counted.rows[0]?.n ?? 0), p, ADMIN_ROWS_PER_PAGE);
  const { rows } = await pool.query<T>(
    `SELECT ${columns} FROM ${from} ORDER BY ${orderBy} LIMIT ${ADMIN_ROWS_PER_PAGE} OFFSET $${values.length + 1}`,
    [...values, entriesBefore(pager)],
  );
  return { rows, pager };
}
