import type { SpendingReason } from "@millrace/contract";
import type { DayRange } from "@millrace/units";
import type { AskStore } from "../ask-store.ts";
import { microsNumber } from "../metrics.ts";
import type { FitParams } from "./campaign-fit.ts";
import { missesByReason, spendingByReason } from "./spending.stat.ts";

export interface SpendingQuestion {
  campaignId: number;
  fit: FitParams;
  range: DayRange;
  bidMicros: number;
  /** The account's campaigns, which it would only outbid at its own expense. */
  ownCampaigns: number[];
  /** When its first creative that may be shown was approved, in epoch milliseconds; the end of time before that. */
  approvedAt: number;
}

/** A reason's auctions, and the median CPM that would have been needed in them. */
export interface SpendingPart {
  reason: SpendingReason;
  auctions: number;
  needed: number;
}

/** The gates in the order in which the exchange asks them. */
const GATES = [
  "not_for_children",
  "blocked",
  "creative_misfit",
  "frequency_cap",
  "paced",
  "budget_spent",
  "daily_budget_spent",
  "balance_spent",
  "lease_pending",
] as const satisfies SpendingReason[];

/** A slow store answers other pages meanwhile; what is over does not change. */
const KEEP_MS = 5000;

/** What became of each auction in which a campaign could have taken part. */
export async function spendingParts(
  ask: AskStore,
  { fit, range, ...about }: SpendingQuestion,
): Promise<SpendingPart[]> {
  const [rows, misses] = await Promise.all([
    ask(spendingByReason, { ...fit, ...range, ...about }, KEEP_MS),
    ask(missesByReason, { ...range, campaignId: about.campaignId }, KEEP_MS),
  ]);
  const open = rows.find(({ reason }) => reason === "open");
  const missed = new Map(misses.map(({ reason, auctions }) => [reason, auctions]));
  return [
    ...rows
      .filter((row) => row !== open)
      .map(({ reason, auctions, middle }) => ({
        // The query knows no others.
        reason: reason as SpendingReason,
        auctions,
        needed: microsNumber(middle),
      })),
    ...stopped(open?.auctions ?? 0, missed),
  ];
}

/**
 * The auctions that a campaign fits and could have won, by the gate that stopped it. Gates are counted some seconds late and
 * with the settings of then, so they may add up to other than the auctions: no more is taken than there are, and the rest
 * was not bought for a reason that nothing counts.
 */
function stopped(open: number, missed: ReadonlyMap<string, number>): SpendingPart[] {
  let left = open;
  const parts = GATES.map((reason): SpendingPart => {
    const auctions = Math.min(left, missed.get(reason) ?? 0);
    left -= auctions;
    return { reason, auctions, needed: 0 };
  });
  return [...parts, { reason: "not_bought" as const, auctions: left, needed: 0 }].filter(
    ({ auctions }) => auctions > 0,
  );
}
