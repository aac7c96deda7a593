import {
  addDemoMoney,
  balanceHistory,
  campaignFunds,
  deductions,
  disputeDeduction,
  financeReport,
  financeReportCsv,
  financeReportPdf,
  revenueShares,
} from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { FairQueue } from "../../platform/fair-queue.ts";
import { serve } from "../../platform/http/serve.ts";
import { attached } from "../apps/index.ts";
import { readBalanceHistory } from "./balance-history.ts";
import { campaignBalanceOf } from "./balances.ts";
import { readCampaignFunds } from "./campaign-funds.ts";
import * as demoMoney from "./demo-money.ts";
import * as dispute from "./deductions/dispute-deduction.ts";
import { type ListDeps, listDeductions } from "./deductions/list-deductions.ts";
import { readFinanceReport } from "./finance-report.ts";
import { type ReportFileDeps, reportFile } from "./report-file.ts";
import { type ShareDeps, readShares } from "./shares/revenue-shares.ts";

interface RouteDeps extends ReportFileDeps, ListDeps, dispute.DisputeDeps, ShareDeps, demoMoney.DemoMoneyDeps {
  /** The statistics calls of accounts, which the report's files are among. */
  turns: Pick<FairQueue, "run">;
}

export function paymentRoutes(app: FastifyInstance, deps: RouteDeps): void {
  serve(app, balanceHistory, async ({ caller: { accountId }, query }) => ({
    balance: await campaignBalanceOf(deps.pool, accountId),
    ...(await readBalanceHistory(deps, accountId, query.p)),
  }));
  serve(app, campaignFunds, ({ caller: { accountId } }) => readCampaignFunds(deps, accountId));
  serve(app, addDemoMoney, async ({ caller, request }) => ({
    balance: await demoMoney.addDemoMoney(deps, { caller, request }),
  }));
  serve(app, financeReport, ({ caller: { accountId }, query }) => readFinanceReport(deps, accountId, query));
  // A file takes a turn like those of the other tables.
  serve(app, financeReportCsv, ({ caller: { accountId }, query, reply }) =>
    deps.turns.run(accountId, async () => {
      const { name, content } = await reportFile(deps, accountId, { kind: "csv", query });
      return attached(reply, name).send(content);
    }),
  );
  serve(app, financeReportPdf, ({ caller: { accountId }, query, reply }) =>
    deps.turns.run(accountId, async () => {
      const { name, content } = await reportFile(deps, accountId, { kind: "pdf", query });
      return attached(reply, name).send(content);
    }),
  );
  serve(app, revenueShares, ({ caller }) => readShares(deps, caller.accountId));
  serve(app, deductions, ({ caller: { accountId }, query }) => listDeductions(deps, accountId, query));
  serve(app, disputeDeduction, async ({ params, body, ...by }) => {
    await dispute.disputeDeduction(deps, by, { uuid: params.id, ...body });
    return { ok: 1 as const };
  });
}
