import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { Budgets } from "../../budgets/index.ts";
import type { ClickIds } from "../../measurement/index.ts";
import type { EventSink, Statistics } from "../../statistics/index.ts";
import { AdLinks, type LinksDeps } from "./ad-links.ts";
import { AuctionCampaigns } from "./auction-campaigns.ts";
import { CampaignBilling } from "./campaign-billing.ts";
import { CampaignBook } from "./campaign-book.ts";
import { CampaignMisses } from "./campaign-misses.ts";
import { CampaignChooser, type CampaignRequest } from "./choose-campaigns.ts";
import { CreativeRotation } from "./creative-rotation.ts";
import { Forecast } from "./forecast.ts";
import { type FrequencyCaps, MemoryFrequencyCaps, type ReadImpressions } from "./frequency-caps.ts";
import { Pacer } from "./pacer.ts";
import { type AnsweredAd, ReturnedAds } from "./returned-ads.ts";

export interface BuyerDeps {
  pool: Pool;
  publicUrl: string;
  budgets: Budgets;
  clickIds: ClickIds;
  /** What campaigns have shown before this process counted, and the traffic that their pace goes by. */
  statistics: Pick<Statistics, "campaignImpressionsSince" | "campaignTraffic" | "creativeCounts">;
  events: Pick<EventSink, "appendAll">;
  clock: Clock;
  log: Log;
  /** Replaces the pace by which campaigns bid. */
  pacer?: Pick<Pacer, "planOf">;
  /** Shared by several processes; in memory by default. */
  caps?: FrequencyCaps | undefined;
}

const RESTORE_MS = 250;
const FLUSH_MS = 3000;
/** The traffic is read again in every hour; until there is any, as often as this. */
const FORECAST_MS = 10_000;
/** Rates of clicks change slowly. */
const LEARN_MS = 30_000;

/** An imp of an answer with its returned ads, best first. */
interface AnsweredImp {
  impId: string;
  ads: readonly {
    candidate: { participantId: string; candidateId: string; call: number; index: number; priceMicros: number };
  }[];
}

/** The money of an ad, as another process that held it knows it. */
export const moneyOf = ({ leaseId, costMicros }: { leaseId: string; costMicros: number }) => ({ leaseId, costMicros });

/** Buys ads for campaigns: chooses those that bid, holds money and places below caps for them, and bills their impressions. */
export class CampaignBuyer {
  readonly book: CampaignBook;
  readonly billing: CampaignBilling;
  readonly #chooser: CampaignChooser;
  readonly #returned: ReturnedAds;
  readonly #misses: CampaignMisses;
  readonly #caps: FrequencyCaps;
  readonly #budgets: Budgets;
  readonly #forecast: Forecast;
  readonly #rotation: CreativeRotation;
  readonly #deps: Pick<BuyerDeps, "statistics" | "clickIds" | "clock" | "log">;
  #timers: NodeJS.Timeout[] = [];
  #restoring: Promise<void> | undefined;
  #forecasting: Promise<void> | undefined;

  constructor(deps: BuyerDeps) {
    const { pool, publicUrl, budgets, statistics, events, clock, log } = deps;
    const caps = deps.caps ?? new MemoryFrequencyCaps();
    this.#caps = caps;
    this.#budgets = budgets;
    this.#deps = deps;
    this.#forecast = new Forecast(() => statistics.campaignTraffic());
    const pacer = new Pacer({ forecast: this.#forecast, spentOf: (id) => budgets.spentOf(id) });
    const rotation = new CreativeRotation({ read: (ids) => statistics.creativeCounts(ids), log });
    this.#rotation = rotation;
    this.book = new CampaignBook({
      pool,
      publicUrl,
      onChange(id, campaign) {
        if (campaign?.isBuying === true) {
          pacer.set(campaign);
          rotation.set(campaign);
        } else {
          pacer.remove(id);
          rotation.remove(id);
        }
        budgets.changed(id);
      },
    });
    this.#chooser = new CampaignChooser({
      index: this.book.index,
      caps,
      pacer: deps.pacer ?? pacer,
      budgets,
      rotation,
    });
    this.#returned = new ReturnedAds((ad) => this.#chooser.release(ad));
    this.#misses = new CampaignMisses({ events, clock, log });
    this.billing = new CampaignBilling({ budgets, caps, capsOf: (id) => this.book.capsOf(id), log });
  }

