import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { sessionCookie } from "../sessions/session-cookie.ts";
import { deleteAccount } from "./delete-account.ts";
import { askForExport } from "./export-personal-data.ts";
import { readExport } from "./export-store.ts";

export function personalDataRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { pool, clock } = accounts;

  serve(app, contract.exportPersonalData, async ({ caller, request }) => {
    await askForExport(accounts, { caller, request });
    return { message: "We are preparing your data and will send you a mail when it is ready" };
  });

  serve(app, contract.downloadPersonalData, async ({ caller, request, reply, params }) => {
    const { userId } = caller;
    const content = await readExport(pool, { userId, uuid: params.id, now: new Date(clock.now()) });
    if (!content) throw new Problem("not_found", "There is no such download");
    const act = { action: "personal_data_downloaded", subject: params.id };
    await inTransaction(pool, (client) => recordAct({ pool: client, clock }, { caller, request }, act));
    void reply.header("content-disposition", 'attachment; filename="personal-data.json"');
    return content;
  });

  serve(app, contract.deleteAccount, async ({ caller, request, reply, body }) => {
    await deleteAccount(accounts, { caller, request }, body);
    sessionCookie.clear(request, reply);
    return { ok: 1 as const, redirect_uri: "/" };
  });
}
