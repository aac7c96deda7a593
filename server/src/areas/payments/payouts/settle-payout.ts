import type { PoolClient } from "pg";
import { type Line, bookNew } from "../ledger.ts";

export type Settled =
  | { to: "sent"; reference: string }
  | { to: "paid"; reference: string }
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

/**
 * Moves a payout on in the client's transaction, and its money with it: paid money leaves the platform's cash, rejected money
 * returns to the publisher's balance. Returns false, without effect, if the payout is there already or beyond it.
 */
export async function settle(client: PoolClient, payoutId: string, what: Settled, at: Date): Promise<boolean> {
  const { rows } = await client.query<{ accountId: number; amount: string; state: string }>(
    `SELECT account_id AS "accountId", amount_micros AS amount, state FROM payouts WHERE id = $1 FOR UPDATE`,
    [payoutId],
  );
  const [payout] = rows;
  if (!payout || !FROM[what.to].some((state) => state === payout.state)) return false;
  await client.query(
    `UPDATE payouts SET state = $2, changed_at = $3, reason = $4, details = NULL,
       provider_reference = CASE WHEN $5 = '' THEN provider_reference ELSE $5 END WHERE id = $1`,
    [payoutId, what.to, at, what.to === "rejected" ? what.reason : "", what.to === "rejected" ? "" : what.reference],
  );
  if (what.to === "sent") return true;
  // Where to pay is kept until nothing is to be paid there any more.
  await client.query("UPDATE sandbox_payments SET details = NULL WHERE payout_id = $1", [payoutId]);
  const { accountId } = payout;
  const amountMicros = BigInt(payout.amount);
  const due: Line = { book: "payouts_due", accountId, amountMicros };
  const cash = (micros: bigint): Line => ({ book: "cash", accountId: null, amountMicros: micros });
  const balance: Line = { book: "publisher_balance", accountId, amountMicros: -amountMicros };
  const returned: [Line, Line] = payout.state === "paid" ? [cash(amountMicros), balance] : [due, balance];
  await bookNew(client, {
    reference: `payout ${payoutId} ${what.to}`,
    kind: what.to === "paid" ? "payout_sent" : "payout_returned",
    reason: what.to === "rejected" ? what.reason : "",
    actorUserId: null,
    at,
    lines: what.to === "paid" ? [due, cash(-amountMicros)] : returned,
  });
  return true;
}
