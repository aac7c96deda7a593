import { addDays } from "@millrace/units";
import { z } from "zod";
import type { Area } from "../../platform/area.ts";
import type { FairQueue } from "../../platform/fair-queue.ts";
import { type AccrualDeps, accrue, accrueAll, lastDayOver } from "./accrual.ts";
import { type BalanceAlertDeps, defineBalanceAlerts } from "./balance-alerts.ts";
import { disputeMails } from "./deductions/dispute-mails.ts";
import type { ListDeps } from "./deductions/list-deductions.ts";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import { driftMails } from "./drift-mails.ts";
import type { TipaltiSettings } from "../../platform/settings.ts";
import { type InvoicesDeps, openInvoices } from "./invoices/index.ts";
import { openPayouts } from "./payouts/index.ts";
import type { PayoutTerms } from "./payouts/read-payouts.ts";
import { type ReconcileDeps, reconcileWithLate } from "./reconcile.ts";
import type { ReportFileDeps } from "./report-file.ts";
import { revenueRoutes } from "./revenue/routes.ts";
import { paymentRoutes } from "./routes.ts";
import type { ShareDeps } from "./shares/revenue-shares.ts";
import type { StatementDeps } from "./statements/check-statement.ts";
import { excessMails } from "./statements/excesses.ts";
import { statementRoutes } from "./statements/routes.ts";
import { settleStatements } from "./statements/settle-statements.ts";
import { returnUnprovenSpend } from "./unproven-spend.ts";

export { adminMails } from "./admin-mails.ts";
export { acceptDrift } from "./accept-drift.ts";
export { adjustPublisherBalance } from "./adjust-balance.ts";
export { creditAdvertiser } from "./credit-advertiser.ts";
export { readBooks } from "./read-books.ts";
export {
  campaignBalanceOf,
  campaignBalancesOf,
  onItsWayTo,
  publisherBalanceOf,
  publisherBalancesOf,
} from "./balances.ts";
export { readCampaignFunds } from "./campaign-funds.ts";
export { answerDeduction } from "./deductions/answer-deduction.ts";
export { type CheckDeps, checkDeduction } from "./deductions/check-deduction.ts";
export { deductibleOn } from "./deductions/earned.ts";
export { findDeduction } from "./deductions/find-deduction.ts";
export { listAllDeductions } from "./deductions/list-deductions.ts";
export { noteDeduction } from "./deductions/note-deduction.ts";
export { eraseBilling } from "./invoices/erase-billing.ts";
export { assertIssuer } from "./invoices/issuer.ts";
export { BY_HAND } from "./payouts/admin-payouts.ts";
export { erasePayee } from "./payouts/payees.ts";
export { PAYOUT_DETAILS } from "./payouts/sandbox-provider.ts";
export { tipaltiHosts } from "./payouts/tipalti-calls.ts";
export { countExcesses } from "./statements/excesses.ts";
export { importStatement } from "./statements/import-statement.ts";
export { shortfallToPassOn } from "./statements/shortfalls.ts";
export { refillCampaignBalance } from "./refill.ts";
export { listRefills, takeBackRefill } from "./take-back-refill.ts";
export { readShares, setRevenueShare } from "./shares/revenue-shares.ts";

export interface PaymentsDeps
  extends
    BalanceAlertDeps,
    AccrualDeps,
    ReportFileDeps,
    ListDeps,
    ShareDeps,
    Omit<StatementDeps, "tellExcess">,
    InvoicesDeps,
    Omit<ReconcileDeps, "tellAdmins" | "books"> {
  books: AccrualDeps["books"] & ReconcileDeps["books"];
  turns: Pick<FairQueue, "run">;
  operatorAddress: string | undefined;
  /** The path of the dashboard's font, for the payout frame; null if the dashboard is not built. */
  fontPath: string | null;
  sealer: Sealer;
  secrets: readonly string[];
  payouts: Omit<PayoutTerms, "demo">;
  tipalti: TipaltiSettings | undefined;
  /** A demo's payments settle by themselves, and its past has payouts. */
  demo: boolean;
  /** False while a demo's history is being written: nothing is closed and paid that is still growing. */
  isComplete(): boolean;
}

const ACCRUE = "accrue";
/** The job that books every day that is over, and compares the last ones with their events. */
export const ACCRUE_ALL = "accrue-all";
const FOLLOW_PAYOUTS = "follow-payouts";
const FOLLOW_EVERY_SECONDS = 60;
const RECENT_DAYS = 3;
const EVERY_SECONDS = 600;
const ALL_EVERY_SECONDS = 6 * 3600;

/** The ledger, its scheduled jobs, and what publishers and advertisers read of it. */
export function paymentsArea(deps: PaymentsDeps): Area {
  const { jobs } = deps;
  defineBalanceAlerts(deps);
  const tellAdmins = driftMails(deps);
  const payouts = openPayouts(deps);
  const invoices = openInvoices(deps);
  const statements = { ...deps, tellExcess: excessMails(deps) };
  const deductions = { ...deps, tellAdmins: disputeMails(deps) };
  jobs.define(ACCRUE, z.object({}), async () => {
    const de = lastDayOver(deps.clock);
    const range = { ds: addDays(de, 1 - RECENT_DAYS), de };
    await accrue(deps, range);
    await settleStatements(statements, range);
  });
  jobs.define(ACCRUE_ALL, z.object({}), async () => {
    await accrueAll(deps);
    await settleStatements(statements);
    // A demo books the cost of its past ads once its history is complete; until then, they would look unpaid.
    if (!deps.isComplete()) return;
    await returnUnprovenSpend(deps);
    await reconcileWithLate({ ...deps, tellAdmins });
    if (deps.demo) await payouts.payPast();
    await payouts.run();
    await invoices.run();
  });
  jobs.define(FOLLOW_PAYOUTS, z.object({}), payouts.follow);
  jobs.repeat(FOLLOW_PAYOUTS, {}, FOLLOW_EVERY_SECONDS);
  jobs.repeat(ACCRUE, {}, EVERY_SECONDS);
  jobs.repeat(ACCRUE_ALL, {}, ALL_EVERY_SECONDS);
  return {
    name: "payments",
    routes: (app) => {
      paymentRoutes(app, deductions);
      payouts.routes(app);
      invoices.routes(app);
      statementRoutes(app, statements);
      revenueRoutes(app, { ...deps, provider: payouts.provider, terms: { ...deps.payouts, demo: deps.demo } });
    },
  };
}
