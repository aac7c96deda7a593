import {
  type Cashout,
  HISTORY_PER_PAGE,
  type NextPayment,
  type PayoutState,
  type WithdrawalStatus,
} from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { paged } from "../../../platform/postgres/paged.ts";
import { publisherBalanceOf } from "../balances.ts";
import { lastBookedDay } from "../read-books.ts";
import { HELD } from "./order-payouts.ts";
import { monthIsOver, nextMonth, monthToPay, payDayOf } from "./months.ts";
import { readPayables } from "./payables.ts";
import type { PayoutProvider } from "./provider.ts";

export interface PayoutTerms {
  /** The day of the month on which the last month is paid, 1 to 28. */
  day: number;
  /** Less than this stays on the balance. */
  minimumMicros: number;
  /** Whether the platform is a demo, which pays its demo's publishers. */
  demo: boolean;
}

export interface ReadDeps {
  pool: Pool;
  clock: Clock;
  provider: PayoutProvider;
  terms: PayoutTerms;
}

const STATUS = {
  due: "opened",
  sending: "opened",
  sent: "opened",
  paid: "accepted",
  rejected: "rejected",
} as const satisfies Record<PayoutState, WithdrawalStatus>;

interface Row {
  id: string;
  createdAt: Date;
  month: string;
  amount: string;
  method: string;
  state: PayoutState;
  changedAt: Date;
  reason: string;
}

const COLUMNS = `id, created_at AS "createdAt", to_char(period, 'YYYY-MM') AS month, amount_micros AS amount, method,
  state, changed_at AS "changedAt", reason`;

/** A page of an account's payouts, newest first; `p` counts from 0. */
export async function readCashouts(
  { pool }: Pick<ReadDeps, "pool">,
  accountId: number,
  p: number,
): Promise<{ cashouts: Cashout[]; page_cnt: number }> {
  const query = { columns: COLUMNS, from: "payouts WHERE account_id = $1", orderBy: "period DESC" };
  const { rows, pager } = await paged<Row>(pool, query, [accountId], { p, perPage: HISTORY_PER_PAGE });
  return {
    cashouts: rows.map(({ id, createdAt, month, amount, method, state, changedAt, reason }) => ({
      id,
      date: createdAt.toISOString(),
      month,
      amount: Number(amount),
      method,
      status: STATUS[state],
      changed_at: changedAt.toISOString(),
      reason,
    })),
    page_cnt: pager.last_page,
  };
}

const IS_HELD = `(${HELD.drift} OR ${HELD.blocked})`;

interface Sums {
  onItsWay: string;
  held: string;
  paid: string;
  last: string | null;
  method: string | null;
}

/** What an account has on its balance and on its way, and what it will be paid next. */
export async function readNextPayment(deps: ReadDeps, accountId: number): Promise<NextPayment> {
  const { pool, provider, terms } = deps;
  const { rows } = await pool.query<Sums>(
    `SELECT coalesce(sum(amount_micros) FILTER (WHERE state IN ('sending', 'sent') OR state = 'due' AND NOT ${IS_HELD}), 0) AS "onItsWay",
            coalesce(sum(amount_micros) FILTER (WHERE state = 'due' AND ${IS_HELD}), 0) AS held,
            coalesce(sum(amount_micros) FILTER (WHERE state = 'paid'), 0) AS paid,
            to_char(max(period), 'YYYY-MM') AS last,
            (SELECT method FROM payees WHERE account_id = $1 AND provider = $2) AS method
     FROM payouts p WHERE account_id = $1`,
    [accountId, provider.id],
  );
  const [sums] = rows;
  return {
    balance: await publisherBalanceOf(pool, accountId),
    booked_until: await lastBookedDay(pool),
    on_its_way: Number(sums?.onItsWay ?? 0),
    ...(Number(sums?.held ?? 0) > 0 && { held_back: Number(sums?.held) }),
    paid: Number(sums?.paid ?? 0),
    provider: provider.id,
    method: sums?.method ?? null,
    minimum: terms.minimumMicros,
    next: await nextOf(deps, accountId, sums?.last ?? null),
  };
}

/** `last` is the last month that was paid. */
async function nextOf(
  { pool, clock, provider, terms }: ReadDeps,
  accountId: number,
  last: string | null,
): Promise<NextPayment["next"]> {
  const today = dayOf(clock.now());
  const isDone = (month: string) => last !== null && last >= month;
  let month = monthToPay(today, terms.day);
  for (;;) {
    const over = monthIsOver(month, today);
    const [payable] = await readPayables(pool, { month, provider: provider.id, ...terms }, accountId);
    const isTooLittle = payable === undefined || payable.blocks.includes("below_minimum");
    // What was not enough on its day stays on the balance, for the months after it. A month without any is not paid at all.
    const isPast = (payDayOf(month, terms.day) <= today && isTooLittle) || (over && payable === undefined);
    if (!isDone(month) && !isPast) {
      return {
        month,
        on: payDayOf(month, terms.day),
        amount: Number(payable?.amountMicros ?? 0n),
        month_is_over: over,
        blocks: (payable?.blocks ?? ["below_minimum", "no_details"]).filter(
          (block) => over || block !== "below_minimum",
        ),
      };
    }
    month = nextMonth(month);
  }
}
