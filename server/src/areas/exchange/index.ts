import { type Replay, replay } from "@millrace/auction";
import { AUCTION_DEADLINE_MS } from "@millrace/contract";
import type { VastFault } from "@millrace/openrtb";
import type { FastifyInstance } from "fastify";
import type { Area } from "../../platform/area.ts";
import { BidClient } from "../../platform/bid-client/index.ts";
import { type Admit, rawScope } from "../../platform/http/serve-raw.ts";
import { platformHost } from "../demand-partners/index.ts";
import { BackgroundWork } from "./background-work.ts";
import { DroppedEvents } from "./beacons/dropped-events.ts";
import { beaconRoutes } from "./beacons/routes.ts";
import { earlyClicks } from "./beacons/early-clicks.ts";
import { newRecentEvents } from "./beacons/take-player-event.ts";
import { watchTimes } from "./beacons/take-reward.ts";
import { CampaignBuyer, moneyOf } from "./campaigns/campaign-buyer.ts";
import { InhouseBook } from "./campaigns/inhouse-book.ts";
import { configFeed } from "./config/config-feed.ts";
import { SdkVersions } from "./config/sdk-versions.ts";
import { ZoneRegistry } from "./config/zone-registry.ts";
import type { AdFacts } from "./delivery/beacon-token.ts";
import { keyringOf } from "./delivery/secrets.ts";
import { openGeo } from "./facts/geo.ts";
import { limitAddress } from "./http/limit-calls.ts";
import { DEFAULT_LIMITS } from "./http/rate-limits.ts";
import { dashboardRoutes } from "./dashboard-routes.ts";
import { debuggerRoutes } from "./debugger/routes.ts";
import type { ExchangeDeps } from "./exchange-deps.ts";
import { answersIn } from "./leftovers.ts";
import { countsOf, exposeMetrics, newTally } from "./metrics.ts";
import { NoticeOutbox } from "./notices/notice-outbox.ts";
import { NoticeSender } from "./notices/notice-sender.ts";
import { type AnsweredAd, Notices, answeredAd } from "./notices/notices.ts";
import { OpenAnswers } from "./notices/open-answers.ts";
import { openrtbRoutes } from "./openrtb/routes.ts";
import { tcfFrom } from "./privacy/read-tcf.ts";
import { forgetState, noteState, STATE_MS } from "./processes/exchange-states.ts";
import { debugThrottle } from "./sdk/debug-order.ts";
import { batchRoutes, sdkRoutes } from "./sdk/routes.ts";
import { AD_LIFE_MS, sharedState } from "./shared-state.ts";
import { logFailedAds } from "./markup/make-ads.ts";
import { markupCache } from "./markup/markup-cache.ts";
import { findTrace } from "./traces/stored-auction.ts";
import { vastRoutes } from "./vast/routes.ts";

export { CampaignBuyer } from "./campaigns/campaign-buyer.ts";
export { Forecast } from "./campaigns/forecast.ts";
export { MemoryFrequencyCaps } from "./campaigns/frequency-caps.ts";
export { Pacer } from "./campaigns/pacer.ts";
export { configFeed } from "./config/config-feed.ts";
export { signAd } from "./delivery/beacon-token.ts";
export { signDebugPass } from "./delivery/debug-token.ts";
export type { ExchangeProcesses } from "./shared-state.ts";
export { keyringOf } from "./delivery/secrets.ts";
export { COUNTRY_CODES } from "./facts/country-codes.data.ts";
export { REGIONS } from "./facts/regions.ts";
export { worldRegionOf } from "./facts/world-region.ts";
export { openGeo } from "./facts/geo.ts";
export { addressRate } from "./http/rate-limits.ts";
export { moveNotices, settleLeftClaims } from "./leftovers.ts";
export { sinceStart } from "./processes/exchange-states.ts";

export type { ExchangeDeps } from "./exchange-deps.ts";

export interface Exchange {
  /** Reads pending changes of the configuration now. */
  reloadConfig(): Promise<void>;
  /** Whether the configuration was read, without which nothing is sold. */
  isConfigured(): boolean;
  /** Waits for all background work: rows, notices, zones. */
  drain(): Promise<void>;
  /** Replays a stored auction from its trace; null if none was kept. */
  replayStored(auctionId: string): Promise<Replay | null>;
}

const HOUSEKEEPING_MS = 60_000;
const COUNTING_MS = 3000;
/** The name of an exchange process without others. */
const ONLY_PROCESS = "exchange";
/** Notices not delivered by then are sent after the next start. */
const STOP_MS = 1000;

