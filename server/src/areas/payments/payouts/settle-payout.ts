import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { publisherBalanceOf } from "../balances.ts";
import { type Line, bookNew } from "../ledger.ts";

export type Settled =
  | { to: "sent"; reference: string }
  /** `paidOn` is the UTC day on which an admin sent the money. */
  | { to: "paid"; reference: string; paidOn?: string | undefined }
  | { to: "rejected"; reason: string };

/**
 * The states from which a payout moves on. What the provider says may arrive twice, late and out of order, so that nothing
 * moves back: only a bank's return follows on `paid`. One that is only due can be given back, too.
 */
const FROM = {
  sent: ["sending"],
  paid: ["sending", "sent"],
  rejected: ["due", "sending", "sent", "paid"],
} as const;

/** SQL: whether the money of the payout `p` was given back once, which is final. */
export const CAME_BACK = "EXISTS (SELECT FROM ledger_postings WHERE reference = 'payout ' || p.id || ' rejected')";

/**
 * Moves a payout on in the client's transaction, and its money with it: paid money leaves the platform's cash, rejected money
 * returns to the publisher's balance. Returns false, without effect, if the payout is there already or beyond it.
 */
export async function settle(client: PoolClient, payoutId: string, settlement: Settled, at: Date): Promise<boolean> {
  const { rows } = await client.query<{ accountId: number; amount: string; state: string; cameBack: boolean }>(
    `SELECT account_id AS "accountId", amount_micros AS amount, state,
       ${CAME_BACK} AS "cameBack"
     FROM payouts p WHERE id = $1 FOR UPDATE`,
    [payoutId],
  );
  const [payout] = rows;
  if (!payout || !FROM[settlement.to].some((state) => state === payout.state)) return false;
  // One that was paid by hand since: the provider only repeats what it had said.
  if (settlement.to === "rejected" && payout.cameBack) return false;
  await client.query(
    `UPDATE payouts SET state = $2, changed_at = $3, reason = $4, details = NULL,
       provider_reference = CASE WHEN $5 = '' THEN provider_reference ELSE $5 END, paid_on = $6 WHERE id = $1`,
    [
      payoutId,
      settlement.to,
      at,
      settlement.to === "rejected" ? settlement.reason : "",
      settlement.to === "rejected" ? "" : settlement.reference,
      settlement.to === "paid" ? (settlement.paidOn ?? null) : null,
    ],
  );
  if (settlement.to === "sent") return true;
  // Where to pay is kept until nothing is to be paid there any more.
  await client.query("UPDATE sandbox_payments SET details = NULL WHERE payout_id = $1", [payoutId]);
  const { accountId } = payout;
  const amountMicros = BigInt(payout.amount);
  const due: Line = { book: "payouts_due", accountId, amountMicros };
  const cash = (micros: bigint): Line => ({ book: "cash", accountId: null, amountMicros: micros });
  const balance: Line = { book: "publisher_balance", accountId, amountMicros: -amountMicros };
  const returned: [Line, Line] = payout.state === "paid" ? [cash(amountMicros), balance] : [due, balance];
  await bookNew(client, {
    reference: `payout ${payoutId} ${settlement.to}`,
    kind: settlement.to === "paid" ? "payout_sent" : "payout_returned",
    reason: settlement.to === "rejected" ? settlement.reason : "",
    actorUserId: null,
    at,
    lines: settlement.to === "paid" ? [due, cash(-amountMicros)] : returned,
  });
  return true;
}

/**
 * Books, in the client's transaction, that a payout that came back to a deleted account was paid by hand: its money leaves the balance to
 * which it had returned, and the platform's cash. Problem `conflict` if the balance does not have it any more.
 */
export async function payByHand(
  client: PoolClient,
  payoutId: string,
  { reason, paidOn, at }: { reason: string; paidOn?: string | undefined; at: Date },
): Promise<void> {
  const { rows } = await client.query<{ accountId: number; amount: string }>(
    `SELECT p.account_id AS "accountId", p.amount_micros AS amount FROM payouts p JOIN accounts a ON a.id = p.account_id
     WHERE p.id = $1 AND p.state = 'rejected' FOR UPDATE OF p FOR NO KEY UPDATE OF a`,
    [payoutId],
  );
  const [payout] = rows;
  if (!payout) throw new Error(`The payout ${payoutId} did not come back`);
  const { accountId } = payout;
  const amountMicros = BigInt(payout.amount);
  if (BigInt(await publisherBalanceOf(client, accountId)) < amountMicros)
    throw new Problem("conflict", "The balance of the deleted account is less than this payout");
  await client.query("UPDATE payouts SET state = 'paid', changed_at = $2, reason = $3, paid_on = $4 WHERE id = $1", [
    payoutId,
    at,
    reason,
    paidOn ?? null,
  ]);
  await bookNew(client, {
    reference: `payout ${payoutId} paid by hand`,
    kind: "payout_sent",
    reason,
    actorUserId: null,
    at,
    lines: [
      { book: "publisher_balance", accountId, amountMicros },
      { book: "cash", accountId: null, amountMicros: -amountMicros },
    ],
  });
}
