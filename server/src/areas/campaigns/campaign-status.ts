import type { CampaignStatus } from "@millrace/contract";
import { addDays, dayOf, dayStartMs, formatDay } from "@millrace/units";
import type { BudgetState } from "../budgets/index.ts";
import type { PlainFields } from "./campaign-store.ts";

export type Moderation = "new" | "edited" | "approved" | "blocked";

interface Facts {
  frozen: boolean;
  startsAt: Date;
  endsAt: Date | null;
  fields: Pick<PlainFields, "days" | "day_activity_from">;
  spent: Pick<BudgetState, "isBudgetSpent" | "isDailyBudgetSpent" | "isBalanceSpent">;
  /** Of its creatives. */
  moderation: readonly Moderation[];
}

/** What a campaign does at a moment, in epoch milliseconds, and why. */
export function campaignStatus(
  { frozen, startsAt, endsAt, fields, spent, moderation }: Facts,
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
  if (spent.isDailyBudgetSpent) return is("play", `Today's budget is spent.${goesOnText(fields, endsAt, now)}`);
  return is("play");
}

export const isOver = (endsAt: Date | null, now: number): boolean => endsAt !== null && endsAt.getTime() <= now;

const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** When the campaign runs again with a new day's budget; nothing if it ends before. */
function goesOnText({ days, day_activity_from: from }: Facts["fields"], endsAt: Date | null, now: number): string {
  const today = dayOf(now);
  const day = WEEK.map((ahead) => addDays(today, ahead)).find((ahead) => days.includes(weekdayOf(ahead)));
  if (day === undefined) return "";
  const opensAt = new Date(`${day}T${from}:00Z`);
  if (isOver(endsAt, opensAt.getTime())) return "";
  const isMidnight = opensAt.getTime() === dayStartMs(addDays(today, 1));
  return ` It goes on ${isMidnight ? "at 00:00 UTC" : `from ${minuteOf(opensAt)}`}.`;
}

/** From 1 for Monday to 7 for Sunday. */
const weekdayOf = (day: string): number => new Date(dayStartMs(day)).getUTCDay() || 7;

/** `Mar 1st, 2026, 14:00 UTC` */
const minuteOf = (moment: Date): string =>
  `${formatDay(dayOf(moment.getTime()))}, ${moment.toISOString().slice(11, 16)} UTC`;
