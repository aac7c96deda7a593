import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { booksDrift, ownerIsBlocked } from "./payables.ts";
import type { PayoutOrder, PayoutProvider } from "./provider.ts";
import { type Settled, settle } from "./settle-payout.ts";

export interface OrderDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  provider: PayoutProvider;
  /** In the transaction in which a payout is paid, or rejected. */
  onPaid(client: PoolClient, payoutId: string): Promise<void>;
  onRejected(client: PoolClient, payoutId: string): Promise<void>;
}

interface Due {
  payoutId: string;
  payeeId: string;
  amount: string;
  month: string;
}

/** An order in flight is given this long before it is asked about, or settled by hand. */
export const IN_FLIGHT_MS = 120_000;

/** After this many payouts in a row that did not reach the provider, it counts as away. */
const MOST_UNREACHED = 3;

/** SQL: what may hold back a payout, `p`, after its claim. It is not ordered until that is gone. */
export const HELD = {
  drift: booksDrift("p.account_id", "(p.period + interval '1 month')"),
  blocked: ownerIsBlocked("p.account_id"),
};
/** SQL: which of these holds back a payout that is due; null if none does. */
export const HELD_BY = `CASE WHEN p.state <> 'due' THEN NULL WHEN ${HELD.drift} THEN 'drift' WHEN ${HELD.blocked} THEN 'blocked' END`;

/**
 * Orders each due payout that nothing holds back at the provider, at most once: that it is being sent is stored before the provider
 * hears of it, and what has been sent is only asked about. Resolves with the number of orders.
 */
export async function orderPayouts(deps: OrderDeps): Promise<number> {
  const { pool, clock, provider } = deps;
  const { rows } = await pool.query<{ id: string }>(
    // One that did not reach the provider goes to the end, so that some whose payees cannot be looked up hold up nobody else.
    "SELECT id FROM payouts WHERE state = 'due' AND provider = $1 ORDER BY changed_at, created_at, id",
    [provider.id],
  );
  let ordered = 0;
  let unreached = 0;
  for (const { id } of rows) {
    if (unreached === MOST_UNREACHED) break;
    const sending = await pool.query<Due>(
      `UPDATE payouts p SET state = 'sending', changed_at = $2
       WHERE id = $1 AND state = 'due' AND NOT ${HELD.drift} AND NOT ${HELD.blocked}
       RETURNING id AS "payoutId", payee_id AS "payeeId", amount_micros AS amount, to_char(period, 'YYYY-MM') AS month`,
      [id, new Date(clock.now())],
    );
    const [due] = sending.rows;
    // It is held back, or another process was faster.
    if (!due) continue;
    const { amount, ...order } = due;
    ordered++;
    unreached = (await send(deps, { ...order, amountMicros: BigInt(amount) })) ? 0 : unreached + 1;
  }
  return ordered;
}

/** Resolves with false if the order did not reach the provider: that is away, or cannot look up the payee. */
async function send(deps: OrderDeps, order: PayoutOrder): Promise<boolean> {
  const { pool, clock, log, provider } = deps;
  const { payoutId } = order;
  const outcome = await provider.pay(order);
  if (outcome.is === "unreached") {
    await pool.query("UPDATE payouts SET state = 'due', changed_at = $2 WHERE id = $1 AND state = 'sending'", [
      payoutId,
      new Date(clock.now()),
    ]);
    log.warn({ payout: payoutId }, "a payout did not reach its provider");
    return false;
  }
  if (outcome.is === "unknown") {
    log.warn({ payout: payoutId }, "nobody knows whether a payout was ordered: the provider will be asked");
    return true;
  }
  await settled(
    deps,
    payoutId,
    outcome.is === "accepted"
      ? { to: "sent", reference: outcome.reference }
      : { to: "rejected", reason: outcome.reason },
  );
  return true;
}

/**
 * Asks the provider about every payout on its way, or about one in any state but `due`. A payout that cannot be asked about keeps its
 * state. Resolves with whether the provider has answered every question.
 */
export async function refreshPayouts(deps: OrderDeps, payoutId: string | null = null): Promise<boolean> {
  const { pool, clock, log, provider } = deps;
  const at = clock.now();
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM payouts WHERE provider = $1 AND ($2::uuid IS NULL OR id = $2)
       AND (state = 'sent' OR state = 'sending' AND changed_at <= $3 OR state IN ('paid', 'rejected') AND $2 IS NOT NULL)
     ORDER BY asked_at NULLS FIRST, created_at, id`,
    [provider.id, payoutId, new Date(payoutId === null ? at - IN_FLIGHT_MS : at)],
  );
  let isAnswered = true;
  for (const { id } of rows) {
    try {
      const standing = await provider.ask(id);
      await pool.query("UPDATE payouts SET asked_at = $2 WHERE id = $1", [id, new Date(clock.now())]);
      if (standing.is === "pending") await settled(deps, id, { to: "sent", reference: standing.reference });
      if (standing.is === "paid") await settled(deps, id, { to: "paid", reference: standing.reference });
      if (standing.is === "rejected") await settled(deps, id, { to: "rejected", reason: standing.reason });
    } catch (error) {
      isAnswered = false;
      log.warn({ err: error, payout: id }, "the payout provider could not be asked");
    }
  }
  return isAnswered;
}

async function settled({ pool, clock, log, ...deps }: OrderDeps, payoutId: string, settlement: Settled): Promise<void> {
  const isNew = await inTransaction(pool, async (client) => {
    const isMoved = await settle(client, payoutId, settlement, new Date(clock.now()));
    if (isMoved && settlement.to === "paid") await deps.onPaid(client, payoutId);
    if (isMoved && settlement.to === "rejected") await deps.onRejected(client, payoutId);
    return isMoved;
  });
  if (isNew || settlement.to !== "paid") return;
  const { rowCount } = await pool.query(
    `SELECT FROM payouts WHERE id = $1 AND (state = 'rejected' OR EXISTS (
       SELECT FROM ledger_postings WHERE reference = 'payout ' || $1::text || ' paid by hand'))`,
    [payoutId],
  );
  if (rowCount === 1) log.error({ payout: payoutId }, "the provider has paid a payout whose money was given back");
}

/**
 * Gives back the money of payouts that were never offered to their provider, which the platform does not use any more. It is paid
 * with the next month.
 */
export async function returnFormer(deps: OrderDeps): Promise<void> {
  const { rows } = await deps.pool.query<{ id: string }>(
    "SELECT id FROM payouts WHERE state = 'due' AND provider <> $1 ORDER BY created_at, id",
    [deps.provider.id],
  );
  for (const { id } of rows) await settled(deps, id, { to: "rejected", reason: "The payout provider was changed" });
}
