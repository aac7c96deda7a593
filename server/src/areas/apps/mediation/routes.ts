import {
  type AppBids,
  type Query,
  BID_EDGES,
  appBids,
  appMediation,
  automaticFloors,
  switchAutomaticFloors,
} from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { AppsDeps } from "../deps.ts";
import { findSettings } from "../settings/settings-store.ts";
import { type App, ownApp } from "../store.ts";
import { readMediation } from "./app-mediation.ts";
import { readAutomaticFloors, setAutomaticFloors } from "./automatic-floors.ts";
import { bidsUnder } from "./floor-effect.ts";

/** What partners did in an app's auctions, and the bids that its floors decide on. */
export function mediationRoutes(app: FastifyInstance, deps: AppsDeps): void {
  const { pool, statistics } = deps;
  serve(app, appMediation, ({ params, query, caller, signal }) =>
    statistics.turns.run(
      caller.accountId,
      async () => readMediation(deps, await ownApp(pool, caller, params.id), query),
      signal(),
    ),
  );
  serve(app, appBids, ({ params, query, caller, signal }) =>
    statistics.turns.run(
      caller.accountId,
      async () => readBids(deps, await ownApp(pool, caller, params.id), query),
      signal(),
    ),
  );
  serve(app, automaticFloors, async ({ params, caller }) =>
    readAutomaticFloors(pool, (await ownApp(pool, caller, params.id)).id),
  );
  serve(app, switchAutomaticFloors, ({ params, body, caller, request }) =>
    setAutomaticFloors(deps, { caller, request }, params.id, body.enabled),
  );
}

async function readBids(
  { pool, statistics, clock }: AppsDeps,
  app: App,
  query: Query<typeof appBids>,
): Promise<AppBids> {
  const { country = null, format = null, floor } = query;
  const day = addDays(dayOf(clock.now()), -1);
  const params = { appId: app.id, de: day, edges: [...BID_EDGES], floor: floor ?? 0 };
  const [{ floors }, rows] = await Promise.all([findSettings(pool, app.id), statistics.partners.highestBids(params)]);
  return { day, ...bidsUnder(rows, { rule: { country, format }, floors, floor }) };
}
