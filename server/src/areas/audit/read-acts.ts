import type { Pool } from "pg";

/** A recorded act, as a list of changes needs it. */
export interface ReadAct {
  at: Date;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  /** The person at the keyboard; null if nobody was signed in. */
  actorUserId: number | null;
  /** Whether an admin acted as a user of the account. */
  byAdmin: boolean;
}

export interface ActsQuery {
  actions: readonly string[];
  subjects: readonly string[];
  fromMs: number;
  /** Not included. */
  toMs: number;
  most: number;
}

/** The account's own acts of some kinds about some objects, the newest first. */
export async function readActs(
  pool: Pool,
  accountId: number,
  { actions, subjects, fromMs, toMs, most }: ActsQuery,
): Promise<ReadAct[]> {
  const { rows } = await pool.query<ReadAct>(
    `SELECT at, action, subject, details, actor_user_id AS "actorUserId", as_user_id IS NOT NULL AS "byAdmin"
     FROM audit_log
     WHERE account_id = $1 AND action = ANY($2) AND subject = ANY($3) AND at >= $4 AND at < $5
     ORDER BY id DESC LIMIT $6`,
    [accountId, actions, subjects, new Date(fromMs), new Date(toMs), most],
  );
  return rows;
}
