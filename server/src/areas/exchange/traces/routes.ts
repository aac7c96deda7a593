import { decodeTrace } from "@millrace/auction";
import { CAMPAIGN_PROVIDER, explainAuction, INHOUSE_PROVIDER, mayUse } from "@millrace/contract";
import { dayOf, sharePpmOn } from "@millrace/units";
import type { FastifyInstance } from "fastify";
import type { FairQueue } from "../../../platform/fair-queue.ts";
import { type Caller, reaches } from "../../../platform/http/caller.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import { type AuctionRecord, explain, type Explanation } from "./explain-auction.ts";
import { explainUntraced } from "./explain-untraced.ts";
import { findFollowing, findRequests, findTrace, type TraceStore } from "./stored-auction.ts";

interface TraceDeps extends TraceStore {
  turns: Pick<FairQueue, "run">;
  /** The share of publishers without one of their own. */
  platformSharePpm: number;
}

export function traceRoutes(app: FastifyInstance, config: ConfigSource, deps: TraceDeps): void {
  serve(app, explainAuction, ({ params, caller }) =>
    deps.turns.run(caller.accountId, () => explainOwn(config, deps, params.id, caller)),
  );
}

/** Explains an auction of the account by its trace, or by its requests if no trace was kept. */
async function explainOwn(config: ConfigSource, deps: TraceDeps, id: string, caller: Caller): Promise<Explanation> {
  const { byId, partners, version } = configuration(config);
  const stored = await findTrace(deps, id);
  const traceOwner = stored && byId.get(stored.appId);
  // An auction of an app out of reach is reported as not found.
  if (stored && !(traceOwner && reaches(caller, traceOwner))) throw notFound();
  const appIds = stored
    ? [stored.appId]
    : [...byId.values()].filter((app) => reaches(caller, app)).map((app) => app.id);
  const requests = appIds.length === 0 ? [] : await findRequests(deps, appIds, id);
  const appId = stored?.appId ?? requests[0]?.appId;
  const app = appId === undefined ? undefined : byId.get(appId);
  if (!app) throw notFound();
  const atMs = requests[0]?.atMs ?? (stored ? decodeTrace(stored.bytes).input.at : 0);
  const record: AuctionRecord = {
    app,
    configVersion: version,
    // An admin looks at a publisher's auctions on the publisher's behalf.
    showsAdvertisers: caller.impersonatorId !== null,
    showsKeys: mayUse("keys.manage", caller) && !caller.byToken,
    requests,
    ...(await findFollowing(deps, app.id, id, atMs)),
    knownSharePpm: sharePpmOn(dayOf(atMs), app.shares, deps.platformSharePpm),
    partnerName: (partner) =>
      [CAMPAIGN_PROVIDER, INHOUSE_PROVIDER].find(({ id }) => id === partner)?.name ??
      partners.get(partner)?.name ??
      partner,
  };
  const explained = stored ? explain(stored, record) : explainUntraced(id, record);
  if (!explained) throw notFound();
  return explained;
}

const notFound = () => new Problem("not_found", "There is no record of this auction");
