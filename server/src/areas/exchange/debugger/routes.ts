import { DEBUG_TOKEN_MINUTES, debugToken, sdkDebug } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { type Admit, rawScope, serveRaw } from "../../../platform/http/serve-raw.ts";
import { serve } from "../../../platform/http/serve.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { recordAct } from "../../audit/index.ts";
import { signDebugPass } from "../delivery/debug-token.ts";
import { parseJson, sendJson } from "../http/json.ts";
import { type FindAppDeps, findServingApp } from "../test-ad/find-serving-app.ts";
import { debugReply, type DebugReplyDeps } from "./debug-reply.ts";

const MAX_BODY_BYTES = 16 * 1024;

/** The tokens that the dashboard makes for the SDK's debugger. */
export function debugTokenRoutes(
  app: FastifyInstance,
  deps: FindAppDeps & Pick<DebugReplyDeps, "pool" | "clock" | "keyring">,
): void {
  serve(app, debugToken, async ({ params, caller, request }) => {
    const { id, uuid } = await findServingApp(
      deps,
      caller,
      params.id,
      "Sample apps serve no ads, so no SDK can debug them",
    );
    const expiresAt = Math.floor(deps.clock.now() / 1000) + DEBUG_TOKEN_MINUTES * 60;
    await inTransaction(deps.pool, (client) =>
      recordAct({ ...deps, pool: client }, { caller, request }, { action: "debug_token_made", subject: uuid }),
    );
    const token = signDebugPass(deps.keyring, { appId: id, expiresAt });
    return { token, expires_at: new Date(expiresAt * 1000).toISOString() };
  });
}

/** What the tokens open. Every process answers it, because a proxy sends devices to the exchange. */
export function debuggerRoutes(app: FastifyInstance, deps: DebugReplyDeps & { admit: Admit }): void {
  rawScope(app, { bodyLimit: MAX_BODY_BYTES, admit: deps.admit }, (scope) => {
    serveRaw(scope, sdkDebug, "any", async (request, reply) => {
      const body = sdkDebug.body.safeParse(parseJson(request.body));
      if (!body.success) throw new Problem("invalid", { body: "must have a token, and a list of auctions" });
      return sendJson(reply, await debugReply(deps, body.data));
    });
  });
}
