import { ADMIN_ROWS_PER_PAGE, type Pager } from "@millrace/contract";
import type { Pool } from "pg";

export interface Paged<T> {
  rows: T[];
  pager: Pager;
}

/** One page of what a query finds; `p` counts from 0, and beyond the end there is the last page. */
export async function paged<T extends object>(
  pool: Pool,
  { columns, from, orderBy }: { columns: string; from: string; orderBy: string },
  values: readonly unknown[],
  p: number,
): Promise<Paged<T>> {
  const counted = await pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${from}`, [...values]);
  const lastPage = Math.max(1, Math.ceil(Number(counted.rows[0]?.n ?? 0) / ADMIN_ROWS_PER_PAGE));
  const page = Math.min(p + 1, lastPage);
  const { rows } = await pool.query<T>(
    `SELECT ${columns} FROM ${from} ORDER BY ${orderBy} LIMIT ${ADMIN_ROWS_PER_PAGE} OFFSET $${values.length + 1}`,
    [...values, (page - 1) * ADMIN_ROWS_PER_PAGE],
  );
  return {
    rows,
    pager: { current_page: page, entries_per_page: ADMIN_ROWS_PER_PAGE, first_page: 1, last_page: lastPage },
  };
}
