import {
  ADMIN_ROWS_PER_PAGE,
  type AdminPayouts,
  type PayoutState,
  type Query,
  type adminPayouts,
} from "@millrace/contract";
import { type DayRange, dayOf, formatDay } from "@millrace/units";
import type { Pool } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { ownerColumn } from "../../../platform/postgres/account-owner.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { paged } from "../../../platform/postgres/paged.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { monthIsOver, monthToPay, nextMonth, payDayOf } from "./months.ts";
import { HELD, IN_FLIGHT_MS, type OrderDeps, refreshPayouts } from "./order-payouts.ts";
import { type Payable, readPayables } from "./payables.ts";
import type { ReadDeps } from "./read-payouts.ts";
import { CAME_BACK, payByHand, settle } from "./settle-payout.ts";

/** Accounts that a dry run names; the rest is counted. */
const MOST_ACCOUNTS = 200;

interface Row {
  id: string;
  account: string | null;
  month: string;
  amount: string;
  method: string;
  provider: string;
  state: PayoutState;
  createdAt: Date;
  changedAt: Date;
  /** When the account was deleted. */
  deletedAt: Date | null;
  askedAt: Date | null;
  cameBack: boolean;
  isByHand: boolean;
  reason: string;
  drifts: boolean;
  blocked: boolean;
}

const OWNER = ownerColumn("email", "p.account_id");

/** SQL: whether a payout `p` of the account `a` waits for an admin. The built-in provider pays a demo's payouts by itself. */
export const BY_HAND = "p.state = 'sent' AND p.provider = 'sandbox' AND NOT a.demo";

/** `$1` is a part of the owner's e-mail or of the method. */
const QUERY = {
  columns: `p.id, to_char(p.period, 'YYYY-MM') AS month, p.amount_micros AS amount, p.method, p.provider, p.state, p.reason,
    p.created_at AS "createdAt", p.changed_at AS "changedAt", p.asked_at AS "askedAt",
    a.deleted_at AS "deletedAt", ${CAME_BACK} AS "cameBack",
    ${BY_HAND} AS "isByHand", p.state = 'due' AND ${HELD.drift} AS drifts, p.state = 'due' AND ${HELD.blocked} AS blocked,
    ${OWNER} AS account`,
  from: `payouts p JOIN accounts a ON a.id = p.account_id
    WHERE $1 = '' OR strpos(lower(coalesce(${OWNER}, '') || ' ' || p.method), lower($1)) > 0`,
  orderBy: "p.created_at DESC, p.id",
};

/** What the next run would pay and whom not, and a page of the payouts made, newest first; `p` counts from 0. */
export async function readAdminPayouts(
  deps: ReadDeps,
  { search, p }: Query<typeof adminPayouts>,
): Promise<AdminPayouts> {
  const { pool, provider, terms } = deps;
  const { rows, pager } = await paged<Row>(pool, QUERY, [search], { p, perPage: ADMIN_ROWS_PER_PAGE });
  return {
    provider: provider.id,
    minimum: terms.minimumMicros,
    run: await dryRun(deps),
    payouts: rows.map(
      ({
        amount,
        createdAt,
        changedAt,
        deletedAt,
        askedAt,
        cameBack,
        isByHand,
        provider: by,
        drifts,
        blocked,
        ...row
      }) => ({
        ...row,
        ...((drifts || blocked) && {
          blocks: [...(drifts ? (["drift"] as const) : []), ...(blocked ? (["blocked"] as const) : [])],
        }),
        ...(isByHand && { by_hand: isByHand }),
        askable: by === provider.id && !isByHand && (row.state === "sending" || row.state === "sent"),
        settleable: isForAdmins(deps, { state: row.state, provider: by, changedAt, deletedAt, cameBack }),
        amount: Number(amount),
        created_at: createdAt.toISOString(),
        changed_at: changedAt.toISOString(),
        asked_at: askedAt?.toISOString() ?? null,
      }),
    ),
    pager,
  };
}

/**
 * The run of the month that is due while it has somebody to pay, otherwise that of the next month. An account that is held back appears there
 * with the amounts of both months; what is held back of the month that is due is paid as soon as nothing holds it.
 */
async function dryRun(deps: ReadDeps): Promise<AdminPayouts["run"]> {
  const { clock, terms } = deps;
  const today = dayOf(clock.now());
  const due = monthToPay(today, terms.day);
  const ofDue = (await unpaid(deps, due)).filter(({ blocks }) => !blocks.includes("below_minimum"));
  const isDue = ofDue.some(({ blocks }) => blocks.length === 0);
  const month = isDue ? due : nextMonth(due);
  const payables = isDue ? ofDue : await unpaid(deps, month);
  const emails = await emailsOf(deps.pool, payables);
  const accounts = payables.map(({ accountId, amountMicros, blocks }) => ({
    account: emails.get(accountId) ?? "",
    amount: Number(amountMicros),
    blocks,
  }));
  const total = accounts.filter(({ blocks }) => blocks.length === 0).reduce((sum, { amount }) => sum + amount, 0);
  return {
    month,
    on: payDayOf(month, terms.day),
    month_is_over: monthIsOver(month, today),
    total,
    accounts: accounts.toSorted((one, other) => other.amount - one.amount).slice(0, MOST_ACCOUNTS),
    left_off: Math.max(0, accounts.length - MOST_ACCOUNTS),
    ...(!isDue &&
      ofDue.length > 0 && {
        held: {
          month: due,
          on: payDayOf(due, terms.day),
          accounts: ofDue.length,
          total: Number(ofDue.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)),
        },
      }),
  };
}

