import { dayOf } from "@millrace/units";
import { type ClaimDeps, claimPayouts } from "./claim-payouts.ts";
import { monthToPay } from "./months.ts";
import { type OrderDeps, refreshPayouts, orderPayouts, returnFormer } from "./order-payouts.ts";
import { type PayeeDeps, checkPayees } from "./payees.ts";
import type { PayoutTerms } from "./read-payouts.ts";

export type RunDeps = ClaimDeps & OrderDeps & PayeeDeps & { terms: PayoutTerms };

export const termsOf = ({ provider, terms }: RunDeps, month: string) => ({ month, provider: provider.id, ...terms });

/**
 * Pays the month that is due by now: asks how accounts are paid, takes what they are owed off their balances, and orders it.
 * It may run at any time and any number of times; what was held back is paid by a later run of the same month.
 */
export async function runPayouts(deps: RunDeps): Promise<void> {
  await returnFormer(deps);
  await checkPayees(deps);
  const month = monthToPay(dayOf(deps.clock.now()), deps.terms.day);
  await claimPayouts(deps, termsOf(deps, month));
  await orderPayouts(deps);
}

/** Goes on with what is on its way. */
export async function followPayouts(deps: OrderDeps): Promise<void> {
  await orderPayouts(deps);
  await refreshPayouts(deps);
}
