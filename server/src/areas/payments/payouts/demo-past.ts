import { DAY_MS, dayOf } from "@millrace/units";
import type { Clock } from "../../../platform/clock.ts";
import { claimPayouts } from "./claim-payouts.ts";
import { monthToPay, nextMonth, payDayOf } from "./months.ts";
import { refreshPayouts, orderPayouts } from "./order-payouts.ts";
import { openPayoutFrame } from "./payees.ts";
import { type RunDeps, termsOf } from "./run-payouts.ts";
import { type SandboxDeps, saveSandboxDetails } from "./sandbox-provider.ts";

/** An account number of nobody: the example in the registry of ISO 13616. */
const DETAILS = { method: "bank", holder: "Demo Publisher", account: "DE89370400440532013000" } as const;

/** Enters payout details for the demo's publishers who have none, even if they have looked at the form for them. */
export async function registerDemoPayees(deps: RunDeps, sandbox: SandboxDeps): Promise<void> {
  const { rows } = await deps.pool.query<{ id: number }>(
    `SELECT a.id FROM accounts a JOIN memberships m ON m.account_id = a.id AND m.role = 'owner'
     WHERE a.demo AND a.can_apps AND a.deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM payees y WHERE y.account_id = a.id AND y.method IS NOT NULL)`,
  );
  for (const { id } of rows) {
    await openPayoutFrame(deps, id);
    const payee = await deps.pool.query<{ payeeId: string }>(
      `SELECT payee_id AS "payeeId" FROM payees WHERE account_id = $1`,
      [id],
    );
    for (const { payeeId } of payee.rows) await saveSandboxDetails(sandbox, payeeId, DETAILS, deps.onMethodChanged);
  }
}

const PAYS_AT_MS = 6 * 3_600_000;
const PAID_WITHIN_MS = 2 * DAY_MS;

/**
 * Makes up the payouts of a demo's past: each month of its history is paid as a run on its payout day would have done.
 * Nothing happens once there is any payout.
 */
export async function payDemoPast(
  { pool, clock, terms }: Pick<RunDeps, "pool" | "clock" | "terms">,
  depsAt: (at: Clock) => RunDeps,
): Promise<void> {
  const { rows } = await pool.query<{ first: string | null }>(
    `SELECT to_char(min(on_day), 'YYYY-MM') AS first FROM ledger_postings
     WHERE kind = 'accrual' AND NOT EXISTS (SELECT FROM payouts)`,
  );
  const last = monthToPay(dayOf(clock.now()), terms.day);
  for (let month = rows[0]?.first ?? nextMonth(last); month <= last; month = nextMonth(month)) {
    const atMs = Date.parse(payDayOf(month, terms.day)) + PAYS_AT_MS;
    const deps = depsAt({ now: () => atMs });
    await claimPayouts(deps, termsOf(deps, month));
    await orderPayouts(deps);
    const laterMs = Math.min(clock.now(), atMs + PAID_WITHIN_MS);
    await refreshPayouts(depsAt({ now: () => laterMs }));
  }
}
