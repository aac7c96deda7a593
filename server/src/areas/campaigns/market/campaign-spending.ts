import { CHOSEN_REASONS, SPENDING_REASONS, type Spending } from "@millrace/contract";
import { type DayRange, MICROS_PER_CENT, addDays, dayOf } from "@millrace/units";
import { MOST_TIME, type SpendingPart } from "../../statistics/index.ts";
import { type Campaign, isDemoAccount, namedCampaigns, ownCampaign } from "../campaign-store.ts";
import { creativesOf, firstApproval } from "../creative-store.ts";
import type { CampaignsDeps } from "../deps.ts";
import { fitOf } from "./fit-of.ts";
import { spendingWords } from "./spending-words.ts";

/** What became of a campaign's opportunities in some days. Problem `not_found`. */
export async function campaignSpending(
  { pool, clock, statistics }: Pick<CampaignsDeps, "pool" | "clock" | "statistics">,
  accountId: number,
  uuid: string,
  days: DayRange,
): Promise<Spending> {
  const range = keptDays(days, statistics.keptDays, clock.now());
  const campaign = await ownCampaign(pool, accountId, uuid);
  const [isDemo, own, creatives, approvedAt] = await Promise.all([
    isDemoAccount(pool, accountId),
    namedCampaigns(pool, accountId),
    creativesOf(pool, [campaign.id]),
    firstApproval(pool, campaign.id),
  ]);
  const approved = creatives.filter(({ moderation }) => moderation === "approved");
  const sizes = approved.map(({ image: { width, height } }) => ({ width, height }));
  const parts = await statistics.turns.run(accountId, () =>
    statistics.campaigns.spending({
      campaignId: campaign.id,
      fit: {
        // Native places count even if no image has a headline: then that is why they were not bought.
        ...fitOf({ ...campaign.fields, sizes, has_headline: true }, isDemo),
        startsAt: campaign.startsAt.getTime(),
        endsAt: campaign.endsAt?.getTime() ?? MOST_TIME,
      },
      range,
      bidMicros: campaign.fields.bid.value,
      ownCampaigns: own.map(({ id }) => id),
      approvedAt: approvedAt?.getTime() ?? MOST_TIME,
    }),
  );
  return answerOf(campaign, range, { parts, isApproved: approved.length > 0 });
}

/** Of the asked days, those whose auctions are still kept; the last one if none are. */
function keptDays({ ds, de }: DayRange, days: number | null, nowMs: number): DayRange {
  const first = days === null ? ds : addDays(dayOf(nowMs), -days);
  return { ds: first <= ds ? ds : first < de ? first : de, de };
}

function answerOf(
  campaign: Campaign,
  { ds, de }: DayRange,
  { parts, isApproved }: { parts: readonly SpendingPart[]; isApproved: boolean },
): Spending {
  const lost = parts.filter(({ reason }) => reason !== "won" && !CHOSEN_REASONS.has(reason));
  const main = mainOf(campaign, lost, isApproved);
  const price = largest(lost.filter(({ reason }) => reason === "floor" || reason === "outbid"));
  return {
    days: { ds, de },
    ...(campaign.frozen && { frozen: true as const }),
    opportunities: parts.reduce((sum, { auctions }) => sum + auctions, 0),
    parts: parts
      .toSorted((a, b) => SPENDING_REASONS.indexOf(a.reason) - SPENDING_REASONS.indexOf(b.reason))
      .map(({ reason, auctions, needed }) => ({ reason, auctions, ...spendingWords(reason, campaign, needed) })),
    main: main?.reason ?? null,
    // More than the winner's price, in whole cents.
    better_bid: price ? (Math.floor(price.needed / MICROS_PER_CENT) + 1) * MICROS_PER_CENT : null,
  };
}

/** The reason to act on: what is over is none, and a frozen campaign's owner has decided. */
function mainOf(
  { frozen }: Campaign,
  lost: readonly SpendingPart[],
  isApproved: boolean,
): Pick<SpendingPart, "reason"> | undefined {
  if (frozen) return undefined;
  return largest(isApproved ? lost.filter(({ reason }) => reason !== "moderation") : lost);
}

const largest = (parts: readonly SpendingPart[]): SpendingPart | undefined =>
  parts.toSorted((a, b) => b.auctions - a.auctions)[0];
