import { expect, test } from "vitest";
import { finishedValues, openPoint, tickStep, ticksOf, titleNow, titleOf } from "./graph-times.ts";

const NOW = Date.parse("2026-11-20T05:20:00Z");

test("hours are named by the hour, midnight and days by the day", () => {
  expect(ticksOf(["2026-11-19", "2026-11-19T00:00:00Z", "2026-11-19T05:00:00Z"])).toEqual([
    "Nov 19",
    "Nov 19",
    "05:00",
  ]);
  expect(["2026-11-19", "2026-11-19T05:00:00Z"].map(titleOf)).toEqual(["Nov 19th, 2026", "Nov 19th, 2026, 05:00 UTC"]);
});

test("points of several years are named with their year", () => {
  expect(ticksOf(["2025-12-31", "2026-01-01"])).toEqual(["Dec 31, 2025", "Jan 1, 2026"]);
});

test("an unfinished hour or day says so", () => {
  expect(titleNow("2026-11-20T05:00:00Z", NOW)).toBe("Nov 20th, 2026, 05:00 UTC, so far");
  expect(titleNow("2026-11-20T04:00:00Z", NOW)).toBe("Nov 20th, 2026, 04:00 UTC");
  expect(titleNow("2026-11-20", NOW)).toBe("Nov 20th, 2026, so far");
});

test("the unfinished point is found", () => {
  expect(openPoint(["2026-11-19", "2026-11-20"], NOW)).toBe(1);
  expect(openPoint(["2026-11-20T04:00:00Z", "2026-11-20T05:00:00Z", "2026-11-20T06:00:00Z"], NOW)).toBe(1);
  expect(openPoint(["2026-11-18", "2026-11-19"], NOW)).toBeUndefined();
});

test("a line ends at the last hour or day that is over", () => {
  const dates = ["2026-11-20T04:00:00Z", "2026-11-20T05:00:00Z", "2026-11-20T06:00:00Z"];
  expect(finishedValues(dates, [1, 2, 0], "2026-11-20T04:00:00Z")).toEqual([1, null, null]);
  expect(finishedValues(["2026-11-19", "2026-11-20"], [3, 4], "2026-11-20")).toEqual([3, 4]);
  expect(finishedValues(["2026-11-20"], [4], null)).toEqual([null]);
});

test("the axis labels hours at round steps, and at most eight days", () => {
  const hours = (count: number) => Array.from({ length: count }, () => "2026-11-20T00:00:00Z");
  const days = (count: number) => Array.from({ length: count }, () => "2026-11-20");
  expect([tickStep(hours(24)), tickStep(hours(48)), tickStep(days(7)), tickStep(days(30)), tickStep([])]).toEqual([
    3, 6, 1, 4, 1,
  ]);
});
