import { SandboxDetails } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { Sealer } from "../../../platform/sealed/sealer.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { FrameTickets } from "./frame-tickets.ts";
import type { PayoutProvider, Standing } from "./provider.ts";

export interface SandboxDeps {
  pool: Pool;
  clock: Clock;
  sealer: Sealer;
  tickets: FrameTickets;
  /** The configured origin. */
  publicUrl: string;
  /** How long a payment takes by itself, as in a demo; null if an admin says when a payment was made by hand. */
  paysAfterMs: number | null;
}

/** The sealing purpose of where payees are paid. */
export const PAYOUT_DETAILS = "payout details";

interface Payment {
  standing: "pending" | "paid" | "rejected";
  reason: string;
  takenAt: Date;
}

/** The provider inside the platform: its frame takes the details, and it keeps a list of payments. */
export function sandboxProvider(deps: SandboxDeps): PayoutProvider {
  const { pool, clock, tickets, publicUrl, paysAfterMs } = deps;
  const origin = new URL(publicUrl).origin;
  return {
    id: "sandbox",
    frameOrigin: origin,
    frameAddress: async ({ payeeId }) => new URL(`/payout_frame/${tickets.issue(payeeId)}`, origin).href,
    async methodOf(payeeId) {
      const details = await readSandboxDetails(deps, payeeId);
      return details && methodText(details);
    },
    async pay({ payoutId, payeeId, amountMicros }) {
      try {
        await pool.query(
          `INSERT INTO sandbox_payments (payout_id, payee_id, amount_micros, taken_at, details)
           VALUES ($1, $2, $3, $4, (SELECT details FROM payouts WHERE id = $1)) ON CONFLICT DO NOTHING`,
          [payoutId, payeeId, amountMicros.toString(), new Date(clock.now())],
        );
        return { is: "accepted", reference: payoutId };
      } catch {
        return { is: "unknown" };
      }
    },
    async ask(payoutId): Promise<Standing> {
      const { rows } = await pool.query<Payment>(
        `SELECT standing, reason, taken_at AS "takenAt" FROM sandbox_payments WHERE payout_id = $1`,
        [payoutId],
      );
      const [payment] = rows;
      if (!payment) return { is: "unknown" };
      if (payment.standing === "rejected") return { is: "rejected", reason: payment.reason };
      const isOver = paysAfterMs !== null && clock.now() >= payment.takenAt.getTime() + paysAfterMs;
      return { is: payment.standing === "paid" || isOver ? "paid" : "pending", reference: payoutId };
    },
  };
}

type Sealed = Pick<SandboxDeps, "pool" | "sealer">;

/** What a payee entered; null before that, and if no secret opens it any more. */
async function readSandboxDetails({ pool, sealer }: Sealed, payeeId: string): Promise<SandboxDetails | null> {
  const { rows } = await pool.query<{ details: Buffer }>("SELECT details FROM sandbox_payees WHERE payee_id = $1", [
    payeeId,
  ]);
  const [row] = rows;
  const text = row ? openIfPossible(sealer, row.details) : null;
  return text === null ? null : SandboxDetails.parse(JSON.parse(text));
}

/**
 * Shows an admin where a payment that is made by hand goes, as entered when it was claimed. That it was shown is in the audit log
 * before it is. Problem `conflict` if there is nothing to pay by hand.
 */
export async function showWhereToPay(
  { pool, sealer, clock }: Sealed & Pick<SandboxDeps, "clock">,
  by: By,
  payoutId: string,
): Promise<SandboxDetails> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ accountId: number; isOpen: boolean; details: Buffer | null }>(
      `SELECT p.account_id AS "accountId", p.state = 'sent' AND p.provider = 'sandbox' AS "isOpen", s.details
       FROM payouts p LEFT JOIN sandbox_payments s ON s.payout_id = p.id WHERE p.id = $1`,
      [payoutId],
    );
    const [payout] = rows;
    if (!payout) throw new Problem("not_found", "There is no such payout");
    if (!payout.isOpen) throw new Problem("conflict", "This payout is not one to pay by hand");
    const text = payout.details && openIfPossible(sealer, payout.details);
    if (text === null)
      throw new Problem("conflict", "The details that this payout was made with cannot be read any more");
    const { accountId } = payout;
    await recordAct({ pool: client, clock }, by, { action: "payout_details_shown", subject: payoutId, accountId });
    return SandboxDetails.parse(JSON.parse(text));
  });
}

/**
 * Keeps what a payee entered, sealed. Calls `onChanged` in the same transaction if it is not what was kept before. Resolves with how the
 * payee is paid now, or null, without effect, if its account is deleted.
 */
export async function saveSandboxDetails(
  { pool, sealer, clock }: Sealed & Pick<SandboxDeps, "clock">,
  payeeId: string,
  details: SandboxDetails,
  onChanged: (client: PoolClient, changed: { accountId: number; method: string }) => Promise<void>,
): Promise<{ method: string } | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ accountId: number; was: Buffer | null }>(
      `SELECT y.account_id AS "accountId", d.details AS was FROM payees y LEFT JOIN sandbox_payees d USING (payee_id)
       WHERE y.payee_id = $1 FOR UPDATE OF y`,
      [payeeId],
    );
    const [payee] = rows;
    if (!payee) return null;
    const [text, method, at] = [JSON.stringify(details), methodText(details), new Date(clock.now())];
    await client.query(
      `INSERT INTO sandbox_payees (payee_id, details, changed_at) VALUES ($1, $2, $3)
       ON CONFLICT (payee_id) DO UPDATE SET details = excluded.details, changed_at = excluded.changed_at`,
      [payeeId, sealer.seal(text, PAYOUT_DETAILS), at],
    );
    await client.query("UPDATE payees SET method = $2, checked_at = $3 WHERE payee_id = $1", [payeeId, method, at]);
    // Two accounts may look alike in the method's text.
    if (payee.was === null || openIfPossible(sealer, payee.was) !== text)
      await onChanged(client, { accountId: payee.accountId, method });
    return { method };
  });
}

/** Null for details whose secret is gone: their owner enters them again. */
function openIfPossible(sealer: Sealer, sealed: Buffer): string | null {
  try {
    return sealer.open(sealed, PAYOUT_DETAILS);
  } catch {
    return null;
  }
}

/** Names no more of the account than its owner needs to know it again. */
function methodText({ method, account }: SandboxDetails): string {
  if (method === "bank") return `Bank transfer ending ${account.slice(-4)}`;
  const at = account.lastIndexOf("@");
  return `PayPal ${account.slice(0, 1)}…${account.slice(at)}`;
}
