import { z } from "zod";
import { CampaignFields, refuseStrayRegions } from "./campaign-fields.ts";
import { defineCall } from "./define-call.ts";
import { ById, Day, Micros } from "./fields.ts";
import { StatsFilter, inOrder } from "./filters.ts";

const CHOSEN = [
  "not_started",
  "over",
  "off_hours",
  "geography",
  "region_unknown",
  "region",
  "platform",
  "os_version",
  "network",
  "size",
] as const;

/** What became of a campaign's opportunities, in the order in which an auction decides; each has one of these. */
export const SPENDING_REASONS = [
  ...CHOSEN,
  "moderation",
  "floor",
  "outbid",
  "own_campaign",
  "not_for_children",
  "blocked",
  "creative_misfit",
  "frequency_cap",
  "paced",
  "budget_spent",
  "daily_budget_spent",
  "balance_spent",
  "lease_pending",
  "not_bought",
  "won",
] as const;
export type SpendingReason = (typeof SPENDING_REASONS)[number];

/** The reasons that are the advertiser's own choice, and no loss. */
export const CHOSEN_REASONS: ReadonlySet<SpendingReason> = new Set(CHOSEN);

/**
 * Where the opportunities of a campaign went: auctions of its format. The parts add up to all of them. Targeting and bid are
 * those of now, also for auctions before their last change.
 */
export const Spending = z.object({
  days: z.object({ ds: Day, de: Day }),
  opportunities: z.int(),
  /** Its owner has frozen it, so that it spends nothing; left out if not. */
  frozen: z.literal(true).optional(),
  parts: z.array(
    z.object({
      reason: z.enum(SPENDING_REASONS),
      auctions: z.int(),
      /** What it means. */
      text: z.string(),
      /** What to do about it; null if nothing is wrong. */
      advice: z.string().nullable(),
    }),
  ),
  /** The reason that costs the campaign the most besides its own targeting; null if it loses nothing else. */
  main: z.enum(SPENDING_REASONS).nullable(),
  /** A bid that would have won half of what was lost to floors and higher bids; null if nothing was. */
  better_bid: Micros.nullable(),
});
export type Spending = z.infer<typeof Spending>;

export const campaignSpending = defineCall({
  method: "GET",
  path: "/campaign/{id}/spending.json",
  summary: "Get what became of a campaign's opportunities in some days, by reason",
  access: "campaigns.read",
  params: ById,
  query: inOrder(StatsFilter.pick({ ds: true, de: true })),
  reply: Spending,
});

/** A low and a high estimate: of the quietest and of the busiest day. */
const Range = z.object({ low: z.int(), high: z.int() });

const Reached = z.object({
  /** The bid as CPM. */
  bid: Micros,
  impressions: Range,
  devices: Range,
  costs: Range,
});
export type Reached = z.infer<typeof Reached>;

/** What a campaign would have reached on a day, from recorded auctions of the last seven full days. */
export const Reach = z.object({
  /** Days on which it would have run, of those that have auctions. */
  days: z.int(),
  /** Auctions of its format in these days, and those among them that fit its targeting. */
  auctions: z.int(),
  matching: z.int(),
  /** Too few auctions or days are known: the estimates say little. */
  enough: z.boolean(),
  /** One in so many devices was counted. */
  one_in: z.int(),
  /** With the bid as asked, and with higher ones. */
  reached: z.array(Reached),
  /** What holds back the first estimate on its busiest day; null if only bid and targeting do. */
  held_by: z.enum(["budget", "caps"]).nullable(),
});
export type Reach = z.infer<typeof Reach>;

/** The settings that decide about reach. Nothing of them is kept. */
export const ReachBody = CampaignFields.pick({
  campaign_format: true,
  bid: true,
  days: true,
  day_activity_from: true,
  day_activity_to: true,
  network: true,
  geo_type: true,
  country: true,
  platform: true,
  ios: true,
  android: true,
  limit: true,
})
  .extend({
    region: CampaignFields.shape.region.default([]),
    /** The sizes of a banner's creatives; none means every size. */
    sizes: z.array(z.strictObject({ width: z.int().min(1).max(10_000), height: z.int().min(1).max(10_000) })).max(50),
    /** Whether one of its images has a headline, with which it is sold as a native ad, too. */
    has_headline: z.boolean().default(false),
  })
  .superRefine(refuseStrayRegions);
export type ReachBody = z.output<typeof ReachBody>;

export const campaignReach = defineCall({
  method: "POST",
  path: "/campaign/reach",
  summary: "Estimate what a campaign with these settings would reach on a day",
  access: "campaigns.read",
  body: ReachBody,
  reply: Reach,
});
