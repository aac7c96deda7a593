import { PAGES, returnToAdmin } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { findHomeAccount } from "../people-store.ts";
import { openSession } from "../sessions/open-session.ts";

export function switchingRoutes(app: FastifyInstance, accounts: Accounts): void {
  serve(app, returnToAdmin, async ({ caller, request, reply }) => {
    const adminId = caller.switchedBy;
    if (adminId === null) throw new Problem("conflict", "You are in your own account");
    const home = await findHomeAccount(accounts.pool, adminId);
    if (!home) throw new Problem("conflict", "Your own account is gone");
    await recordAct(accounts, { caller, request }, { action: "returned_to_admin" });
    const back = { userId: adminId, accountId: home.accountId, continues: caller.sessionHash };
    await openSession(accounts, { request, reply }, back);
    return { redirect_to: PAGES.adminUsers.path };
  });
}
