import type { Pool } from "pg";

/** What jobs are to be gone: those whose data name one of the texts (in lower case), or hold one of the objects. */
interface About {
  texts: readonly string[];
  objects: readonly object[];
}

/**
 * Takes jobs out of the store, kept copies of ended ones too. Those that run right now cannot be taken back: resolves to
 * their number, to be asked for again once they have ended.
 */
export async function eraseJobs(pool: Pool, { texts, objects }: About): Promise<number> {
  const isAbout = `(data @> ANY($2::jsonb[])
    OR EXISTS (SELECT FROM unnest($1::text[]) wanted WHERE strpos(lower(data::text), wanted) > 0))`;
  const asked = [texts, objects.map((one) => JSON.stringify(one))];
  await pool.query(`DELETE FROM pgboss.job WHERE state <> 'active' AND ${isAbout}`, asked);
  await pool.query(`DELETE FROM pgboss.archive WHERE ${isAbout}`, asked);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pgboss.job WHERE state = 'active' AND ${isAbout}`,
    asked,
  );
  return rows[0]?.count ?? 0;
}
