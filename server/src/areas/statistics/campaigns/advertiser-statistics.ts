import type { Reach } from "@millrace/contract";
import type { ScopeStatisticsDeps } from "../scope-statistics.ts";
import { microsNumber } from "../metrics.ts";
import { campaignNumbers } from "./campaign-numbers.ts";
import type { CampaignScope } from "./campaign-scope.ts";
import { type CampaignQuestion, type CampaignStatistics, campaignStatistics } from "./campaign-statistics.ts";
import { campaignCountries, firstCampaignDay } from "./campaign-sums.stat.ts";
import { type CreativeSums, evenCreativeSums } from "./creative-counts.stat.ts";
import { type ReachQuestion, reachOf } from "./reach.ts";
import { type SpendingPart, type SpendingQuestion, spendingParts } from "./spending.ts";

/** What is asked about advertisers' campaigns, by their ids in numbers. */
export interface AdvertiserStatistics {
  of(question: CampaignQuestion): CampaignStatistics;
  /** Figures of each campaign that has any. */
  figures(
    campaignIds: readonly number[],
    range: CampaignScope["range"],
  ): Promise<Map<number, { impressions: number; clicks: number; conversions: number; costs: number }>>;
  /** What became of each auction in which a campaign could have taken part. The parts add up to all of them. */
  spending(question: SpendingQuestion): Promise<SpendingPart[]>;
  /** What a campaign would have reached on a day of the last week. */
  reach(question: ReachQuestion): Promise<Reach>;
  /** What became of a campaign's even choices of creatives, by creative, each since a full hour in epoch milliseconds. */
  evenSums(campaignId: number, since: ReadonlyMap<number, number>): Promise<Map<number, CreativeSums>>;
  /** The first day with any figure of these campaigns (null before it), and the countries of all of them. */
  seen(campaignIds: readonly number[]): Promise<{ firstDay: string | null; countries: string[] }>;
}

/** First days and countries seldom change. */
const SEEN_KEEP_MS = 10_000;

export function advertiserStatistics(deps: ScopeStatisticsDeps): AdvertiserStatistics {
  return {
    of: (question) => campaignStatistics(deps, question),
    spending: (question) => spendingParts(deps.ask, question),
    reach: (question) => reachOf(deps.ask, deps.clock.now(), question),
    async figures(campaignIds, range) {
      const sums = await campaignNumbers(deps.ask, { campaignIds, campaignFormats: [], range, countries: [] }).sums(
        "campaign",
      );
      return new Map(
        [...sums].map(([id, { impressions, clicks, conversions, revenueMicros }]) => [
          Number(id),
          { impressions, clicks, conversions, costs: microsNumber(revenueMicros) },
        ]),
      );
    },
    async evenSums(campaignId, since) {
      const rows = await deps.ask(evenCreativeSums, {
        campaignId,
        creatives: [...since.keys()],
        since: [...since.values()].map((ms) => Math.floor(ms / 1000)),
      });
      return new Map(rows.map(({ creativeId, ...sums }) => [creativeId, sums]));
    },
    async seen(campaignIds) {
      if (campaignIds.length === 0) return { firstDay: null, countries: [] };
      const about = { campaignIds: [...campaignIds] };
      const [[first], countries] = await Promise.all([
        deps.ask(firstCampaignDay, about, SEEN_KEEP_MS),
        deps.ask(campaignCountries, about, SEEN_KEEP_MS),
      ]);
      return {
        firstDay: first && first.hours > 0 ? first.day : null,
        countries: countries.map(({ code }) => code),
      };
    },
  };
}
