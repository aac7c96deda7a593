import { openrtbAuction, sdkAd, sdkInit, vastTag } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/http/problem.ts";
import type { Log } from "../../platform/log.ts";
import type { EventSink } from "../statistics/index.ts";
import type { AuctionDeps } from "./auction/execute-auction.ts";
import type { BeaconDeps } from "./beacons/event-draft.ts";
import type { ConfigFeed } from "./config/config-feed.ts";
import type { AppConfig, Snapshot } from "./config/snapshot.ts";
import type { SdkVersions } from "./config/sdk-versions.ts";
import type { ZoneRegistry } from "./config/zone-registry.ts";
import type { Geo } from "./facts/geo.ts";
import { type Client, clientOf } from "./facts/client.ts";
import type { AdDeps } from "./markup/make-ad.ts";
import type { Tally } from "./metrics.ts";
import type { RateLimit } from "./rate-limits.ts";
import type { VastCache } from "./vast/vast-cache.ts";

/** The dependencies of every call of the exchange. */
export interface ExchangeContext {
  pool: Pool;
  config: ConfigFeed;
  auction: AuctionDeps;
  ads: AdDeps;
  beacons: BeaconDeps;
  events: EventSink;
  zones: ZoneRegistry;
  sdkVersions: SdkVersions;
  geo: Geo;
  limits: { address: RateLimit; app: RateLimit; beacon: RateLimit; maxImps: number };
  /** From a request's arrival to its answer. */
  deadlineMs: number;
  /** The share of auctions whose trace is kept; 1 keeps all. */
  traceShare: number;
  tally: Tally;
  vastCache: VastCache;
  clock: Clock;
  log: Log;
  /** Runs a task after the answer is sent; shutdown waits for it. */
  later(work: () => Promise<unknown> | void): void;
}

/** The configuration in force; Problem `unavailable` before the first load. */
export function configuration({ config }: ExchangeContext): Snapshot {
  const snapshot = config.current();
  if (!snapshot) throw new Problem("unavailable", "The configuration is not read yet", { retryAfterSeconds: 2 });
  return snapshot;
}

/** Calls that sell ads; the others report what happened to them. */
const SELLING = new Set<string>([sdkInit.path, sdkAd.path, openrtbAuction.path, vastTag.path]);

/** Counts a call against its address's limit before its body is read, because a refusal must cost next to nothing. */
export function limitAddress({ limits }: Pick<ExchangeContext, "limits">, request: FastifyRequest): void {
  const limit = SELLING.has(request.routeOptions.url ?? "") ? limits.address : limits.beacon;
  limit.take(clientOf(request).ip);
}

/** Counts a call's imps against its address; `limitAddress` has counted the first. */
export function limitImps({ limits }: ExchangeContext, client: Client, imps: number): void {
  if (imps > 1) limits.address.take(client.ip, imps - 1);
}

/** Counts a call's imps against the limits of its address and app. */
export function limitCall(context: ExchangeContext, client: Client, app: AppConfig, imps = 1): void {
  limitImps(context, client, imps);
  context.limits.app.take(app.id, imps);
}
