import type { PlatformFigures } from "@millrace/contract";
import type { Pool } from "pg";
import { countJobs } from "../../../platform/jobs/index.ts";
import { countWaitingCreatives } from "../../campaigns/index.ts";
import { BY_HAND, countExcesses } from "../../payments/index.ts";
import { OWNERS } from "../find-owner.ts";

/** How many accounts and apps there are, and how many of them are newer than `since`. */
export async function readAccounts(pool: Pool, since: Date): Promise<PlatformFigures["accounts"]> {
  const { rows } = await pool.query<PlatformFigures["accounts"]>(
    `WITH owners AS (SELECT DISTINCT u.id, u.created_at FROM ${OWNERS}),
       live AS (SELECT p.created_at FROM apps p JOIN accounts a ON a.id = p.account_id AND a.deleted_at IS NULL
         WHERE p.deleted_at IS NULL)
     SELECT (SELECT count(*)::int FROM owners) AS users,
       (SELECT count(*)::int FROM owners WHERE created_at > $1) AS new_users,
       (SELECT count(*)::int FROM live) AS apps,
       (SELECT count(*)::int FROM live WHERE created_at > $1) AS new_apps`,
    [since],
  );
  return rows[0] ?? { users: 0, new_users: 0, apps: 0, new_apps: 0 };
}

type Waiting = Omit<PlatformFigures["waiting"], "journal">;

interface Row {
  count: number;
  since: Date | null;
}

/** New apps, and new or edited creatives, that wait for moderation. */
export async function countModeration(pool: Pool): Promise<{ apps: Row; creatives: Row }> {
  const [{ rows }, creatives] = await Promise.all([
    pool.query<Row>(
      `SELECT count(*)::int AS count, min(coalesce(p.waiting_since, p.created_at)) AS since FROM apps p
       JOIN accounts a ON a.id = p.account_id AND a.deleted_at IS NULL
       WHERE p.moderation = 'check' AND p.deleted_at IS NULL`,
    ),
    countWaitingCreatives(pool),
  ]);
  return { apps: rows[0] ?? { count: 0, since: null }, creatives };
}

/** All that waits for an admin, and jobs that are overdue, have failed, or were given up. */
export async function readWaiting(pool: Pool, now: Date): Promise<Waiting> {
  const one = async (sql: string): Promise<Row> => (await pool.query<Row>(sql)).rows[0] ?? { count: 0, since: null };
  const [{ apps, creatives }, support, disputes, payouts, drifts, excesses, jobs] = await Promise.all([
    countModeration(pool),
    one("SELECT count(*)::int AS count, min(created_at) AS since FROM support_messages WHERE replied_at IS NULL"),
    one(
      `SELECT count(*)::int AS count, min(d.disputed_at) AS since FROM deductions d
       JOIN accounts a ON a.id = d.account_id AND a.deleted_at IS NULL WHERE d.state = 'disputed'`,
    ),
    // A demo's settle by themselves. Those of deleted accounts are owed all the same.
    one(
      `SELECT count(*)::int AS count, min(p.changed_at) AS since FROM payouts p
       JOIN accounts a ON a.id = p.account_id WHERE ${BY_HAND}`,
    ),
    one("SELECT count(*)::int AS count, min(found_at) AS since FROM ledger_drifts WHERE accepted_at IS NULL"),
    countExcesses(pool),
    countJobs(pool, now),
  ]);
  return {
    moderation: asReply(apps),
    creatives: asReply(creatives),
    support: asReply(support),
    disputes: asReply(disputes),
    payouts: asReply(payouts),
    drifts: asReply(drifts),
    excesses,
    jobs: { waiting: jobs.waiting, retrying: jobs.retrying, since: jobs.since?.toISOString() ?? null },
    failed_jobs: asReply(jobs.failed),
  };
}

const asReply = ({ count, since }: Row) => ({ count, since: since?.toISOString() ?? null });
