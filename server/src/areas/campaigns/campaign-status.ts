import type { CampaignStatus } from "@millrace/contract";
import {
  DAY_MS,
  MINUTE_MS,
  addDays,
  dayOf,
  dayStartMs,
  formatDay,
  impressionMicros,
  minuteOfDay,
} from "@millrace/units";
import type { BudgetState } from "../budgets/index.ts";
import type { PlainFields } from "./campaign-store.ts";

export type Moderation = "new" | "edited" | "approved" | "blocked";

interface Facts {
  frozen: boolean;
  startsAt: Date;
  endsAt: Date | null;
  fields: Budgeted & Pick<PlainFields, "days" | "day_activity_from" | "day_activity_to">;
  spent: Pick<BudgetState, "isBudgetSpent" | "isDailyBudgetSpent" | "isBalanceSpent">;
  /** Of its creatives. */
  moderation: readonly Moderation[];
}

/** Micro-dollars; the bid is a CPM. */
interface Budgeted {
  budget: number;
  bid: { value: number };
}

/** Whether a campaign's total budget buys nothing at its bid. */
export const isBelowOneImpression = ({ budget, bid }: Budgeted): boolean =>
  budget > 0 && budget < impressionMicros(bid.value);
export const BELOW_ONE = "less than one impression costs at its bid";

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
  if (spent.isBudgetSpent)
    return is(
      "done",
      isBelowOneImpression(fields)
        ? `Its budget is ${BELOW_ONE}. Raise the budget, or lower the bid.`
        : "Its budget is spent. To go on, raise the budget.",
    );
  if (spent.isBalanceSpent) return is("pause", "The campaign balance is empty. To refill it, contact support.");
  if (moderation.every((state) => state === "blocked"))
    return is("pause", "All of its creatives are blocked. Edit them, or add another one.");
  const isAhead = startsAt.getTime() > now;
  const opensAt = nextOpening(fields, endsAt, isAhead ? startsAt.getTime() : now);
  if (opensAt === null) return is(isAhead ? "wait" : "done", NEVER_OPENS);
  if (isAhead) return is("wait", `It starts on ${minuteOf(startsAt)}.`);
  if (!moderation.includes("approved")) return is("wait", "Its creatives wait for a moderator.");
  if (spent.isDailyBudgetSpent) return is("play", `Today's budget is spent.${goesOnText(fields, endsAt, now)}`);
  if (opensAt > now) return is("wait", `This is outside of its days and hours. It runs from ${minuteOf(opensAt)}.`);
  return is("play");
}

const NEVER_OPENS = "None of its days and hours is left before its end. Change them, or its end.";

export const isOver = (endsAt: Date | null, now: number): boolean => endsAt !== null && endsAt.getTime() <= now;

/** When the campaign runs again with a new day's budget; nothing if it ends before. */
function goesOnText(fields: Facts["fields"], endsAt: Date | null, now: number): string {
  const midnight = dayStartMs(dayOf(now)) + DAY_MS;
  const opensAt = nextOpening(fields, endsAt, midnight);
  if (opensAt === null) return "";
  return ` It goes on ${opensAt === midnight ? "at 00:00 UTC" : `from ${minuteOf(opensAt)}`}.`;
}

/** A weekday comes again within so many days. */
const WEEK = [0, 1, 2, 3, 4, 5, 6, 7];

/** The first moment from this one on that is in the campaign's days and hours; null if it ends before. */
function nextOpening(fields: Facts["fields"], endsAt: Date | null, fromMs: number): number | null {
  const { days, day_activity_from: from, day_activity_to: to } = fields;
  for (const ahead of WEEK) {
    const day = addDays(dayOf(fromMs), ahead);
    const opens = Math.max(fromMs, dayStartMs(day) + minuteOfDay(from) * MINUTE_MS);
    // Its last minute is whole.
    const closes = dayStartMs(day) + (minuteOfDay(to) + 1) * MINUTE_MS;
    if (days.includes(weekdayOf(day)) && opens < closes) return isOver(endsAt, opens) ? null : opens;
  }
  return null;
}

/** From 1 for Monday to 7 for Sunday. */
const weekdayOf = (day: string): number => new Date(dayStartMs(day)).getUTCDay() || 7;

/** `Mar 1st, 2026, 14:00 UTC` */
const minuteOf = (moment: Date | number): string => {
  const text = new Date(moment).toISOString();
  return `${formatDay(text.slice(0, 10))}, ${text.slice(11, 16)} UTC`;
};
