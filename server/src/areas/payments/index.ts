import type { Area } from "../../platform/area.ts";
import { type BalanceAlertDeps, defineBalanceAlerts } from "./balance-alerts.ts";

export { campaignBalanceOf, campaignBalancesOf } from "./balances.ts";
export { refillCampaignBalance } from "./refill.ts";

/** The ledger and its scheduled jobs. */
export function paymentsArea(deps: BalanceAlertDeps): Area {
  defineBalanceAlerts(deps);
  return { name: "payments", routes: () => undefined };
}
