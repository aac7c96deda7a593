import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../../../platform/http/caller.ts";
import { serve } from "../../../platform/http/serve.ts";
import { attached } from "../../apps/index.ts";
import { recordAct } from "../../audit/index.ts";
import { refreshPayout, readAdminPayouts, settleByHand } from "./admin-payouts.ts";
import type { FrameTickets } from "./frame-tickets.ts";
import { isPayeeOf, openPayoutFrame } from "./payees.ts";
import { readCashouts, readNextPayment } from "./read-payouts.ts";
import { type FrameDeps, frameIsGone, sendSandboxFrame } from "./sandbox-frame.ts";
import { type SandboxDeps, saveSandboxDetails, showWhereToPay } from "./sandbox-provider.ts";
import { type StatementDeps, statementPdf } from "./statement-pdf.ts";
import { type NoticeDeps, tipaltiNoticeRoute } from "./tipalti-notices.ts";

export type RouteDeps = NoticeDeps &
  FrameDeps & {
    sandbox: SandboxDeps & { tickets: FrameTickets };
    statements: StatementDeps;
  };

export function payoutRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const { sandbox } = deps;
  serve(app, contract.cashoutsHistory, ({ caller, query }) => readCashouts(deps, caller.accountId, query.p));
  serve(app, contract.payoutStatement, async ({ caller: { accountId }, params, reply }) => {
    const { name, content } = await statementPdf(deps.statements, { payoutId: params.id, accountId });
    return attached(reply, name).send(content);
  });
  serve(app, contract.nextPayment, ({ caller }) => readNextPayment(deps, caller.accountId));
  serve(app, contract.registerPayee, ({ caller }) => openPayoutFrame(deps, caller.accountId));

  // The address alone opens nothing: it outlives a session that has ended, and may have been seen by others.
  const payeeOf = async (ticket: string, { accountId }: Caller): Promise<string> => {
    const payeeId = deps.provider.id === "sandbox" ? sandbox.tickets.read(ticket) : null;
    if (payeeId === null || !(await isPayeeOf(deps.pool, payeeId, accountId))) throw frameIsGone();
    return payeeId;
  };
  serve(app, contract.sandboxFrame, async ({ params, caller, reply }) =>
    sendSandboxFrame(deps, await payeeOf(params.ticket, caller), reply),
  );
  serve(app, contract.saveSandboxDetails, async ({ params, body, ...by }) => {
    const payeeId = await payeeOf(params.ticket, by.caller);
    const saved = await saveSandboxDetails(sandbox, payeeId, body, async (client, changed) => {
      await deps.onMethodChanged(client, changed);
      await recordAct({ pool: client, clock: deps.clock }, by, {
        action: "payout_details_changed",
        subject: payeeId,
        accountId: changed.accountId,
      });
    });
    if (!saved) throw frameIsGone();
    return { ok: 1 as const, ...saved };
  });

  tipaltiNoticeRoute(app, deps);

  serve(app, contract.adminPayouts, ({ query }) => readAdminPayouts(deps, query));
  serve(app, contract.askAboutPayout, async ({ params }) => ({ state: await refreshPayout(deps, params.id) }));
  serve(app, contract.whereToPay, ({ params, ...by }) => showWhereToPay(sandbox, by, params.id));
  serve(app, contract.settlePayout, async ({ params, body: { paid_on: paidOn, ...body }, ...by }) => ({
    state: await settleByHand(deps, by, { payoutId: params.id, paidOn, ...body }),
  }));
}
