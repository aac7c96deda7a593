import { expect, test } from "vitest";
import { expectedRequests, requestValue } from "./request-value.ts";

const at = (moment: string) => Date.parse(`${moment}Z`);
const EVEN = { hourly: Array.from({ length: 24 }, () => 100), today: 1, winnable: null };
const ALWAYS = {
  startsAt: at("2026-01-01T00:00:00"),
  endsAt: null as number | null,
  days: [1, 2, 3, 4, 5, 6, 7],
  fromMinute: 0,
  toMinute: 1439,
};
const NOTHING = { todayMicros: 0, totalMicros: 0 };
/** So many requests come in the last five minutes of an hour, which are left out. */
const FINISH = 100 / 12;

// 10 March 2026 is a Tuesday.
test.each([
  ["a day", {}, "2026-03-10T00:00:00", "2026-03-11T00:00:00", 2400],
  ["a part of an hour", {}, "2026-03-10T10:15:00", "2026-03-10T10:30:00", 25],
  ["its own hours", { fromMinute: 540, toMinute: 1079 }, "2026-03-10T00:00:00", "2026-03-12T00:00:00", 1800],
  ["the last minute of its hours", { toMinute: 599 }, "2026-03-10T09:59:00", "2026-03-10T11:00:00", 100 / 60],
  ["its own days", { days: [1, 7] }, "2026-03-09T00:00:00", "2026-03-16T00:00:00", 4800],
  [
    "what is after its start",
    { startsAt: at("2026-03-10T12:00:00") },
    "2026-03-10T00:00:00",
    "2026-03-11T00:00:00",
    1200,
  ],
  ["what is before its end", { endsAt: at("2026-03-10T01:30:00") }, "2026-03-10T00:00:00", "2026-03-12T00:00:00", 150],
  ["nothing after its end", { endsAt: at("2026-03-09T00:00:00") }, "2026-03-10T00:00:00", "2026-03-12T00:00:00", 0],
])("a campaign expects the requests of %s", (_, schedule, from, to, requests) => {
  expect(expectedRequests(EVEN, { ...ALWAYS, ...schedule }, at(from), at(to))).toBeCloseTo(requests);
});

const value = (
  campaign: { dailyMicros?: number; budgetMicros?: number; targeting?: Partial<typeof ALWAYS> },
  moment: string,
  spent: Partial<typeof NOTHING> = {},
  outlook = EVEN,
) =>
  requestValue(
    { dailyMicros: 1e6, budgetMicros: 0, ...campaign, targeting: { ...ALWAYS, ...campaign.targeting } },
    outlook,
    { ...NOTHING, ...spent },
    at(moment),
  );

test("what is left today is spread over the requests that are left", () => {
  expect(value({}, "2026-03-10T00:00:00")).toBeCloseTo(1e6 / (2400 - FINISH));
  expect(value({}, "2026-03-10T12:00:00", { todayMicros: 4e5 })).toBeCloseTo(6e5 / (1200 - FINISH));
  expect(value({}, "2026-03-10T12:00:00", { todayMicros: 4e5 }, { ...EVEN, today: 2 })).toBeCloseTo(
    3e5 / (1200 - FINISH),
  );
});

test("nothing left is worth nothing, and in the last minutes everything is wanted", () => {
  expect(value({}, "2026-03-10T12:00:00", { todayMicros: 1e6 })).toBe(0);
  expect(value({ budgetMicros: 5e6 }, "2026-03-10T12:00:00", { totalMicros: 5e6 })).toBe(0);
  expect(value({}, "2026-03-10T23:56:00", { todayMicros: 999_999 })).toBe(Infinity);
  expect(value({ targeting: { toMinute: 719 } }, "2026-03-10T11:56:00", { todayMicros: 1 })).toBe(Infinity);
});

test("a total budget without an end is spent at the daily pace; its rest is spread over today", () => {
  expect(value({ budgetMicros: 9e6 }, "2026-03-10T00:00:00")).toBeCloseTo(1e6 / (2400 - FINISH));
  const rest = { totalMicros: 8.5e6 };
  expect(value({ budgetMicros: 9e6 }, "2026-03-10T00:00:00", rest)).toBeCloseTo(5e5 / (2400 - FINISH));
});

test("a total budget with an end lasts until then, in proportion to the requests of each day", () => {
  const endsAt = at("2026-03-12T12:00:00");
  const total = { budgetMicros: 1.5e6, targeting: { endsAt } };
  expect(value(total, "2026-03-10T00:00:00")).toBeCloseTo(1.5e6 / (2400 + 2400 + 1200 - FINISH));
  // On its last day, what is left.
  expect(value(total, "2026-03-12T00:00:00", { totalMicros: 1.2e6 })).toBeCloseTo(3e5 / (1200 - FINISH));
  // Only on the days that it runs: Tuesday and Thursday.
  expect(value({ ...total, targeting: { endsAt, days: [2, 4] } }, "2026-03-10T00:00:00")).toBeCloseTo(
    1.5e6 / (2400 + 1200 - FINISH),
  );
});

test("what a short or started day may not spend, the other days do", () => {
  const endsAt = at("2026-03-12T00:00:00");
  const campaign = { budgetMicros: 1.9e6, targeting: { endsAt } };
  expect(value(campaign, "2026-03-10T00:00:00")).toBeCloseTo(1.9e6 / (4800 - FINISH));
  // Half of today is over: tomorrow takes its most, today the rest.
  expect(value(campaign, "2026-03-10T12:00:00")).toBeCloseTo(9e5 / (1200 - FINISH));
  // Both days take their most.
  expect(value({ ...campaign, budgetMicros: 9e6 }, "2026-03-10T00:00:00")).toBeCloseTo(1e6 / (2400 - FINISH));
});

test("a far end takes no longer to plan than a near one, and counts each of its days", () => {
  const endsAt = at("2026-04-20T12:00:00");
  // Of six weeks, the Mondays and Tuesdays after today's: five and six, with half a Monday at the end.
  const total = { budgetMicros: 3e6, targeting: { endsAt, days: [1, 2] } };
  expect(value(total, "2026-03-10T00:00:00")).toBeCloseTo(3e6 / (11 * 2400 + 1200 - FINISH));
  // The campaign has not begun: its first day is half a day, its last one, too.
  const later = { ...total.targeting, startsAt: at("2026-03-16T12:00:00") };
  expect(value({ ...total, targeting: later }, "2026-03-16T00:00:00")).toBeCloseTo(3e6 / (10 * 2400 - FINISH));

  const began = performance.now();
  const far = { budgetMicros: 1e15, targeting: { endsAt: at("9999-12-31T00:00:00") } };
  expect(value(far, "2026-03-10T00:00:00")).toBeCloseTo(1e6 / (2400 - FINISH));
  expect(value({ ...far, budgetMicros: 1e6 }, "2026-03-10T00:00:00")).toBeCloseTo(1e6 / (2_912_458 * 2400 - FINISH));
  expect(performance.now() - began).toBeLessThan(1000);
});
