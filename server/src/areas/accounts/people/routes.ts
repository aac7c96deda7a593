import {
  addManager,
  addSubUser as addSubUserCall,
  deleteManager,
  deleteSubUser,
  editManager,
  editSubUser,
} from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { Accounts } from "../deps.ts";
import { changeManager, inviteManager, removeManager } from "./managers.ts";
import { addSubUser, changeSubUser, removeSubUser } from "./sub-users.ts";

export function peopleRoutes(app: FastifyInstance, accounts: Accounts): void {
  serve(app, addSubUserCall, async ({ caller, request, reply, body }) => {
    void reply.header("cache-control", "no-store");
    return addSubUser(accounts, { caller, request }, body.role_code);
  });

  serve(app, editSubUser, async ({ caller, request, reply, params, body }) => {
    void reply.header("cache-control", "no-store");
    return changeSubUser(accounts, { caller, request }, params.id, body);
  });

  serve(app, deleteSubUser, async ({ caller, request, params }) => {
    await removeSubUser(accounts, { caller, request }, params.id);
    return { ok: 1 as const };
  });

  serve(app, addManager, async ({ caller, request, body }) => inviteManager(accounts, { caller, request }, body));

  serve(app, editManager, async ({ caller, request, params, body }) =>
    changeManager(accounts, { caller, request }, params.id, body),
  );

  serve(app, deleteManager, async ({ caller, request, params }) => {
    await removeManager(accounts, { caller, request }, params.id);
    return { ok: 1 as const };
  });
}
