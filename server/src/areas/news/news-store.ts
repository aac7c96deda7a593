import type { NewsMail } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { hasJobSql } from "../../platform/jobs/index.ts";

export const NEWS_QUEUE = "news-mail";

/** The recipients of one job. At half a minute per mail, the job ends within its hour. */
export const BATCH_PEOPLE = 100;

/** Selects subscribers; `u` is a row of `users`. Addresses under `.invalid` have no mailbox (RFC 2606). */
const READS_NEWS = "u.is_subscribed AND u.blocked_at IS NULL AND u.email NOT LIKE '%.invalid'";

export interface NewNews {
  uuid: string;
  subject: string;
  message: string;
  by: number;
  at: Date;
}

/** Stores the news with a mail for each subscriber. Null if news with this UUID exists already. */
export async function insertNews(
  client: PoolClient,
  { uuid, subject, message, by, at }: NewNews,
): Promise<{ people: number } | null> {
  const kept = await client.query<{ id: number }>(
    `INSERT INTO news (uuid, subject, message, sent_by, sent_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (uuid) DO NOTHING RETURNING id`,
    [uuid, subject, message, by, at],
  );
  const [news] = kept.rows;
  if (!news) return null;
  const mails = await client.query(
    `INSERT INTO news_mails (news_id, user_id, batch)
     SELECT $1, u.id, (row_number() OVER (ORDER BY u.id) - 1) / ${BATCH_PEOPLE} FROM users u WHERE ${READS_NEWS}`,
    [news.id],
  );
  return { people: mails.rowCount ?? 0 };
}

export async function countPeopleOf(client: PoolClient, uuid: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM news_mails m JOIN news n ON n.id = m.news_id WHERE n.uuid = $1",
    [uuid],
  );
  return rows[0]?.n ?? 0;
}

export async function countSubscribers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM users u WHERE ${READS_NEWS}`);
  return rows[0]?.n ?? 0;
}

interface KeptNews {
  id: number;
  subject: string;
  message: string;
}

export async function findNews(pool: Pool, uuid: string): Promise<KeptNews | undefined> {
  const { rows } = await pool.query<KeptNews>("SELECT id, subject, message FROM news WHERE uuid = $1", [uuid]);
  return rows[0];
}

/** The next mail to send. */
interface ClaimedMail {
  id: string;
  /** Null if the user was deleted. */
  userUuid: string | null;
  email: string | null;
  readsNews: boolean;
}

/** Marks the batch's next waiting mail as being sent. Undefined if none is waiting. */
export async function claimMail(pool: Pool, newsId: number, batch: number): Promise<ClaimedMail | undefined> {
  const { rows } = await pool.query<ClaimedMail>(
    `WITH claimed AS (
       UPDATE news_mails SET state = 'sending' WHERE id = (
         SELECT id FROM news_mails WHERE news_id = $1 AND batch = $2 AND state = 'waiting' ORDER BY id LIMIT 1)
       RETURNING id, user_id)
     SELECT c.id, u.uuid AS "userUuid", u.email, coalesce(${READS_NEWS}, false) AS "readsNews"
     FROM claimed c LEFT JOIN users u ON u.id = c.user_id`,
    [newsId, batch],
  );
  return rows[0];
}

export async function setMailState(
  pool: Pool,
  id: string,
  state: "waiting" | "sent" | "refused" | "left_out",
): Promise<void> {
  await pool.query("UPDATE news_mails SET state = $2 WHERE id = $1", [id, state]);
}

/** Marks mails as `unknown` that an earlier run of the batch was sending when its platform was killed. */
export async function endInterruptedMails(pool: Pool, newsId: number, batch: number): Promise<void> {
  await pool.query("UPDATE news_mails SET state = 'unknown' WHERE news_id = $1 AND batch = $2 AND state = 'sending'", [
    newsId,
    batch,
  ]);
}

/** Whether the batch of a mail `m` has a job that will still send it; `n` is its news. */
const HAS_JOB = hasJobSql(NEWS_QUEUE, "jsonb_build_object('uuid', n.uuid, 'batch', m.batch)");

/**
 * A mail's state as the desk tells it. Jobs end, also those of killed platforms: what then waits has failed, and of what
 * was being sent nobody knows the end.
 */
const SHOWN_STATE = `CASE WHEN m.state NOT IN ('waiting', 'sending') OR ${HAS_JOB} THEN m.state
  WHEN m.state = 'waiting' THEN 'failed' ELSE 'unknown' END`;

/**
 * Makes the mails of a state wait again, and returns the batches that need a job for it with their mails. A batch that has
 * a job is left to it. Undefined where there are no such news.
 */
export async function reviveMails(
  client: PoolClient,
  uuid: string,
  state: "failed" | "unknown",
): Promise<{ batch: number; mails: number }[] | undefined> {
  // Two admins at a time take turns, so that the second finds the jobs of the first.
  const news = await client.query("SELECT FROM news WHERE uuid = $1 FOR UPDATE", [uuid]);
  if (news.rowCount === 0) return undefined;
  const { rows } = await client.query<{ batch: number; mails: number }>(
    `WITH revived AS (
       UPDATE news_mails m SET state = 'waiting' FROM news n
       WHERE n.id = m.news_id AND n.uuid = $1 AND NOT ${HAS_JOB} AND ${SHOWN_STATE} = $2
       RETURNING m.batch)
     SELECT batch, count(*)::int AS mails FROM revived GROUP BY batch ORDER BY batch`,
    [uuid, state],
  );
  return rows;
}

export interface NewsRow extends Omit<NewsMail, "sent_at" | "counts"> {
  sent_at: Date;
  states: Readonly<Record<string, number>>;
}

/** The admins' list, for `paged`, newest first. */
export const NEWS_LIST = {
  columns: `n.uuid, n.subject, n.message, n.sent_at, s.email AS sent_by, (
      SELECT coalesce(jsonb_object_agg(state, mails), '{}') FROM (
        SELECT ${SHOWN_STATE} AS state, count(*) AS mails FROM news_mails m WHERE m.news_id = n.id GROUP BY 1) counted
      ) AS states`,
  from: `news n LEFT JOIN users s ON s.id = n.sent_by
    WHERE $1 = '' OR strpos(lower(n.subject), lower($1)) > 0 OR strpos(lower(n.message), lower($1)) > 0
      OR lower($1) = n.uuid::text`,
  orderBy: "n.id DESC",
};

export function newsMailOf({ sent_at, states, ...news }: NewsRow): NewsMail {
  const { waiting = 0, sending = 0, sent = 0, failed = 0, refused = 0, left_out = 0, unknown = 0 } = states;
  const people = Object.values(states).reduce((sum, mails) => sum + mails, 0);
  return {
    ...news,
    sent_at: sent_at.toISOString(),
    counts: { people, sent, waiting: waiting + sending, failed, refused, left_out, unknown },
  };
}

/** Ends a user's subscription. Returns the user's id, or undefined if the user was not subscribed. */
export async function endSubscription(client: PoolClient, userUuid: string): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>(
    "UPDATE users SET is_subscribed = false WHERE uuid = $1 AND is_subscribed RETURNING id",
    [userUuid],
  );
  return rows[0]?.id;
}
