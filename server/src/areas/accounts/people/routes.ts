import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { Accounts } from "../deps.ts";
import { changeManager, inviteManager, removeManager } from "./managers.ts";
import { addSubUser, changeSubUser, inviteSubUser, removeSubUser } from "./sub-users.ts";

export function peopleRoutes(app: FastifyInstance, accounts: Accounts): void {
  serve(app, contract.addSubUser, ({ caller, request, query, body }) =>
    addSubUser(accounts, { caller, request }, { ...query, ...body }),
  );

  serve(app, contract.inviteSubUser, ({ caller, request, body }) => inviteSubUser(accounts, { caller, request }, body));

  serve(app, contract.editSubUser, ({ caller, request, params, query, body }) =>
    changeSubUser(accounts, { caller, request }, { uuid: params.id, ...query }, body),
  );

  serve(app, contract.deleteSubUser, async ({ caller, request, params }) => {
    await removeSubUser(accounts, { caller, request }, params.id);
    return { ok: 1 as const };
  });

  serve(app, contract.addManager, async ({ caller, request, body }) =>
    inviteManager(accounts, { caller, request }, body),
  );

  serve(app, contract.editManager, async ({ caller, request, params, query, body }) =>
    changeManager(accounts, { caller, request }, { uuid: params.id, ...query }, body),
  );

  serve(app, contract.deleteManager, async ({ caller, request, params }) => {
    await removeManager(accounts, { caller, request }, params.id);
    return { ok: 1 as const };
  });
}
