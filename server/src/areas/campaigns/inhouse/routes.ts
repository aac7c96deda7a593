import * as contract from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Throttle } from "../../../platform/http/throttle.ts";
import { serve } from "../../../platform/http/serve.ts";
import { asksForPage } from "../../../platform/http/web-pages.ts";
import type { CampaignsDeps } from "../deps.ts";
import { getInhouse, inhouseChoices, listInhouse } from "./read-inhouse.ts";
import { addInhouse, editInhouse, setInhouseStatus } from "./save-inhouse.ts";

/** The calls about in-house campaigns, but for the upload. */
export function inhouseRoutes(app: FastifyInstance, deps: CampaignsDeps & { saves: Throttle }): void {
  serve(app, contract.listInhouse, ({ query, caller }) => listInhouse(deps, caller.accountId, query));
  serve(app, contract.inhouseChoices, ({ caller }) => inhouseChoices(deps, caller.accountId));
  serve(app, contract.getInhouse, ({ params, caller }) => getInhouse(deps, caller.accountId, params.id));
  serve(app, contract.setInhouseStatus, async ({ params, query, reply, ...by }) => {
    await setInhouseStatus(deps, by, { uuid: params.id, status: query.status });
    return answered(by.request, reply);
  });
  serve(app, contract.deleteInhouse, async ({ params, reply, ...by }) => {
    await setInhouseStatus(deps, by, { uuid: params.id, status: "delete" });
    return answered(by.request, reply);
  });
  // A scope of its own: no other call takes such a form.
  void app.register(async (scope) => {
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, text, done) =>
      done(null, contract.readInhouseForm(String(text))),
    );
    serve(scope, contract.addInhouse, ({ query, body, ...by }) => addInhouse(deps, by, { ...query, body }));
    serve(scope, contract.editInhouse, ({ params, query, body, ...by }) =>
      editInhouse(deps, by, { uuid: params.id, ...query, body }),
    );
  });
}

/** A browser that navigated here goes back to the list. */
const answered = (request: FastifyRequest, reply: FastifyReply) =>
  asksForPage(request) ? reply.redirect("/inhouse", 303) : { ok: 1 as const };
