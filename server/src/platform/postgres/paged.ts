import type { Pager } from "@millrace/contract";
import type { Pool } from "pg";
import { entriesBefore, pagerOf } from "../page-of.ts";

export interface Paged<T> {
  rows: T[];
  pager: Pager;
}

/** One page of a query's rows; `p` counts from 0. */
export async function paged<T extends object>(
  pool: Pool,
  { columns, from, orderBy }: { columns: string; from: string; orderBy: string },
  values: readonly unknown[],
  { p, perPage }: { p: number; perPage: number },
): Promise<Paged<T>> {
  const counted = await pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${from}`, [...values]);
  const pager = pagerOf(Number(counted.rows[0]?.n ?? 0), p, perPage);
  const { rows } = await pool.query<T>(
    `SELECT ${columns} FROM ${from} ORDER BY ${orderBy} LIMIT ${perPage} OFFSET $${values.length + 1}`,
    [...values, entriesBefore(pager)],
  );
  return { rows, pager };
}
