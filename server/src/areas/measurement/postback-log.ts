import { POSTBACK_OUTCOMES, type PostbackLine, type PostbackOutcome } from "@millrace/contract";
import { DAY_MS, dayOf } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { type Counter, counter } from "../../platform/http/throttle.ts";
import type { Log } from "../../platform/log.ts";
import type { TakenPostback } from "./take-postback.ts";

/** Lines per minute that are kept of one account and outcome: enough to look at, too few to fill a disk. */
const KEPT_A_MINUTE = 30;
const FLUSH_MS = 3000;
const SHOWN = 50;
const COUNTED_DAYS = 30;
/** Between two flushes a flood is a few entries; a process that serves this many accounts flushes early. */
const MOST_COUNTS = 2000;

interface Counted {
  accountId: number;
  campaignId: number;
  day: string;
  outcome: PostbackOutcome;
}

/**
 * What became of postbacks: the latest ones as lines, and all of them as counts. Counts reach the store every few seconds; a
 * crash loses those of the last seconds, never a conversion.
 */
export class PostbackLog {
  readonly #deps: { pool: Pool; clock: Clock; log: Log };
  readonly #lately: Counter = counter({ windowSeconds: 60 });
  #flushing: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #counts = new Map<string, { counted: Counted; postbacks: number }>();

  constructor(deps: { pool: Pool; clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  /** Never fails: what happened to a postback does not depend on whether it can be shown. */
  async add(accountId: number, taken: TakenPostback): Promise<void> {
    const { pool, clock, log } = this.#deps;
    const { outcome, campaignId, event, transactionId, kind, isTest } = taken;
    const now = clock.now();
    if (!isTest) this.#count({ accountId, campaignId, day: dayOf(now), outcome });
    if ((await this.#lately(`${accountId} ${outcome}`)) > KEPT_A_MINUTE) return;
    try {
      await pool.query(
        `INSERT INTO postbacks (account_id, campaign_id, at, event, transaction_id, kind, outcome, is_test)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [accountId, campaignId, new Date(now), event, transactionId, kind, outcome, isTest],
      );
    } catch (error) {
      log.warn({ err: error }, "a postback's line could not be kept");
    }
  }

  #count(counted: Counted, postbacks = 1): void {
    const key = Object.values(counted).join(" ");
    const known = this.#counts.get(key);
    if (known) known.postbacks += postbacks;
    else this.#counts.set(key, { counted, postbacks });
    if (this.#counts.size >= MOST_COUNTS) void this.flush();
    else this.#flushing ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes what is counted. One at a time, so that it waits for what is already being written, too. */
  flush(): Promise<void> {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    if (counts.length === 0) return;
    try {
      await this.#deps.pool.query(
        `INSERT INTO postback_counts (account_id, campaign_id, day, outcome, postbacks)
         SELECT * FROM unnest($1::int[], $2::int[], $3::date[], $4::text[], $5::bigint[])
         ON CONFLICT (account_id, campaign_id, day, outcome)
         DO UPDATE SET postbacks = postback_counts.postbacks + EXCLUDED.postbacks`,
        [
          counts.map(({ counted }) => counted.accountId),
          counts.map(({ counted }) => counted.campaignId),
          counts.map(({ counted }) => counted.day),
          counts.map(({ counted }) => counted.outcome),
          counts.map(({ postbacks }) => postbacks),
        ],
      );
    } catch (error) {
      this.#deps.log.warn({ err: error }, "counts of postbacks could not be kept; they are tried again");
      // A store that is away for long must neither fill the memory nor be asked without a pause.
      for (const { counted, postbacks } of counts)
        if (this.#counts.size < MOST_COUNTS - 1) this.#count(counted, postbacks);
    }
  }
}

interface Line {
  id: string;
  at: Date;
  event: string;
  transaction_id: string;
  kind: "click" | "view" | null;
  outcome: string;
  is_test: boolean;
}

/** A campaign's latest postbacks, and those that name none of the account's, newest first. */
export async function latestPostbacks(pool: Pool, accountId: number, campaignId: number): Promise<PostbackLine[]> {
  const { rows } = await pool.query<Line>(
    `SELECT id, at, event, transaction_id, kind, outcome, is_test FROM postbacks
     WHERE account_id = $1 AND campaign_id IN (0, $2) ORDER BY id DESC LIMIT ${SHOWN}`,
    [accountId, campaignId],
  );
  return rows.map(({ id, at, outcome, is_test, ...line }) => ({
    ...line,
    id: Number(id),
    at: at.toISOString(),
    outcome: knownOutcome(outcome),
    test: is_test,
  }));
}

/** A campaign's postbacks of the last days by outcome, with those that name no campaign of the account. */
export async function postbackCounts(
  pool: Pool,
  { accountId, campaignId, nowMs }: { accountId: number; campaignId: number; nowMs: number },
): Promise<Partial<Record<PostbackOutcome, number>>> {
  const { rows } = await pool.query<{ outcome: string; postbacks: string }>(
    `SELECT outcome, sum(postbacks) AS postbacks FROM postback_counts
     WHERE account_id = $1 AND campaign_id IN (0, $2) AND day > $3::date - ${COUNTED_DAYS} GROUP BY outcome`,
    [accountId, campaignId, dayOf(nowMs)],
  );
  return Object.fromEntries(rows.map(({ outcome, postbacks }) => [knownOutcome(outcome), Number(postbacks)]));
}

const knownOutcome = (text: string): PostbackOutcome =>
  POSTBACK_OUTCOMES.find((outcome) => outcome === text) ?? "malformed";

/** Deletes what nobody looks at any more. */
export async function forgetPostbacks(pool: Pool, nowMs: number): Promise<void> {
  const daysAgo = (days: number) => new Date(nowMs - days * DAY_MS);
  await pool.query("DELETE FROM postbacks WHERE at < $1", [daysAgo(COUNTED_DAYS)]);
  await pool.query("DELETE FROM postback_counts WHERE day < $1", [daysAgo(400)]);
}