const NOWHERE: ReadonlySet<string> = new Set();

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
  const config = configFeed({ ...deps, rateDays: settings.rateDays, campaigns: [buyer?.book, inhouse] }, log);
  const client = new BidClient();
  const sender = new NoticeSender((bidder) => config.current()?.partners.get(bidder)?.origins ?? NOWHERE, log);
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
  exposeMetrics(deps.metrics, {
    tally,
    connections: () => client.connections,
    pausedPartners: () => breakers.paused().length,
    notices: () => sender.counts,
    seenEvents: () => seen.size,
  });
  const name = deps.processes?.name ?? ONLY_PROCESS;

  /** One at a time; the last one is over before the state is forgotten. */
  let noted = Promise.resolve();
  function noteOwnState(): void {
    noted = noted.then(async () => {
      const counts = { ...countsOf(tally), notices: sender.counts };
      await noteState(pool, name, { counts, paused: breakers.paused() }).catch((error: unknown) =>
        log.warn({ err: error }, "the counts of this process could not be stored for the dashboard"),
      );
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
    debugged: debugThrottle(),
    markupCache: markupCache({
      publicUrl: settings.publicUrl,
      now: () => clock.now(),
      key: keyring.document,
      shared: state.documents,
    }),
    auction: {
      client,
      breakers,
      limits: state.queryLimits,
      keyring,
      ...(await tcfFrom(settings.vendorListPath)),
      gdprCountries: settings.gdprCountries,
      deadlineMs: deps.deadlineMs ?? AUCTION_DEADLINE_MS,
      platformSharePpm: settings.revenueSharePpm,
      sellerDomain: platformHost(settings),
      traceShare: settings.demo ? 1 : settings.traceShare,
      clock,
      campaigns: buyer,
      inhouse,
      ...config.learned,
      ...config.inForce,
    },
    ads: {
      keyring,
      publicUrl: settings.publicUrl,
      adLifeMs: AD_LIFE_MS,
      onRefusedVast(reason: VastFault) {
        tally.refusedVast.set(reason, (tally.refusedVast.get(reason) ?? 0) + 1);
      },
      onFailedAd: logFailedAds(log),
    },
    records: { events, zones, notices, tally, later: work.later, campaigns: buyer },
    beacons: {
      keyring,
      events,
      seen,
      earlyClicks: earlyClicks(seen),
      notices,
      counts: state.counts,
      tally,
      dropped,
      recentEvents: newRecentEvents(),
      watched: watchTimes(),
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

  async function settle(): Promise<void> {
    await work.settled();
    await Promise.all([zones.flush(), sdkVersions.flush()]);
    await Promise.all([dropped.flush(), buyer?.flush()]);
  }

  const admit: Admit = (request, call) => limitAddress(shared.limits, request, call);

  function deviceRoutes(app: FastifyInstance): void {
    rawScope(app, { bodyLimit: limits.maxBodyBytes, admit }, (scope) => {
      sdkRoutes(scope, shared);
      beaconRoutes(scope, { ...shared.beacons, links, config, rewards: deps.rewards });
      openrtbRoutes(scope, shared);
      vastRoutes(scope, shared);
    });
    rawScope(app, { bodyLimit: 1024 * 1024, admit }, (scope) => batchRoutes(scope, shared));
  }

  return {
    name: "exchange",
    routes: (app) => {
      const all = { ...deps, ...shared.auction, ...shared, admit };
      if (serves.devices) deviceRoutes(app);
      if (serves.dashboard) dashboardRoutes(app, all);
      debuggerRoutes(app, all);
    },
    async start() {
      await config.start();
      await outbox.open(deps.noticesDir);
      await answers.open(answersIn(deps.noticesDir), log);
      buyer?.start();
      if (serves.devices) {
        await state.start();
        noteOwnState();
        work.every(STATE_MS, noteOwnState);
      }
      work.every(COUNTING_MS, () => void dropped.flush());
      work.every(HOUSEKEEPING_MS, () => {
        seen.forget(clock.now());
        answers.forget();
        buyer?.forget(clock.now());
      });
    },
    async stop() {
      state.stopRestoring();
      work.stopTimers();
      await settle();
      await buyer?.stop();
      if (serves.devices) {
        await state.stop();
        await noted;
        await forgetState(pool, name).catch(() => undefined);
      }
      client.close();
      await outbox.drain(STOP_MS);
      await outbox.close();
      await answers.close();
      await config.stop();
    },
    reloadConfig: () => config.reload(),
    isConfigured: () => config.current() !== null,
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
