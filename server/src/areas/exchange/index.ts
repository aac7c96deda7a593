import type { ClickHouseClient } from "@clickhouse/client";
import { type Replay, replay } from "@millrace/auction";
import { AUCTION_DEADLINE_MS } from "@millrace/contract";
import type { VastFault } from "@millrace/openrtb";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import type { Registry } from "prom-client";
import type { Area } from "../../platform/area.ts";
import { BidClient } from "../../platform/bid-client/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FairQueue } from "../../platform/fair-queue.ts";
import type { AppReach } from "../../platform/http/caller.ts";
import { type Admit, rawScope } from "../../platform/http/serve-raw.ts";
import type { Log } from "../../platform/log.ts";
import type { KeyReader } from "../demand-partners/index.ts";
import type { EventSink } from "../statistics/index.ts";
import { BackgroundWork } from "./background-work.ts";
import { DroppedEvents } from "./beacons/dropped-events.ts";
import { beaconRoutes } from "./beacons/routes.ts";
import { toldEvents } from "./beacons/take-player-event.ts";
import { type BuyerDeps, CampaignBuyer, moneyOf } from "./campaigns/campaign-buyer.ts";
import { InhouseBook } from "./campaigns/inhouse-book.ts";
import { configFeed } from "./config/config-feed.ts";
import { SdkVersions } from "./config/sdk-versions.ts";
import { ZoneRegistry } from "./config/zone-registry.ts";
import type { AdFacts } from "./delivery/beacon-token.ts";
import { keyringOf } from "./delivery/secrets.ts";
import { type Geo, openGeo } from "./facts/geo.ts";
import { limitAddress } from "./http/limit-calls.ts";
import { DEFAULT_LIMITS, type ExchangeLimits } from "./http/rate-limits.ts";
import { answersIn } from "./leftovers.ts";
import { exposeMetrics, newTally } from "./metrics.ts";
import { NoticeOutbox } from "./notices/notice-outbox.ts";
import { NoticeSender } from "./notices/notice-sender.ts";
import { type AnsweredAd, Notices, answeredAd } from "./notices/notices.ts";
import { OpenAnswers } from "./notices/open-answers.ts";
import { openrtbRoutes } from "./openrtb/routes.ts";
import { tcfReader } from "./privacy/read-tcf.ts";
import { loadVendorList } from "./privacy/vendor-list.ts";
import { batchRoutes, sdkRoutes } from "./sdk/routes.ts";
import { AD_LIFE_MS, type ExchangeProcesses, sharedState } from "./shared-state.ts";
import { testAdRoutes } from "./test-ad/routes.ts";
import { findTrace } from "./traces/stored-auction.ts";
import { traceRoutes } from "./traces/routes.ts";
import { vastRoutes } from "./vast/routes.ts";
import { vastCache } from "./vast/vast-cache.ts";

export { CampaignBuyer } from "./campaigns/campaign-buyer.ts";
export { Forecast } from "./campaigns/forecast.ts";
export { MemoryFrequencyCaps } from "./campaigns/frequency-caps.ts";
export { Pacer } from "./campaigns/pacer.ts";
export { configFeed } from "./config/config-feed.ts";
export { signAd } from "./delivery/beacon-token.ts";
export type { ExchangeProcesses } from "./shared-state.ts";
export { keyringOf } from "./delivery/secrets.ts";
export { COUNTRY_CODES } from "./facts/country-codes.data.ts";
export { openGeo } from "./facts/geo.ts";
export { addressRate } from "./http/rate-limits.ts";
export { moveNotices, settleLeftClaims } from "./leftovers.ts";

