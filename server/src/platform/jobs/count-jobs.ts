import type { Pool } from "pg";

export interface JobCounts {
  /** Jobs whose time has come, and since when the oldest of them waits. */
  waiting: number;
  since: Date | null;
  /** Jobs that have failed and will be tried again. */
  retrying: number;
}

/** Counts the jobs of all queues. Those that failed too often are in the log alone. */
export async function countJobs(pool: Pool, now: Date): Promise<JobCounts> {
  const { rows } = await pool.query<JobCounts>(
    `SELECT count(*) FILTER (WHERE start_after <= $1)::int AS waiting,
       min(start_after) FILTER (WHERE start_after <= $1) AS since,
       count(*) FILTER (WHERE state = 'retry')::int AS retrying
     FROM pgboss.job WHERE state IN ('created', 'retry')`,
    [now],
  );
  return rows[0] ?? { waiting: 0, since: null, retrying: 0 };
}
