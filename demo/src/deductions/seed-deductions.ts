import type { ClickHouseClient } from "@clickhouse/client";
import type { DeductionReason, Verdict } from "@millrace/contract";
import { DAY_MS, MICROS_PER_CENT, addDays, dayOf } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { randomUUID } from "node:crypto";
import { answerDeduction, noteDeduction } from "../../../server/src/areas/payments/index.ts";
import { inTransaction } from "../../../server/src/platform/postgres/in-transaction.ts";

interface DemoDeduction {
  reason: DeductionReason;
  explanation: string;
  /** The day of the traffic, counted back from the day on which history ends. */
  daysBack: number;
  /** Which of the day's sales, the best one first. */
  nth: number;
  /** The part of what was earned. */
  share: number;
  /** We found it ourselves, so it names no partner. */
  foundByUs?: true;
  /** How many days ago it was noted, disputed and answered. */
  notedDaysAgo: number;
  dispute?: { daysAgo: number; text: string };
  answer?: { daysAgo: number; verdict: Verdict; text: string };
}

/** One can be disputed, one waits for an answer, and one was given back. */
const DEDUCTIONS: readonly DemoDeduction[] = [
  {
    reason: "time_zone",
    explanation: "The partner's day ends at midnight in Los Angeles, and its daily count has less for this one",
    daysBack: 12,
    nth: 2,
    share: 0.04,
    notedDaysAgo: 9,
    dispute: {
      daysAgo: 8,
      text: "What is missing here is on the partner's next day, and was counted there once more.",
    },
    answer: {
      daysAgo: 6,
      verdict: "reversed",
      text: "You are right: both days together agree with the partner's daily counts. The amount is back on your balance.",
    },
  },
  {
    reason: "invalid_traffic",
    explanation: "Clicks from one internet connection within a second of their impressions",
    daysBack: 8,
    nth: 1,
    share: 0.06,
    foundByUs: true,
    notedDaysAgo: 5,
    dispute: {
      daysAgo: 3,
      text: "A school plays our game in its breaks, and all of its tablets share one connection. These are real players.",
    },
  },
  {
    reason: "discrepancy",
    explanation: "The partner's daily count has fewer impressions than ours",
    daysBack: 5,
    nth: 0,
    share: 0.05,
    notedDaysAgo: 2,
  },
];
const SAMPLES = 3;

interface Seed {
  publisher: { accountId: number; userId: number };
  adminUserId: number;
  /** When history ends. */
  untilMs: number;
  nowMs: number;
}

/**
 * Notes deductions from what the demo's publisher earned in the written history, unless the account has ever had one.
 * Resolves to false while a job has not booked their days yet.
 */
export async function seedDeductions(
  { pool, read }: { pool: Pool; read: ClickHouseClient },
  seed: Seed,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { accountId } = seed.publisher;
    await client.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
    const { rowCount } = await client.query("SELECT FROM deductions WHERE account_id = $1 LIMIT 1", [accountId]);
    if (rowCount !== 0) return true;
    const planned: { deduction: DemoDeduction; sale: Sale }[] = [];
    for (const deduction of DEDUCTIONS) {
      const sale = await saleOf(client, accountId, addDays(dayOf(seed.untilMs), -deduction.daysBack), deduction.nth);
      if (!sale) return false;
      planned.push({ deduction, sale });
    }
    for (const { deduction, sale } of planned) await seedDeduction(client, read, { ...seed, deduction, sale });
    return true;
  });
}

interface Sale {
  day: string;
  appId: number;
  provider: string;
  micros: number;
}

/** One of the best sales of a day to a partner, each of another app. */
async function saleOf(client: PoolClient, accountId: number, day: string, nth: number): Promise<Sale | undefined> {
  const { rows } = await client.query<Sale>(
    `SELECT * FROM (
       SELECT DISTINCT ON (l.app_id) p.for_day::text AS day, l.app_id AS "appId", l.provider, -l.amount_micros::float8 AS micros
       FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
       WHERE p.kind = 'accrual' AND p.for_day = $2 AND l.account_id = $1 AND l.book = 'publisher_balance'
         AND l.campaign_id IS NULL AND l.amount_micros < 0
       ORDER BY l.app_id, l.amount_micros
     ) best ORDER BY micros DESC OFFSET $3 LIMIT 1`,
    [accountId, day, nth],
  );
  return rows[0];
}

async function seedDeduction(
  client: PoolClient,
  read: ClickHouseClient,
  { publisher, adminUserId, nowMs, deduction, sale }: Seed & { deduction: DemoDeduction; sale: Sale },
): Promise<void> {
  const { accountId, userId } = publisher;
  const { reason, explanation, share, foundByUs = false, dispute, answer } = deduction;
  const amountMicros = Math.floor((sale.micros * share) / MICROS_PER_CENT) * MICROS_PER_CENT;
  const { uuid } = await noteDeduction(client, {
    key: randomUUID(),
    accountId,
    appId: sale.appId,
    provider: foundByUs ? null : sale.provider,
    day: sale.day,
    reason,
    amountMicros: Math.max(amountMicros, 1),
    explanation,
    auctions: await samplesOf(read, sale),
    actorUserId: adminUserId,
    at: daysAgo(nowMs, deduction.notedDaysAgo),
  });
  if (dispute) {
    await client.query(
      "UPDATE deductions SET state = 'disputed', dispute = $2, disputed_at = $3, disputed_by = $4 WHERE uuid = $1",
      [uuid, dispute.text, daysAgo(nowMs, dispute.daysAgo), userId],
    );
  }
  if (answer) {
    const at = daysAgo(nowMs, answer.daysAgo);
    await answerDeduction(client, { uuid, verdict: answer.verdict, answer: answer.text, actorUserId: adminUserId, at });
  }
}

/** Never before the start of this month, because an earlier month may be closed. */
const daysAgo = (nowMs: number, days: number): Date =>
  new Date(Math.max(nowMs - days * DAY_MS, Date.parse(`${dayOf(nowMs).slice(0, 7)}-01`)));

/** Some of the auctions that led to a sale; none if they are no longer kept. */
async function samplesOf(read: ClickHouseClient, { appId, day, provider }: Sale): Promise<string[]> {
  const found = await read.query({
    query: `SELECT DISTINCT toString(auction_id) AS auction FROM auctions
            WHERE app_id = {appId:UInt32} AND toDate(at, 'UTC') = {day:Date} AND winner = {provider:String}
            ORDER BY auction LIMIT ${SAMPLES}`,
    query_params: { appId, day, provider },
    format: "JSONEachRow",
  });
  return (await found.json<{ auction: string }>()).map(({ auction }) => auction);
}
