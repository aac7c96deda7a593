import type { Pool, PoolClient } from "pg";

/** A callback that is being sent. */
export interface DueCallback {
  transactionId: string;
  appId: number;
  url: string;
  /** The tries so far, this one included. */
  tries: number;
  earnedAt: Date;
}

/** Stores a callback that waits to be sent; false if its transaction has one. */
export async function addCallback(
  pool: Pool,
  { transactionId, appId, url, earnedAtMs }: { transactionId: string; appId: number; url: string; earnedAtMs: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO reward_callbacks (transaction_id, app_id, url, earned_at, next_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (transaction_id) DO NOTHING`,
    [transactionId, appId, url, new Date(earnedAtMs)],
  );
  return rowCount === 1;
}

interface Take {
  now: Date;
  /** The day of those that were earned earlier is over. */
  earnedAfter: Date;
  limit: number;
  perApp: number;
  full: readonly number[];
  slow: readonly number[];
  leftForSlow: number;
  leaseMs: number;
}

/**
 * Takes callbacks that are due, oldest first, so that slow servers delay no other's: at most `perApp` of each app, `leftForSlow` of
 * all apps in `slow` together, and none of those in `full`. No process takes them again for `leaseMs`.
 *
 * It steps from app to app in an index, and reads no more of an app than it may take, however many of its callbacks wait. PostgreSQL
 * knows too late that many wait, so the conditions are worded so that it can read no other way: a bigint suits that index alone, and
 * "not in" none but the primary key.
 */
export async function takeDue(
  db: Pool | PoolClient,
  { now, earnedAfter, limit, perApp, full, slow, leftForSlow, leaseMs }: Take,
): Promise<DueCallback[]> {
  const { rows } = await db.query<DueCallback>(
    `WITH RECURSIVE queues AS (
       (SELECT c.app_id::bigint AS app_id FROM reward_callbacks c WHERE state = 'waiting'
        ORDER BY c.app_id::bigint, next_at LIMIT 1)
       UNION ALL
       SELECT (SELECT c.app_id::bigint FROM reward_callbacks c WHERE state = 'waiting' AND c.app_id::bigint > queues.app_id
               ORDER BY c.app_id::bigint, next_at LIMIT 1)
       FROM queues WHERE app_id IS NOT NULL
     ), due AS (
       SELECT transaction_id, next_at, app_id = ANY ($6) AS is_slow,
              row_number() OVER (PARTITION BY app_id ORDER BY next_at) AS nth
       FROM queues CROSS JOIN LATERAL (
         SELECT transaction_id, next_at FROM reward_callbacks c
         WHERE c.app_id::bigint = queues.app_id AND state = 'waiting' AND next_at <= $1 AND earned_at > $8
         ORDER BY next_at LIMIT $3
       ) AS first
       WHERE app_id <> ALL ($5) AND ($7 > 0 OR app_id <> ALL ($6))
     ), fair AS (
       SELECT transaction_id, next_at, is_slow, row_number() OVER (PARTITION BY is_slow ORDER BY nth, next_at) AS place
       FROM due
     ), oldest AS (
       -- More than are taken, because other processes take some of them now.
       SELECT transaction_id FROM fair WHERE NOT is_slow OR place <= $7 ORDER BY next_at LIMIT 8 * $2
     ), taken AS (
       SELECT c.transaction_id FROM reward_callbacks c JOIN oldest USING (transaction_id)
       WHERE c.state NOT IN ('delivered', 'failed') AND c.next_at <= $1
       ORDER BY c.next_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED
     )
     UPDATE reward_callbacks c SET tries = tries + 1, next_at = $1::timestamptz + $4 * interval '1 millisecond'
     FROM taken WHERE c.transaction_id = taken.transaction_id
     RETURNING c.transaction_id AS "transactionId", app_id AS "appId", url, tries, earned_at AS "earnedAt"`,
    [now, limit, perApp, leaseMs, full, slow, leftForSlow, earnedAfter],
  );
  return rows;
}

/**
 * Gives up callbacks that wait and were earned by a time, the oldest first, and counts them. They ended `afterMs` after they were
 * earned, not now, so that a try since then remains the last one.
 */
export async function giveUp(
  pool: Pool,
  { earnedBy, afterMs, limit }: { earnedBy: Date; afterMs: number; limit: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `WITH over AS (
       SELECT transaction_id FROM reward_callbacks WHERE url IS NOT NULL AND earned_at <= $1
       ORDER BY earned_at LIMIT $3 FOR UPDATE SKIP LOCKED
     )
     UPDATE reward_callbacks c SET state = 'failed', url = NULL, next_at = earned_at + $2 * interval '1 millisecond'
     FROM over WHERE c.transaction_id = over.transaction_id`,
    [earnedBy, afterMs, limit],
  );
  return rowCount ?? 0;
}

/** Stores how a try has ended: for good, with the time of that, or with the time of the next one. */
export async function endTry(
  pool: Pool,
  transactionId: string,
  { outcome, state, nextAt }: { outcome: string; state: "waiting" | "delivered" | "failed"; nextAt: Date },
): Promise<void> {
  await pool.query(
    `UPDATE reward_callbacks SET outcome = $2, state = $3, next_at = $4,
            url = CASE WHEN $3 = 'waiting' THEN url END
     WHERE transaction_id = $1 AND state = 'waiting'`,
    [transactionId, outcome, state, nextAt],
  );
}

/** Deletes ended callbacks that were earned before a time. */
export async function forgetCallbacks(pool: Pool, before: Date): Promise<void> {
  await pool.query("DELETE FROM reward_callbacks WHERE earned_at < $1 AND state <> 'waiting'", [before]);
}

export interface CallbackCounts {
  delivered: number;
  waiting: number;
  failed: number;
  /** How the last try ended that was not delivered, as stored. */
  lastFailure: string | null;
}

/** What became of an app's callbacks: those that have ended since a time, and all that wait. */
export async function countCallbacks(pool: Pool, appId: number, since: Date): Promise<CallbackCounts> {
  const { rows } = await pool.query<CallbackCounts>(
    `SELECT count(*) FILTER (WHERE state = 'delivered')::int AS delivered,
       count(*) FILTER (WHERE state = 'waiting')::int AS waiting,
       count(*) FILTER (WHERE state = 'failed')::int AS failed,
       (array_agg(outcome ORDER BY next_at DESC) FILTER (WHERE state <> 'delivered' AND outcome IS NOT NULL))[1]
         AS "lastFailure"
     FROM reward_callbacks WHERE app_id = $1 AND (state = 'waiting' OR next_at >= $2)`,
    [appId, since],
  );
  return rows[0] ?? { delivered: 0, waiting: 0, failed: 0, lastFailure: null };
}
