import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { EventSink } from "../../statistics/index.ts";
import { AuctionCampaigns } from "./auction-campaigns.ts";
import { CampaignBilling } from "./campaign-billing.ts";
import { CampaignBook } from "./campaign-book.ts";
import type { Budgets, Pacing, Spend } from "./campaign-gates.ts";
import { CampaignMisses } from "./campaign-misses.ts";
import { CampaignChooser, type CampaignRequest } from "./choose-campaigns.ts";
import { FrequencyCaps, type ReadImpressions } from "./frequency-caps.ts";
import type { LiveCampaign } from "./live-campaigns.ts";
import { type AnsweredAd, ReturnedAds } from "./returned-ads.ts";

export interface BuyerDeps {
  pool: Pool;
  publicUrl: string;
  budgets: Budgets & { takeBack(spends: readonly Spend[]): Promise<void> };
  /** Reads what campaigns with frequency caps have shown before this process counted. */
  impressionsSince: ReadImpressions;
  pacing: Pacing;
  events: Pick<EventSink, "appendAll">;
  clock: Clock;
  log: Log;
  /** Hears of each campaign that was read; null for one that is gone. */
  onChange?(id: number, campaign: LiveCampaign | null): void;
}

const RESTORE_MS = 250;

/** An imp of an answer with its returned ads, best first. */
interface AnsweredImp {
  impId: string;
  ads: readonly {
    candidate: { participantId: string; candidateId: string; call: number; index: number };
    facts: { priceMicros: number };
  }[];
}

/** Buys ads for campaigns: chooses those that bid, holds money and places below caps for them, and bills their impressions. */
export class CampaignBuyer {
  readonly book: CampaignBook;
  readonly billing: CampaignBilling;
  readonly #chooser: CampaignChooser;
  readonly #returned: ReturnedAds;
  readonly #misses: CampaignMisses;
  readonly #caps = new FrequencyCaps();
  readonly #deps: Pick<BuyerDeps, "impressionsSince" | "clock" | "log">;
  #restoring: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(deps: BuyerDeps) {
    const { pool, publicUrl, budgets, pacing, events, clock, log, onChange } = deps;
    const caps = this.#caps;
    this.#deps = deps;
    this.book = new CampaignBook({ pool, publicUrl, ...(onChange && { onChange }) });
    this.#chooser = new CampaignChooser({ index: this.book.index, caps, pacing, budgets });
    this.#returned = new ReturnedAds((ad) => this.#chooser.release(ad));
    this.#misses = new CampaignMisses({ events, clock, log });
    this.billing = new CampaignBilling({ budgets, caps, capsOf: (id) => this.book.capsOf(id), log });
  }

  /** The campaigns that bid in an auction; null if there are none. */
  choose(request: CampaignRequest, isTraced: boolean): AuctionCampaigns | null {
    const choice = this.#chooser.choose(request);
    return choice && new AuctionCampaigns(choice, { auctionId: request.auctionId, isTraced });
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
      prices.set(impId, ads[0]?.facts.priceMicros ?? 0);
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

  /** An ad was skipped or could not be shown. */
  lost(ad: AnsweredAd): void {
    this.#returned.lost(ad);
  }

  start(): void {
    this.#restoring = setInterval(() => void this.restore(), RESTORE_MS).unref();
  }

  /** Reads what the campaigns have shown that wait for it. Their ads wait meanwhile. */
  restore(): Promise<void> {
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  async #read(): Promise<void> {
    const { impressionsSince, clock, log } = this.#deps;
    try {
      await this.#caps.restore(impressionsSince, clock.now());
    } catch (error) {
      log.warn({ err: error }, "what campaigns have shown cannot be read yet; they wait");
    }
  }

  /** Forgets what is over. */
  forget(nowMs: number): void {
    this.#returned.forget(nowMs);
    this.#caps.forget(nowMs);
  }

  flush(): Promise<void> {
    return this.#misses.flush();
  }

  async stop(): Promise<void> {
    clearInterval(this.#restoring);
    await this.#reading;
    await this.flush();
  }
}
