import { LONGEST_HOLD_MS } from "../../budgets/index.ts";
import type { ChosenAd } from "./choose-campaigns.ts";

/** Identifies an ad of an answer. */
export interface AnsweredAd {
  auctionId: string;
  impId: string;
  candidateId: string;
}

interface OpenImp {
  expiresAtMs: number;
  /** By candidate. */
  ads: Map<string, ChosenAd>;
}

/**
 * Campaigns' ads that were returned, until one of their answer is shown, or they have expired. What is held for them ends by
 * itself then.
 */
export class ReturnedAds {
  readonly #release: (ad: ChosenAd) => void;
  /** By auction and imp, oldest first. */
  readonly #open = new Map<string, OpenImp>();

  constructor(release: (ad: ChosenAd) => void) {
    this.#release = release;
  }

  add({ auctionId, impId, candidateId }: AnsweredAd, ad: ChosenAd, atMs: number): void {
    const key = keyOf(auctionId, impId);
    let open = this.#open.get(key);
    if (!open) {
      open = { expiresAtMs: atMs + LONGEST_HOLD_MS, ads: new Map() };
      this.#open.set(key, open);
    }
    open.ads.set(candidateId, ad);
  }

  /** An ad of an answer was shown: the others will not be. Its own money is spent, not given back. */
  shown({ auctionId, impId, candidateId }: AnsweredAd): void {
    const key = keyOf(auctionId, impId);
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    for (const [id, ad] of open.ads) if (id !== candidateId) this.#release(ad);
  }

  /** An ad was skipped or could not be shown. */
  lost({ auctionId, impId, candidateId }: AnsweredAd): void {
    const key = keyOf(auctionId, impId);
    const open = this.#open.get(key);
    const ad = open?.ads.get(candidateId);
    if (!open || !ad) return;
    open.ads.delete(candidateId);
    if (open.ads.size === 0) this.#open.delete(key);
    this.#release(ad);
  }

  forget(nowMs: number): void {
    for (const [key, { expiresAtMs }] of this.#open) {
      if (expiresAtMs > nowMs) return;
      this.#open.delete(key);
    }
  }

  get size(): number {
    return this.#open.size;
  }
}

const keyOf = (auctionId: string, impId: string): string => `${auctionId} ${impId}`;
