import type { FrequencyCap } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { Log } from "../../../platform/log.ts";
import { type Budgets, LONGEST_HOLD_MS, type Spend } from "../../budgets/index.ts";
import type { AdFacts } from "../delivery/beacon-token.ts";
import type { CapHold, FrequencyCaps } from "./frequency-caps.ts";

/** The part of an ad's facts that is billed. */
export type BilledAd = Pick<AdFacts, "campaign" | "device" | "issuedAtMs">;

/** Why an impression is not billed. */
export type Unbilled = "over_cap" | "over_budget";

interface BillingDeps {
  budgets: Pick<Budgets, "spend" | "takeBack">;
  caps: Pick<FrequencyCaps, "shown" | "unshow" | "release">;
  capsOf(campaignId: number): readonly FrequencyCap[];
  log: Log;
}

/** Whether an advertiser pays for the ad: it is a campaign's, and no in-house one. */
export const isPaidFor = ({ campaign }: Pick<BilledAd, "campaign">): boolean =>
  campaign !== null && campaign.costMicros > 0;

/** Whether an impression comes too late: what was held for its ad has ended, so it can no longer be billed. */
export const isTooLate = (ad: BilledAd, nowMs: number): boolean =>
  isPaidFor(ad) && nowMs > ad.issuedAtMs + LONGEST_HOLD_MS;

/** Bills the impressions of campaigns before they are stored: an event never exists whose money is not spent. */
export class CampaignBilling {
  readonly #deps: BillingDeps;

  constructor(deps: BillingDeps) {
    this.#deps = deps;
  }

  /**
   * Bills impressions of one moment. For each, null, or why it is not billed. Rejects with Problem `unavailable` if that
   * cannot be decided now; then none of them is billed.
   */
  async bill(ads: readonly BilledAd[], atMs: number): Promise<(Unbilled | null)[]> {
    const { budgets, caps } = this.#deps;
    const results = await this.#withinCaps(ads, atMs);
    const within = ads.filter((_, nth) => results[nth] === null);
    let billed: boolean[];
    try {
      billed = await budgets.spend(within.map((ad) => spendOf(ad, atMs)));
    } catch (error) {
      for (const ad of within) caps.unshow(placeOf(ad), atMs);
      this.#deps.log.warn({ err: error }, "impressions of campaigns could not be billed; their senders try again");
      throw new Problem("unavailable", "This cannot be counted right now", { retryAfterSeconds: 2 });
    }
    for (const [nth, ad] of within.entries()) {
      if (billed[nth] === true) continue;
      caps.unshow(placeOf(ad), atMs);
      caps.release(placeOf(ad));
      results[ads.indexOf(ad)] = "over_budget";
    }
    return results;
  }

  /** Counts impressions against the caps. Rejects if that cannot be decided now; then none of them is counted. */
  async #withinCaps(ads: readonly BilledAd[], atMs: number): Promise<(Unbilled | null)[]> {
    const { caps, capsOf } = this.#deps;
    const counted = await Promise.allSettled(
      ads.map((ad) => caps.shown(placeOf(ad), capsOf(ad.campaign?.id ?? 0), atMs)),
    );
    const failed = counted.find((each) => each.status === "rejected");
    if (failed) {
      for (const [nth, ad] of ads.entries()) {
        const each = counted[nth];
        if (each?.status === "fulfilled" && each.value) caps.unshow(placeOf(ad), atMs);
      }
      throw failed.reason;
    }
    return counted.map((each) => (each.status === "fulfilled" && each.value ? null : "over_cap"));
  }

  /** Takes billed impressions back that could not be stored. */
  async takeBack(ads: readonly BilledAd[], atMs: number): Promise<void> {
    const { budgets, caps, log } = this.#deps;
    for (const ad of ads) caps.unshow(placeOf(ad), atMs);
    try {
      await budgets.takeBack(ads.map((ad) => spendOf(ad, atMs)));
    } catch (error) {
      // The campaigns then buy a little less than they could; never more.
      log.error({ err: error, impressions: ads.length }, "billed impressions could be neither stored nor taken back");
    }
  }
}

function spendOf({ campaign }: BilledAd, atMs: number): Spend {
  if (!campaign) throw new TypeError("only campaigns' ads are billed");
  return { campaignId: campaign.id, leaseId: campaign.leaseId, micros: campaign.costMicros, atMs };
}

const placeOf = ({ campaign, device, issuedAtMs }: BilledAd): CapHold => ({
  campaignId: campaign?.id ?? 0,
  device,
  expiresAtMs: issuedAtMs + LONGEST_HOLD_MS,
});