export interface ExchangeDeps {
  pool: Pool;
  /** Reads the publishers' unsealed keys of apps. */
  partnerKeys: KeyReader;
  /** A read-only connection, because owners query stored traces. */
  clickhouse: ClickHouseClient;
  /** Awaited before stored traces are read, so that recent auctions are found too. */
  look(): Promise<void>;
  /** Reads of stored traces take turns by account. */
  turns: Pick<FairQueue, "run">;
  /** An app within reach, even one that never serves; the apps area knows it. */
  findApp(reach: AppReach, uuid: string): Promise<object | undefined>;
  events: EventSink;
  /** Ids of events kept since a moment, including those not yet shipped to the store. */
  recentEventIds(sinceMs: number): AsyncIterable<string>;
  /** Where notices are stored until they are delivered. */
  noticesDir: string;
  clock: Clock;
  log: Log;
  /** Newest first: the first one signs, all of them verify. */
  secrets: readonly string[];
  settings: {
    publicUrl: string;
    /** The share of publishers without one of their own. */
    revenueSharePpm: number;
    /** The share of auctions whose trace is kept outside demo mode. */
    traceShare: number;
    demo: boolean;
    /** The operator's copy of the IAB's Global Vendor List. */
    vendorListPath?: string | undefined;
  };
  limits?: Partial<ExchangeLimits>;
  /** The registry of the exchange's own metrics. */
  metrics?: Registry;
  /** The platform's deadline by default. */
  deadlineMs?: number;
  geo?: Geo;
  /** Several exchange processes, and what they share; without it, this is the only one. */
  processes?: ExchangeProcesses | undefined;
  /** Whose routes it has: those of devices and bidders, and those of the dashboard; all unless told otherwise. */
  serves?: { devices: boolean; dashboard: boolean };
  /** What campaigns buy with; without it the exchange buys for none. */
  campaigns?: Pick<BuyerDeps, "budgets" | "statistics" | "pacer" | "clickIds">;
}

export interface Exchange {
  /** Reads pending changes of the configuration now. */
  reloadConfig(): Promise<void>;
  /** Waits for all background work: rows, notices, zones. */
  drain(): Promise<void>;
  /** Replays a stored auction from its trace; null if none was kept. */
  replayStored(auctionId: string): Promise<Replay | null>;
}

const HOUSEKEEPING_MS = 60_000;
const COUNTING_MS = 3000;
const BATCH_LIMIT = 1024 * 1024;
/** Notices not delivered by then are sent after the next start. */
const STOP_MS = 1000;

