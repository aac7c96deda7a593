import { explainAuction } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { FairQueue } from "../../../platform/fair-queue.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import { explain } from "./explain-auction.ts";
import { type TraceStore, findPlayerEvents, findTrace } from "./find-trace.ts";

export function traceRoutes(
  app: FastifyInstance,
  config: ConfigSource,
  store: TraceStore & { turns: Pick<FairQueue, "run"> },
): void {
  serve(app, explainAuction, ({ params, caller }) =>
    store.turns.run(caller.accountId, () => explainOwn(config, store, params.id, caller.accountId)),
  );
}

async function explainOwn(config: ConfigSource, store: TraceStore, id: string, accountId: number) {
  const stored = await findTrace(store, id);
  const owner = stored && configuration(config).byId.get(stored.appId);
  // Another account's auction is reported as not found.
  if (!stored || owner?.accountId !== accountId) {
    throw new Problem("not_found", "There is no record of this auction");
  }
  return explain(stored, owner, await findPlayerEvents(store, stored.appId, id));
}
