import type { Pool } from "pg";

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
 */
export async function takeDue(
  pool: Pool,
  { now, limit, perApp, full, slow, leftForSlow, leaseMs }: Take,
): Promise<DueCallback[]> {
  const { rows } = await pool.query<DueCallback>(
    `WITH due AS (
       SELECT transaction_id, next_at, app_id = ANY ($6) AS is_slow,
              row_number() OVER (PARTITION BY app_id ORDER BY next_at) AS nth
       FROM reward_callbacks WHERE state = 'waiting' AND next_at <= $1 AND app_id <> ALL ($5)
     ), fair AS (
       SELECT transaction_id, is_slow, row_number() OVER (PARTITION BY is_slow ORDER BY nth, next_at) AS place
       FROM due WHERE nth <= $3
     ), taken AS (
       SELECT c.transaction_id FROM reward_callbacks c JOIN fair USING (transaction_id)
       WHERE (NOT is_slow OR place <= $7) AND c.state = 'waiting' AND c.next_at <= $1
       ORDER BY c.next_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED
     )
     UPDATE reward_callbacks c SET tries = tries + 1, next_at = $1::timestamptz + $4 * interval '1 millisecond'
     FROM taken WHERE c.transaction_id = taken.transaction_id
     RETURNING c.transaction_id AS "transactionId", app_id AS "appId", url, tries, earned_at AS "earnedAt"`,
    [now, limit, perApp, leaseMs, full, slow, leftForSlow],
  );
  return rows;
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