/** The exchange: sessions, auctions, ads and their events. */
export async function exchangeArea(deps: ExchangeDeps): Promise<Area & Exchange> {
  const { pool, events, clock, log, settings, serves = { devices: true, dashboard: true } } = deps;
  const keyring = keyringOf(deps.secrets);
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const state = sharedState({ ...deps, keyring, limits, lifeMs: AD_LIFE_MS });
  const { seen, breakers, bus } = state;
  const buyer =
    deps.campaigns &&
    new CampaignBuyer({ ...deps.campaigns, pool, publicUrl: settings.publicUrl, events, clock, log, caps: state.caps });
  const inhouse = new InhouseBook({ pool, publicUrl: settings.publicUrl });
  const config = configFeed({ pool, partnerKeys: deps.partnerKeys, campaigns: [buyer?.book, inhouse] }, log);
  const client = new BidClient();
  const sender = new NoticeSender((bidder) => config.current()?.partners.get(bidder)?.origin ?? null, log);
  const outbox = new NoticeOutbox(sender, clock, log);
  const answers = new OpenAnswers(clock, AD_LIFE_MS);
  const links =
    buyer?.linksIn({ inhouseOf: (id) => inhouse.find(id), appOf: (id) => config.current()?.byId.get(id) }) ?? null;
  const notices = new Notices(outbox, answers, (shown, url) => links?.viewLink(url, shown, clock.now()) ?? { url });
  const zones = new ZoneRegistry(pool, log, () => config.current());
  const sdkVersions = new SdkVersions(pool, log);
  const work = new BackgroundWork(log);

  const tally = newTally();
  const dropped = new DroppedEvents({ events, clock, log });
  if (deps.metrics) {
    exposeMetrics(deps.metrics, {
      tally,
      connections: () => client.connections,
      pausedPartners: () => breakers.paused,
      notices: () => sender.counts,
      seenEvents: () => seen.size,
    });
  }

  const shared = {
    config,
    keyring,
    clock,
    events,
    zones,
    sdkVersions,
    geo: deps.geo ?? (await openGeo()),
    limits: { ...state.limits, maxImps: limits.maxImps },
    vastCache: vastCache({
      publicUrl: settings.publicUrl,
      now: () => clock.now(),
      key: keyring.document,
      shared: state.documents,
    }),
    auction: {
      client,
      breakers,
      keyring,
      tcf: tcfReader(await loadVendorList(settings.vendorListPath)),
      deadlineMs: deps.deadlineMs ?? AUCTION_DEADLINE_MS,
      platformSharePpm: settings.revenueSharePpm,
      traceShare: settings.demo ? 1 : settings.traceShare,
      clock,
      campaigns: buyer,
      inhouse,
      skips: config.skips,
    },
    ads: {
      keyring,
      publicUrl: settings.publicUrl,
      adLifeMs: AD_LIFE_MS,
      onRefusedVast(reason: VastFault) {
        tally.refusedVast.set(reason, (tally.refusedVast.get(reason) ?? 0) + 1);
      },
    },
    records: { events, zones, notices, tally, later: work.later, campaigns: buyer },
    beacons: {
      keyring,
      events,
      seen,
      notices,
      counts: state.counts,
      tally,
      dropped,
      told: toldEvents(),
      billing: buyer?.billing ?? null,
      onLoss(facts: AdFacts) {
        lost(facts);
        bus.publish("lost", answeredAd(facts));
      },
      onImpression(facts: AdFacts) {
        const { appId, zone, format, sdkVersion, campaign } = facts;
        buyer?.shown(facts);
        bus.publish("shown", { ...answeredAd(facts), campaign: campaign && moneyOf(campaign) });
        zones.noteImpression(appId, zone, format);
        if (sdkVersion !== "") sdkVersions.noteImpression(appId, sdkVersion);
      },
      clock,
      log,
    },
  };

  function lost(ad: AnsweredAd): void {
    notices.onLoss(ad);
    buyer?.lost(ad);
  }
  bus.subscribe("lost", lost);
  bus.subscribe("shown", ({ campaign, ...ad }) => {
    notices.onShownElsewhere(ad);
    buyer?.shownElsewhere(ad, campaign);
  });

  let timers: NodeJS.Timeout[] = [];
  async function settle(): Promise<void> {
    await work.settled();
    await zones.flush();
    await sdkVersions.flush();
    await dropped.flush();
    await buyer?.flush();
  }

  function deviceRoutes(app: FastifyInstance): void {
    const admit: Admit = (request, call) => limitAddress(shared.limits, request, call);
    rawScope(app, { bodyLimit: limits.maxBodyBytes, admit }, (scope) => {
      sdkRoutes(scope, shared);
      beaconRoutes(scope, { ...shared.beacons, links });
      openrtbRoutes(scope, shared);
      vastRoutes(scope, shared);
    });
    rawScope(app, { bodyLimit: BATCH_LIMIT, admit }, (scope) => batchRoutes(scope, shared));
  }

  function dashboardRoutes(app: FastifyInstance): void {
    testAdRoutes(app, {
      ...shared,
      reloadConfig: () => config.reload(),
      hasApp: async (reach, uuid) => (await deps.findApp(reach, uuid)) !== undefined,
    });
    traceRoutes(app, config, { ...deps, platformSharePpm: settings.revenueSharePpm });
  }

  return {
    name: "exchange",
    routes: (app) => {
      if (serves.devices) deviceRoutes(app);
      if (serves.dashboard) dashboardRoutes(app);
    },
    async start() {
      await config.start();
      await outbox.open(deps.noticesDir);
      await answers.open(answersIn(deps.noticesDir), log);
      buyer?.start();
      if (serves.devices) await state.start();
      const housekeep = () => {
        seen.forget(clock.now());
        answers.forget();
        buyer?.forget(clock.now());
      };
      timers = [setInterval(() => void dropped.flush(), COUNTING_MS), setInterval(housekeep, HOUSEKEEPING_MS)];
      for (const timer of timers) timer.unref();
    },
    async stop() {
      state.stopRestoring();
      for (const timer of timers) clearInterval(timer);
      await settle();
      await buyer?.stop();
      if (serves.devices) await state.stop();
      client.close();
      await outbox.drain(STOP_MS);
      await outbox.close();
      await answers.close();
      await config.stop();
    },
    reloadConfig: () => config.reload(),
    async drain() {
      await settle();
      await outbox.drain();
    },
    async replayStored(auctionId) {
      const stored = await findTrace(deps, auctionId);
      return stored && replay(stored.bytes);
    },
  };
}
