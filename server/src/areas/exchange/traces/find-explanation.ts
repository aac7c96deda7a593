import { decodeTrace } from "@millrace/auction";
import { CAMPAIGN_PROVIDER, INHOUSE_PROVIDER, LINE_PROVIDER } from "@millrace/contract";
import { dayOf, sharePpmOn } from "@millrace/units";
import type { AppConfig } from "../config/snapshot.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import { type AuctionRecord, explain, type Explanation } from "./explain-auction.ts";
import { explainUntraced } from "./explain-untraced.ts";
import { findFollowing, findRequests, findTrace, type TraceStore } from "./stored-auction.ts";

export interface ExplainDeps extends TraceStore {
  /** The share of publishers without one of their own. */
  platformSharePpm: number;
}

/** Who reads an explanation. */
interface Reader extends Pick<AuctionRecord, "showsAdvertisers" | "showsKeys"> {
  /** Whether the app's auctions may be read at all. */
  reaches(app: AppConfig): boolean;
}

/** Explains an auction by its trace, or by its requests if no trace was kept; null without either, and for an app out of reach. */
export async function findExplanation(
  config: ConfigSource,
  deps: ExplainDeps,
  id: string,
  reader: Reader,
): Promise<Explanation | null> {
  const { byId, partners, version } = configuration(config);
  const inReach = [...byId.values()].filter((app) => reader.reaches(app)).map((app) => app.id);
  let stored = await findTrace(deps, id);
  if (stored && !inReach.includes(stored.appId)) return null;
  const requests = await findRequests(deps, stored ? [stored.appId] : inReach, id);
  // Both may have been stored between the two reads.
  if (!stored && requests.length > 0) stored = await findTrace(deps, id);
  const appId = stored?.appId ?? requests[0]?.appId;
  const app = appId === undefined ? undefined : byId.get(appId);
  if (!app) return null;
  const atMs = requests[0]?.atMs ?? (stored ? decodeTrace(stored.bytes).input.at : 0);
  const record: AuctionRecord = {
    app,
    configVersion: version,
    showsAdvertisers: reader.showsAdvertisers,
    showsKeys: reader.showsKeys,
    requests,
    ...(await findFollowing(deps, app.id, id, atMs)),
    knownSharePpm: sharePpmOn(dayOf(atMs), app.shares, deps.platformSharePpm),
    partnerName: (partner) =>
      [CAMPAIGN_PROVIDER, INHOUSE_PROVIDER, LINE_PROVIDER].find(({ id }) => id === partner)?.name ??
      partners.get(partner)?.name ??
      partner,
  };
  return stored ? explain(stored, record) : explainUntraced(id, record);
}
