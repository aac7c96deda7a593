import type { DeductionReason, PaidCause, PayoutState } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { PoolClient } from "pg";
import type { PostingKind } from "../ledger.ts";
import { CENT } from "../ledger.ts";
import { monthIsOver, payDayOf } from "../payouts/months.ts";
import { HELD_BY } from "../payouts/order-payouts.ts";
import { readPayables } from "../payouts/payables.ts";
import type { ReadDeps } from "../payouts/read-payouts.ts";
import { daysOf } from "./read-cells.ts";
import { type Steps, reportedOf } from "./three-numbers.ts";

interface PublisherMonth {
  accountId: number;
  month: string;
  /** The numbers of the month's traffic, of which the first two are the month's. */
  traffic: Steps;
}

/**
 * The steps of a publisher's month to the payment that its bank gets. They follow the balance: what was booked in the month, what was left from
 * before it, what was taken between its end and the payment, and why the rest is not paid. What none of them names is unexplained.
 */
export async function monthSteps(
  deps: ReadDeps,
  client: PoolClient,
  { accountId, month, traffic }: PublisherMonth,
): Promise<{ steps: Steps; paidOn: string; paidWith: string | null }> {
  const { estimated, toReported } = traffic;
  const steps = new Map<PaidCause, bigint>();
  const take = (cause: PaidCause, micros: bigint) => steps.set(cause, (steps.get(cause) ?? 0n) + micros);
  // The publisher's balance follows events, so whatever partners report otherwise is the platform's.
  take("borne", estimated - reportedOf(traffic));
  const movements = await movementsOf(client, accountId, month);
  for (const { kind, on, of, reason, micros } of movements) {
    if (kind === "accrual") {
      if (on === "within" && of !== "within") take("earlier_days", micros);
      if (on !== "within" && of === "within") take("booked_later", -micros);
    }
    if (on === "before" || (on === "within" && kind.startsWith("payout"))) take("carried", micros);
    if (on !== "within") continue;
    if (kind === "deduction") take(micros > 0n ? "given_back" : `deducted_${reason ?? "discrepancy"}`, micros);
    if (kind === "bonus" || kind === "correction") take(kind, micros);
  }
  const atEnd = movements.reduce((sum, { on, micros }) => (on === "after" ? sum : sum + micros), 0n);
  const { paid, paidOn, paidWith } = await takePayment(deps, client, { accountId, month, atEnd, take });
  const named = [...steps.values()].reduce((sum, micros) => sum + micros, 0n);
  take("unexplained", paid - reportedOf(traffic) - named);
  return {
    steps: { estimated, toReported, toPaid: steps },
    paidOn,
    paidWith,
  };
}

interface Ended {
  accountId: number;
  month: string;
  /** The balance at the month's end. */
  atEnd: bigint;
  take: (cause: PaidCause, micros: bigint) => void;
}

/** Takes the steps from what a month's end left on the balance to what its bank gets of it, and says when. */
async function takePayment(
  deps: ReadDeps,
  client: PoolClient,
  { accountId, month, atEnd, take }: Ended,
): Promise<{ paid: bigint; paidOn: string; paidWith: string | null }> {
  const payout = await payoutOf(client, accountId, month);
  if (!payout) {
    const later = atEnd < BigInt(deps.terms.minimumMicros) ? undefined : await laterPayoutOf(client, accountId, month);
    if (later) take("paid_later", -atEnd);
    else await takeUnpaid(deps, client, { accountId, month, atEnd, take });
    return { paid: 0n, paidOn: later?.on ?? payDayOf(month, deps.terms.day), paidWith: later?.month ?? null };
  }
  const taken = payout.before < atEnd ? payout.before - atEnd : 0n;
  take("taken_since", taken);
  const cents = payout.amount - (atEnd + taken);
  // Less than a cent is not paid.
  if (cents <= 0n && cents > -CENT) take("cents", cents);
  if (payout.state === "paid") return { paid: payout.amount, paidOn: payout.on, paidWith: null };
  take(payout.held ?? (payout.state === "rejected" ? "returned" : "on_its_way"), -payout.amount);
  return { paid: 0n, paidOn: payout.on, paidWith: null };
}

type When = "before" | "within" | "after";
interface Movement {
  kind: PostingKind;
  /** When it counts, and when the traffic was that it is about, seen from the month. */
  on: When;
  of: When | null;
  reason: DeductionReason | null;
  micros: bigint;
}

