import type { Pool } from "pg";

export interface JobCounts {
  /** Jobs whose time has come, and since when the oldest of them waits. */
  waiting: number;
  since: Date | null;
  /** Jobs that have failed and will be tried again. */
  retrying: number;
  /** Jobs that were given up in the last seven days, and since when. */
  failed: { count: number; since: Date | null };
}

const FAILED = `SELECT count(*)::int AS count, min(failed_at) AS since FROM failed_jobs
  WHERE failed_at > $1::timestamptz - interval '7 days'`;

/** Counts the jobs of all queues. Why one was given up is in the log alone. */
export async function countJobs(pool: Pool, now: Date): Promise<JobCounts> {
  const {
    rows: [failed = { count: 0, since: null }],
  } = await pool.query<JobCounts["failed"]>(FAILED, [now]);
  const { rows } = await pool.query<Omit<JobCounts, "failed">>(
    `SELECT count(*) FILTER (WHERE start_after <= $1)::int AS waiting,
       min(start_after) FILTER (WHERE start_after <= $1) AS since,
       count(*) FILTER (WHERE state = 'retry')::int AS retrying
     FROM pgboss.job WHERE state IN ('created', 'retry')`,
    [now],
  );
  return { ...(rows[0] ?? { waiting: 0, since: null, retrying: 0 }), failed };
}
