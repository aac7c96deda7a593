import { expect, test } from "vitest";
import { campaignStatus } from "./campaign-status.ts";

const now = Date.parse("2026-03-01T14:00:00Z");
const at = (ms: number) => new Date(now + ms);
const nothingSpent = { isBudgetSpent: false, isDailyBudgetSpent: false, isBalanceSpent: false };
const noBalance = { spent: { ...nothingSpent, isBalanceSpent: true } };
const noDailyBudget = { spent: { ...nothingSpent, isDailyBudgetSpent: true } };
const noBudget = { spent: { isBudgetSpent: true, isDailyBudgetSpent: true, isBalanceSpent: true } };
const ready = {
  frozen: false,
  startsAt: at(-1),
  endsAt: null,
  fields: {
    days: [1, 2, 3, 4, 5, 6, 7],
    day_activity_from: "00:00",
    day_activity_to: "23:59",
    budget: 1000,
    bid: { value: 1_000_000 },
  },
  spent: nothingSpent,
  moderation: ["approved" as const],
};
const smallBudget = { ...noBudget, fields: { ...ready.fields, budget: 999 } };
const statusWith = (some: Partial<Parameters<typeof campaignStatus>[0]>) => campaignStatus({ ...ready, ...some }, now);

test.each([
  ["that is ready", {}, "play", null],
  ["that its owner froze", { frozen: true }, "frozen", null],
  ["that is frozen and over", { frozen: true, endsAt: at(-1) }, "frozen", null],
  ["whose end is now", { endsAt: at(0) }, "done", null],
  ["that is over and has no balance", { endsAt: at(-1), ...noBalance }, "done", null],
  ["whose end is ahead", { endsAt: at(1) }, "play", null],
  ["without balance", noBalance, "pause", "balance is empty"],
  ["without balance before its start", { ...noBalance, startsAt: at(1) }, "pause", "balance is empty"],
  ["whose budget is spent, as are the others", noBudget, "done", "Its budget is spent. To go on, raise the budget."],
  ["whose budget is below one impression", smallBudget, "done", "is less than one impression costs at its bid."],
  ["that is frozen with its budget spent", { ...noBudget, frozen: true }, "frozen", null],
  ["whose daily budget is spent", noDailyBudget, "play", "Today's budget is spent. It goes on at 00:00 UTC."],
  ["whose daily budget is spent and that starts later", { ...noDailyBudget, startsAt: at(1) }, "wait", "It starts"],
  ["with blocked creatives only", { moderation: ["blocked" as const, "blocked" as const] }, "pause", "are blocked"],
  ["that starts now", { startsAt: at(0) }, "play", null],
  ["that starts later", { startsAt: at(60_000) }, "wait", "It starts on Mar 1st, 2026, 14:01 UTC."],
  ["whose creatives wait", { moderation: ["new" as const, "edited" as const] }, "wait", "wait for a moderator"],
  ["with blocked and waiting creatives", { moderation: ["blocked" as const, "new" as const] }, "wait", "moderator"],
  ["with one approved creative", { moderation: ["blocked" as const, "approved" as const] }, "play", null],
])("a campaign %s: %j is %s", (_, some, status, reason) => {
  const found = statusWith(some);
  expect(found.campaign_status).toBe(status);
  if (reason === null) expect(found.status_reason).toBeNull();
  else expect(found.status_reason).toContain(reason);
});

// The first of March is a Sunday.
test.each([
  ["every day from nine", { day_activity_from: "09:00" }, null, " It goes on from Mar 2nd, 2026, 09:00 UTC."],
  ["on Sundays and Wednesdays", { days: [3, 7] }, null, " It goes on from Mar 4th, 2026, 00:00 UTC."],
  ["on Sundays only", { days: [7] }, null, " It goes on from Mar 8th, 2026, 00:00 UTC."],
  ["every day, until tonight", {}, "2026-03-02T00:00:00Z", ""],
  ["every day, until a minute after midnight", {}, "2026-03-02T00:01:00Z", " It goes on at 00:00 UTC."],
  ["from nine, until eight tomorrow", { day_activity_from: "09:00" }, "2026-03-02T08:00:00Z", ""],
])("a campaign that runs %s says when it spends the next day's budget", (_, some, end, goesOn) => {
  const endsAt = end === null ? null : new Date(end);
  const { status_reason } = statusWith({ ...noDailyBudget, endsAt, fields: { ...ready.fields, ...some } });
  expect(status_reason).toBe(`Today's budget is spent.${goesOn}`);
});

const OUTSIDE = "This is outside of its days and hours.";

test.each([
  ["on Sundays until now", { day_activity_to: "13:59" }, "wait", `${OUTSIDE} It runs from Mar 2nd, 2026, 00:00 UTC.`],
  ["every day until this minute", { day_activity_to: "14:00" }, "play", null],
  [
    "every day from the next hour",
    { day_activity_from: "15:00" },
    "wait",
    `${OUTSIDE} It runs from Mar 1st, 2026, 15:00 UTC.`,
  ],
  ["on Wednesdays", { days: [3] }, "wait", `${OUTSIDE} It runs from Mar 4th, 2026, 00:00 UTC.`],
  [
    "on Sundays before noon",
    { days: [7], day_activity_to: "11:59" },
    "wait",
    `${OUTSIDE} It runs from Mar 8th, 2026, 00:00 UTC.`,
  ],
] as const)("a campaign that runs %s is told to wait outside of its days and hours", (_, some, status, reason) => {
  const fields = { ...ready.fields, ...some, days: "days" in some ? [...some.days] : ready.fields.days };
  expect(statusWith({ fields })).toEqual({ campaign_status: status, status_reason: reason });
});

test("a campaign that ends before the next of its days and hours is over, or waits for its start in vain", () => {
  const fields = { ...ready.fields, days: [3] };
  const [over, onWednesday] = [new Date("2026-03-04T00:00:00Z"), new Date("2026-03-04T00:01:00Z")];
  expect(statusWith({ fields, endsAt: over })).toEqual({
    campaign_status: "done",
    status_reason: "None of its days and hours is left before its end. Change them, or its end.",
  });
  expect(statusWith({ fields, endsAt: over, startsAt: at(60_000) })).toMatchObject({
    campaign_status: "wait",
    status_reason: expect.stringContaining("None of its days") as string,
  });
  expect(statusWith({ fields, endsAt: onWednesday })).toMatchObject({ campaign_status: "wait" });
});