const WHEN = (day: string) =>
  `CASE WHEN ${day} < $2 THEN 'before' WHEN ${day} <= $3 THEN 'within' WHEN ${day} IS NOT NULL THEN 'after' END`;

/** What moved a balance, by kind and time; deductions and what is given back of them apart. */
async function movementsOf(client: PoolClient, accountId: number, month: string): Promise<Movement[]> {
  const { ds, de } = daysOf(month);
  const { rows } = await client.query<Omit<Movement, "micros"> & { micros: string }>(
    `SELECT p.kind, ${WHEN("p.on_day")} AS on, ${WHEN("p.for_day")} AS of, d.reason, -sum(l.amount_micros) AS micros
     FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
     LEFT JOIN deductions d ON p.kind = 'deduction' AND split_part(p.reference, ' ', 2) = d.uuid::text
     WHERE l.account_id = $1 AND l.book = 'publisher_balance'
     GROUP BY p.kind, 2, 3, d.reason, p.kind = 'deduction' AND l.amount_micros < 0`,
    [accountId, ds, de],
  );
  return rows.map(({ micros, ...movement }) => ({ ...movement, micros: BigInt(micros) }));
}

interface Payout<M> {
  state: PayoutState;
  amount: M;
  before: M;
  on: string;
  /** What keeps one that is due from being ordered. */
  held: "drift" | "blocked" | null;
}

/** The payout of a month: `before` is what the balance was when it was taken off it, of which nothing about later days is paid. */
async function payoutOf(client: PoolClient, accountId: number, month: string): Promise<Payout<bigint> | undefined> {
  const { ds, de } = daysOf(month);
  const { rows } = await client.query<Payout<string>>(
    `SELECT p.state, p.amount_micros AS amount, (p.created_at AT TIME ZONE 'UTC')::date::text AS on, (
       SELECT coalesce(least(-sum(l.amount_micros), -sum(l.amount_micros) FILTER (WHERE coalesce(o.for_day <= $3, true))), 0)
       FROM ledger_lines l JOIN ledger_postings o ON o.id = l.posting_id
       WHERE l.account_id = p.account_id AND l.book = 'publisher_balance' AND l.posting_id < g.id) AS before,
       ${HELD_BY} AS held
     FROM payouts p JOIN ledger_postings g ON g.reference = 'payout ' || p.id::text
     WHERE p.account_id = $1 AND p.period = $2`,
    [accountId, ds, de],
  );
  const [row] = rows;
  return row && { ...row, amount: BigInt(row.amount), before: BigInt(row.before) };
}

interface LaterPayout {
  month: string;
  on: string;
}

/** The payout of a later month that pays a month without one: what was held back then is part of it. */
async function laterPayoutOf(client: PoolClient, accountId: number, month: string): Promise<LaterPayout | undefined> {
  const { rows } = await client.query<LaterPayout>(
    `SELECT to_char(period, 'YYYY-MM') AS month, (created_at AT TIME ZONE 'UTC')::date::text AS on FROM payouts
     WHERE account_id = $1 AND period > $2 AND state <> 'rejected' ORDER BY period LIMIT 1`,
    [accountId, daysOf(month).ds],
  );
  return rows[0];
}

/** Takes the steps of a month without a payout, and without a later one that pays it: what its payment would be, and why it has none. */
async function takeUnpaid(
  { clock, provider, terms }: ReadDeps,
  client: PoolClient,
  { accountId, month, atEnd, take }: Ended,
): Promise<void> {
  const today = dayOf(clock.now());
  if (!monthIsOver(month, today)) return take("month_runs", -atEnd);
  // It was part of later months from its end on, whatever was taken of them.
  if (atEnd < BigInt(terms.minimumMicros)) return take("below_minimum", -atEnd);
  const [payable] = await readPayables(client, { month, provider: provider.id, ...terms }, accountId);
  // A demo's account on a platform that is none any more has no payable.
  const { amountMicros, restMicros, blocks } = payable ?? { amountMicros: atEnd, restMicros: 0n, blocks: [] };
  take("taken_since", amountMicros + restMicros - atEnd);
  take("cents", -restMicros);
  const isDue = payDayOf(month, terms.day) <= today;
  // What else stands against it may be gone by then.
  const block = isDue ? blocks[0] : blocks.find((each) => each === "below_minimum");
  take(block ?? "not_yet_paid", -amountMicros);
}
