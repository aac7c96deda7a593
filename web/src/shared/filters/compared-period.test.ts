import { expect, test } from "vitest";
import { comparedPeriod, comparedRows } from "./compared-period.ts";
import { comparisonText } from "./comparison-filter.tsx";

const WEEK = { ds: "2026-11-16", de: "2026-11-22" };

test("the compared period is told in words, to the time at which it ends", () => {
  expect(comparedPeriod({ ...WEEK, compare: "previous" }, null)).toBe("Nov 9th – Nov 15th, 2026");
  expect(comparedPeriod({ ds: "2026-11-21", de: "2026-11-22", compare: "weekdays" }, null)).toBe(
    "Nov 14th – Nov 15th, 2026",
  );
  expect(comparedPeriod({ ds: "2026-11-22", de: "2026-11-22", compare: "previous" }, "2026-11-21T05:14:00.000Z")).toBe(
    "Nov 21st, 2026 to 05:14 UTC",
  );
});

test("a day is compared with one day, whole but for the last one, and other rows with all days", () => {
  const days = { ds: "2026-11-21", de: "2026-11-22" };
  const previous = comparedRows({ ...days, compare: "previous" }, "2026-11-20T05:14:00.000Z");
  expect(["2026-11-21", "2026-11-22", null].map((day) => previous?.(day))).toEqual([
    "Nov 19th, 2026",
    "Nov 20th, 2026 to 05:14 UTC",
    "Nov 19th – Nov 20th, 2026 to 05:14 UTC",
  ]);
  expect(comparedRows({ ...days, compare: "weekdays" }, null)?.("2026-11-22")).toBe("Nov 15th, 2026");
  expect(comparedRows({ ...days, compare: "none" }, null)).toBeNull();
});

test("there is no compared period without a comparison, or before the earliest date", () => {
  expect(comparedPeriod({ ...WEEK, compare: "none" }, null)).toBeNull();
  expect(comparedPeriod({ ds: "2015-03-30", de: "2015-03-31", compare: "previous" }, null)).toBeNull();
});

test("the comparison is named by its length", () => {
  expect([comparisonText("previous", 30), comparisonText("previous", 1)]).toEqual([
    "the 30 days before",
    "the day before",
  ]);
  expect([comparisonText("weekdays", 7), comparisonText("none", 7)]).toEqual(["the same weekdays before", "nothing"]);
});
