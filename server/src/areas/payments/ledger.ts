import type { StatementCause } from "@millrace/contract";
import { MICROS_PER_CENT, dayOf } from "@millrace/units";
import type { PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";

/** A cent in the micro-dollars of the ledger, which are bigints. Providers and documents have whole cents. */
export const CENT = BigInt(MICROS_PER_CENT);

/**
 * The ledger's accounts. Debits are positive: what the platform has (`cash`, `partner_receivable`) and has given up
 * (`adjustments`) is in debit, what it owes (`campaign_balance`, `publisher_balance`, `payouts_due`) and has earned
 * (`platform_fees`) is in credit. `partner_differences` is what partners report less than events say, or more (in credit). `campaign_costs` is what campaigns have used of their advertiser's `campaign_balance`.
 */
export const BOOKS = [
  "cash",
  "campaign_balance",
  "campaign_costs",
  "partner_receivable",
  "partner_differences",
  "publisher_balance",
  "payouts_due",
  "platform_fees",
  "adjustments",
] as const;
export type Book = (typeof BOOKS)[number];

export const POSTING_KINDS = [
  /** An advertiser's balance is topped up. */
  "refill",
  /** A refill that was a mistake, or a part of it, is taken off the balance again. */
  "refill_taken_back",
  /** The platform gives an advertiser something back, or takes that off again; no money is received. */
  "advertiser_credit",
  /** What a day's impressions were sold for, and later differences of that day. */
  "accrual",
  /** Spend of a day that no impression proves goes back to the advertiser. */
  "return",
  "bonus",
  "correction",
  "deduction",
  /** What a partner owes by its statement, less what events say. */
  "statement",
  /** A payout takes the publisher's money, then leaves the platform, or comes back. */
  "payout",
  "payout_sent",
  "payout_returned",
] as const;
export type PostingKind = (typeof POSTING_KINDS)[number];

/** One line of a posting: debits are positive, credits negative, in micro-dollars. */
export interface Line {
  book: Book;
  /** Whose book it is: a publisher's or an advertiser's account; null for the platform's. */
  accountId: number | null;
  amountMicros: bigint;
  /** What was sold. */
  appId?: number;
  provider?: string;
  campaignId?: number;
}

export interface Posting {
  /** The posting's reference. The same reference is booked only once. */
  reference: string;
  kind: PostingKind;
  reason: string;
  actorUserId: number | null;
  at: Date;
  /** The UTC day on which it counts, in a month that is not closed; the day of `at` if left out. */
  onDay?: string;
  /** The UTC day of the traffic that it is about. */
  forDay?: string;
  /** Of a statement: why it is not what events say. */
  cause?: StatementCause;
  lines: readonly [Line, Line, ...Line[]];
}

/**
 * Books a posting in the client's transaction. Returns false, without effect, if its reference is booked already.
 * Throws RangeError if the lines do not sum to zero; the store refuses such a posting too, and one in a closed month.
 */
export async function bookPosting(client: PoolClient, posting: Posting): Promise<boolean> {
  const { reference, kind, reason, actorUserId, at, lines } = posting;
  const sum = lines.reduce((total, line) => total + line.amountMicros, 0n);
  if (sum !== 0n) throw new RangeError(`The posting ${reference} is ${sum} micros out of balance`);
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO ledger_postings (reference, kind, reason, actor_user_id, at, on_day, for_day, cause)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (reference) DO NOTHING RETURNING id`,
    [
      reference,
      kind,
      reason,
      actorUserId,
      at,
      posting.onDay ?? dayOf(at.getTime()),
      posting.forDay ?? null,
      posting.cause ?? null,
    ],
  );
  const [booked] = rows;
  if (!booked) return false;
  await client.query(
    `INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros, app_id, provider, campaign_id)
     SELECT $1, nth - 1, book, account_id, amount_micros, app_id, provider, campaign_id
     FROM unnest($2::text[], $3::integer[], $4::bigint[], $5::integer[], $6::text[], $7::integer[])
       WITH ORDINALITY AS u(book, account_id, amount_micros, app_id, provider, campaign_id, nth)`,
    [
      booked.id,
      lines.map(({ book }) => book),
      lines.map(({ accountId }) => accountId),
      lines.map(({ amountMicros }) => amountMicros.toString()),
      lines.map(({ appId }) => appId ?? null),
      lines.map(({ provider }) => provider ?? ""),
      lines.map(({ campaignId }) => campaignId ?? null),
    ],
  );
  return true;
}

/** Books a posting whose reference must be new: one that is booked already is a fault, not a repetition. */
export async function bookNew(client: PoolClient, posting: Posting): Promise<void> {
  if (!(await bookPosting(client, posting))) throw new Error(`The posting ${posting.reference} is booked already`);
}

/**
 * Books a posting that a person asks for, whose reference has a key of theirs. Returns whether it is new: a repetition is not booked again.
 * Problem `conflict` if the reference has another kind, reason or lines; `what` tells what of, such as `refill`.
 */
export async function bookOnce(client: PoolClient, what: string, posting: Posting): Promise<boolean> {
  if (await bookPosting(client, posting)) return true;
  const { kind, reason, lines } = posting;
  const same = await client.query(
    `SELECT FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id WHERE p.reference = $1 AND p.kind = $2 AND p.reason = $3
     GROUP BY p.id HAVING array_agg(l.book ORDER BY l.line) = $4::text[]
       AND array_agg(l.account_id ORDER BY l.line) = $5::integer[] AND array_agg(l.amount_micros ORDER BY l.line) = $6::bigint[]`,
    [
      posting.reference,
      kind,
      reason,
      lines.map(({ book }) => book),
      lines.map(({ accountId }) => accountId),
      lines.map(({ amountMicros }) => amountMicros.toString()),
    ],
  );
  if (same.rowCount === 1) return false;
  throw new Problem(
    "conflict",
    `Another ${what} has been booked with this key. Please check the balance and start again`,
  );
}

/**
 * Taken before past days are compared with what is booked for them, and held until the transaction ends: otherwise two runs would
 * each book the same difference, and a month could close after it was found open.
 */
export const PAST_DAYS_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('accrual', 0))";

/** Closes a month (`2026-10`): nothing more can be booked in it. Returns false if it was closed before. */
export async function closeMonth(client: PoolClient, month: string, at: Date): Promise<boolean> {
  await client.query(PAST_DAYS_LOCK);
  // Waits for postings on their way and keeps new ones waiting, so that none slips in.
  await client.query("LOCK TABLE ledger_postings IN SHARE ROW EXCLUSIVE MODE");
  const { rowCount } = await client.query(
    "INSERT INTO closed_months (month, closed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [`${month}-01`, at],
  );
  return rowCount === 1;
}
