import type { CampaignStatus } from "@millrace/contract";
import { dayOf, formatDay } from "@millrace/units";
import type { BudgetState } from "../budgets/index.ts";

export type Moderation = "new" | "edited" | "approved" | "blocked";

interface Facts {
  frozen: boolean;
  startsAt: Date;
  endsAt: Date | null;
  spent: Pick<BudgetState, "isBudgetSpent" | "isDailyBudgetSpent" | "isBalanceSpent">;
  /** Of its creatives. */
  moderation: readonly Moderation[];
}

/** What a campaign does at a moment, in epoch milliseconds, and why. */
export function campaignStatus(
  { frozen, startsAt, endsAt, spent, moderation }: Facts,
  now: number,
): { campaign_status: CampaignStatus; status_reason: string | null } {
  const is = (campaign_status: CampaignStatus, status_reason: string | null = null) => ({
    campaign_status,
    status_reason,
  });
  if (frozen) return is("frozen");
  if (isOver(endsAt, now)) return is("done");
  if (spent.isBudgetSpent) return is("done", "Its budget is spent. To go on, raise the budget.");
  if (spent.isBalanceSpent) return is("pause", "The campaign balance is empty. To refill it, contact support.");
  if (moderation.every((state) => state === "blocked"))
    return is("pause", "All of its creatives are blocked. Edit them, or add another one.");
  if (startsAt.getTime() > now) return is("wait", `It starts on ${minuteOf(startsAt)}.`);
  if (!moderation.includes("approved")) return is("wait", "Its creatives wait for a moderator.");
  if (spent.isDailyBudgetSpent) return is("play", "Today's budget is spent. It goes on at 00:00 UTC.");
  return is("play");
}

export const isOver = (endsAt: Date | null, now: number): boolean => endsAt !== null && endsAt.getTime() <= now;

/** `Mar 1st, 2026, 14:00 UTC` */
const minuteOf = (moment: Date): string =>
  `${formatDay(dayOf(moment.getTime()))}, ${moment.toISOString().slice(11, 16)} UTC`;