  /** Fills the macros of campaigns' links. */
  linksIn(others: Pick<LinksDeps, "inhouseOf" | "appOf">): AdLinks {
    return new AdLinks({ clickIds: this.#deps.clickIds, campaignOf: (id) => this.book.find(id), ...others });
  }

  /** The campaigns that bid in an auction; null if there are none. A promise only if other processes are asked. */
  choose(request: CampaignRequest, isTraced: boolean): AuctionCampaigns | null | Promise<AuctionCampaigns> {
    const choice = this.#chooser.choose(request);
    if (!choice) return null;
    const chosen = () => new AuctionCampaigns(choice, { auctionId: request.auctionId, isTraced });
    const asking = this.#caps.confirm(choice.ads.flatMap(({ held }) => held?.place ?? []));
    if (!asking) return chosen();
    return asking.then((refused) => {
      this.#chooser.refuse(choice, refused);
      return chosen();
    });
  }

  /** After an answer: gives back what is held for ads that were not returned, and counts what campaigns have missed. */
  answered(
    { auctionId, at }: { auctionId: string; at: number },
    campaigns: AuctionCampaigns,
    imps: readonly AnsweredImp[],
  ): void {
    const left = new Set(campaigns.ads);
    const prices = new Map<string, number>();
    for (const { impId, ads } of imps) {
      // What it was ranked at: an ad that nobody pays for has no other price.
      prices.set(impId, ads[0]?.candidate.priceMicros ?? 0);
      for (const { candidate } of ads) {
        const own = campaigns.adAt(candidate);
        if (!own) continue;
        left.delete(own);
        if (own.held) this.#returned.add({ auctionId, impId, candidateId: candidate.candidateId }, own, at);
      }
    }
    for (const ad of left) this.#chooser.release(ad);
    for (const { campaign, impId, priceMicros, reason } of campaigns.missed) {
      if (priceMicros >= (prices.get(impId) ?? 0)) this.#misses.add(campaign.id, reason);
    }
  }

  /** An ad of an answer was shown. */
  shown(ad: AnsweredAd): void {
    this.#returned.shown(ad);
  }

  /** Another process has billed the impression of an ad of an answer. */
  shownElsewhere(ad: AnsweredAd, money: { leaseId: string; costMicros: number } | null): void {
    this.#returned.shown(ad);
    if (money) this.#budgets.spentElsewhere(money.leaseId, money.costMicros);
  }

  /** An ad was skipped or could not be shown. */
  lost(ad: AnsweredAd): void {
    this.#returned.lost(ad);
  }

  start(): void {
    const repeat = (task: () => Promise<void>, ms: number) => setInterval(() => void task(), ms).unref();
    this.#timers = [
      repeat(() => this.restore(), RESTORE_MS),
      repeat(() => this.foresee(), FORECAST_MS),
      repeat(() => this.flush(), FLUSH_MS),
      repeat(() => this.#rotation.refresh(), LEARN_MS),
    ];
    void this.foresee();
  }

  /** Reads what the campaigns have shown that wait for it. Their ads wait meanwhile. */
  restore(): Promise<void> {
    const { statistics, clock } = this.#deps;
    const read: ReadImpressions = (ids, sinceMs) => statistics.campaignImpressionsSince(ids, sinceMs);
    return (this.#restoring ??= this.#quietly(() => this.#caps.restore(read, clock.now())).finally(
      () => (this.#restoring = undefined),
    ));
  }

  /** Reads the traffic that campaigns are paced by. */
  foresee(): Promise<void> {
    return (this.#forecasting ??= this.#quietly(() => this.#forecast.refresh(this.#deps.clock.now())).finally(
      () => (this.#forecasting = undefined),
    ));
  }

  async #quietly(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "what campaigns need of the statistics cannot be read; it is tried again");
    }
  }

  /** Forgets what is over. */
  forget(nowMs: number): void {
    this.#returned.forget(nowMs);
    this.#caps.forget(nowMs);
  }

  /** Hands the counts of missed auctions to the journal. */
  flush(): Promise<void> {
    return this.#misses.flush();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#restoring, this.#forecasting]);
    await this.flush();
  }
}
