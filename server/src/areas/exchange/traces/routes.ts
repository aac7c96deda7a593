import { explainAuction } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import { explain } from "./explain-auction.ts";
import { type TraceStore, findPlayerEvents, findTrace } from "./find-trace.ts";

export function traceRoutes(app: FastifyInstance, config: ConfigSource, store: TraceStore): void {
  serve(app, explainAuction, async ({ params, caller }) => {
    const stored = await findTrace(store, params.id);
    const owner = stored && configuration(config).byId.get(stored.appId);
    // Another account's auction does not exist for this one.
    if (!stored || owner?.accountId !== caller.accountId) {
      throw new Problem("not_found", "There is no record of this auction");
    }
    return explain(stored, owner, await findPlayerEvents(store, stored.appId, params.id));
  });
}