async function unpaid({ pool, provider, terms }: ReadDeps, month: string): Promise<Payable[]> {
  const payables = await readPayables(pool, { month, provider: provider.id, ...terms });
  const { rows } = await pool.query<{ accountId: number }>(
    `SELECT account_id AS "accountId" FROM payouts WHERE period = $1`,
    [`${month}-01`],
  );
  const paid = new Set(rows.map(({ accountId }) => accountId));
  return payables.filter(({ accountId, amountMicros }) => amountMicros > 0n && !paid.has(accountId));
}

async function emailsOf(pool: Pool, payables: readonly Payable[]): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ accountId: number; email: string }>(
    `SELECT a.id AS "accountId", coalesce(${ownerColumn("email", "a.id")}, '') AS email FROM accounts a WHERE a.id = ANY($1)`,
    [payables.map(({ accountId }) => accountId)],
  );
  return new Map(rows.map(({ accountId, email }) => [accountId, email]));
}

const stateOf = async (pool: Pool, payoutId: string): Promise<PayoutState> => {
  const { rows } = await pool.query<{ state: PayoutState }>("SELECT state FROM payouts WHERE id = $1", [payoutId]);
  if (!rows[0]) throw new Problem("not_found", "There is no such payout");
  return rows[0].state;
};

/** Asks the provider now. Resolves with the payout's state after it. */
export async function refreshPayout(deps: OrderDeps, payoutId: string): Promise<PayoutState> {
  await stateOf(deps.pool, payoutId);
  await refreshPayouts(deps, payoutId);
  return stateOf(deps.pool, payoutId);
}

type Judged = Pick<Row, "state" | "provider" | "changedAt" | "deletedAt" | "cameBack">;

/**
 * Whether an admin may say what became of a payout: it is due, and is not to be ordered any more; it may have reached the provider, and
 * its order is not in flight; it was accepted or paid by the built-in provider, which is paid by hand, or by one that the platform does
 * not use any more, so that only an admin hears of a bank's return; or it came back after its account was deleted, so that no run pays it.
 */
function isForAdmins(
  { clock, provider }: Pick<OrderDeps, "clock" | "provider">,
  { state, provider: by, changedAt, deletedAt, cameBack }: Judged,
): boolean {
  const isByHand = by === "sandbox" || by !== provider.id;
  switch (state) {
    case "due":
      return true;
    case "sending":
      return changedAt.getTime() <= clock.now() - IN_FLIGHT_MS;
    case "sent":
      return isByHand;
    case "paid":
      return isByHand && !cameBack;
    case "rejected":
      return deletedAt !== null && changedAt >= deletedAt;
  }
}

/**
 * Settles a payout by an admin's word. Problem `conflict` if it is not for admins to say, if one that was never ordered or is paid already
 * is said to be paid, or one that has come back to be rejected; `unprocessable` if it was paid on a day to come, or before it was made.
 */
export async function settleByHand(
  deps: OrderDeps,
  by: By,
  { payoutId, paid, reason, paidOn }: { payoutId: string; paid: boolean; reason: string; paidOn?: string | undefined },
): Promise<PayoutState> {
  const { pool, clock, onPaid, onRejected } = deps;
  await stateOf(pool, payoutId);
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Judged & { accountId: number; createdAt: Date }>(
      `SELECT p.state, p.provider, p.changed_at AS "changedAt", p.created_at AS "createdAt", p.account_id AS "accountId",
         a.deleted_at AS "deletedAt",
         ${CAME_BACK} AS "cameBack"
       FROM payouts p JOIN accounts a ON a.id = p.account_id WHERE p.id = $1 FOR UPDATE OF p`,
      [payoutId],
    );
    const [payout] = rows;
    if (!payout || !isForAdmins(deps, payout))
      throw new Problem("conflict", "What became of this payout is known, or the provider will say it");
    if (paid && payout.state === "due")
      throw new Problem("conflict", "This payout was never ordered, so that it can only be rejected");
    if (paid && payout.state === "paid") throw new Problem("conflict", "This payout is settled as paid already");
    if (!paid && payout.state === "rejected") throw new Problem("conflict", "The money of this payout is back already");
    const at = new Date(clock.now());
    if (paid && paidOn !== undefined)
      checkDay(paidOn, { ds: dayOf(payout.createdAt.getTime()), de: dayOf(clock.now()) });
    if (payout.state === "rejected") await payByHand(client, payoutId, { reason, paidOn, at });
    else await settle(client, payoutId, paid ? { to: "paid", reference: "", paidOn } : { to: "rejected", reason }, at);
    await (paid ? onPaid : onRejected)(client, payoutId);
    const { accountId } = payout;
    await recordAct({ pool: client, clock }, by, {
      action: "payout_settled",
      subject: payoutId,
      accountId,
      details: { paid, reason, ...(paid && paidOn !== undefined && { paid_on: paidOn }) },
    });
  });
  return stateOf(pool, payoutId);
}

function checkDay(paidOn: string, { ds, de }: DayRange): void {
  if (paidOn > de) throw new Problem("unprocessable", { paid_on: "Choose a day that has begun (UTC)" });
  if (paidOn < ds)
    throw new Problem("unprocessable", {
      paid_on: `It was made on ${formatDay(ds)} (UTC): choose that day or a later one`,
    });
}
