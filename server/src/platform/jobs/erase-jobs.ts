import type { Pool } from "pg";

/** Selects the jobs to erase: those whose data contain one of the texts (in lower case) or one of the objects. */
interface About {
  texts: readonly string[];
  objects: readonly object[];
}

/**
 * Deletes jobs from the store, including ended ones. Running jobs cannot be deleted: returns their number, so that the
 * caller can try again after they end.
 */
export async function eraseJobs(pool: Pool, { texts, objects }: About): Promise<number> {
  const isAbout = `(data @> ANY($2::jsonb[])
    OR EXISTS (SELECT FROM unnest($1::text[]) wanted WHERE strpos(lower(data::text), wanted) > 0))`;
  const values = [texts, objects.map((one) => JSON.stringify(one))];
  await pool.query(`DELETE FROM pgboss.job WHERE state <> 'active' AND ${isAbout}`, values);
  await pool.query(`DELETE FROM pgboss.archive WHERE ${isAbout}`, values);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pgboss.job WHERE state = 'active' AND ${isAbout}`,
    values,
  );
  return rows[0]?.count ?? 0;
}
