import { editProfile, makeAccessToken, profile, revokeAccessToken } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import { recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { deleteAccessToken, replaceAccessToken } from "./access-token.ts";
import { saveField } from "./edit-profile.ts";
import { readProfile } from "./read-profile.ts";

export function profileRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { pool } = accounts;

  serve(app, profile, async ({ caller }) => readProfile(accounts, caller));

  serve(app, editProfile, async ({ caller, request, body }) => ({
    message: await saveField(accounts, { caller, request }, body),
  }));

  serve(app, makeAccessToken, async ({ caller, request }) => {
    const token = await replaceAccessToken(accounts, caller);
    await recordAct(accounts, { caller, request }, { action: "access_token_made" });
    return { access_token: token };
  });

  serve(app, revokeAccessToken, async ({ caller, request }) => {
    await deleteAccessToken(pool, caller.accountId);
    await recordAct(accounts, { caller, request }, { action: "access_token_revoked" });
    return { ok: 1 as const };
  });
}
