import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { Accounts } from "../deps.ts";
import { makeAccessToken, revokeAccessToken } from "./access-token.ts";
import { openSide, saveField } from "./edit-profile.ts";
import { readProfile } from "./read-profile.ts";

export function profileRoutes(app: FastifyInstance, accounts: Accounts): void {
  serve(app, contract.profile, ({ caller }) => readProfile(accounts, caller));

  serve(app, contract.editProfile, async ({ body, ...by }) => ({ message: await saveField(accounts, by, body) }));

  serve(app, contract.openSide, async ({ body, ...by }) => {
    await openSide(accounts, by, body.side);
    return { ok: 1 as const };
  });
  serve(app, contract.makeAccessToken, async (by) => ({ access_token: await makeAccessToken(accounts, by) }));

  serve(app, contract.revokeAccessToken, async (by) => {
    await revokeAccessToken(accounts, by);
    return { ok: 1 as const };
  });
}
