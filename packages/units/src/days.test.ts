import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  DAY_MS,
  addDays,
  dayOf,
  dayStartMs,
  daysIn,
  eachDay,
  eachHour,
  hourOf,
  minuteOfDay,
  previousRange,
} from "./index.ts";

const range = fc
  .tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 400 }))
  .map(([start, length]) => ({ ds: dayOf(start * DAY_MS), de: dayOf((start + length) * DAY_MS) }));

test("ranges of days cross the ends of months and years, and leap days", () => {
  expect(eachDay({ ds: "2024-02-28", de: "2024-03-01" })).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
  expect(eachDay({ ds: "2026-12-31", de: "2027-01-01" })).toEqual(["2026-12-31", "2027-01-01"]);
  expect(eachDay({ ds: "2026-01-02", de: "2026-01-01" })).toEqual([]);
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
});

test("a day has 24 hours even when clocks change", () => {
  const hours = eachHour({ ds: "2026-03-29", de: "2026-03-30" });
  expect(hours).toHaveLength(48);
  expect([hours[0], hours[25]]).toEqual(["2026-03-29T00:00:00Z", "2026-03-30T01:00:00Z"]);
  expect(hourOf(Date.parse("2026-03-29T05:59:59.999Z"))).toBe("2026-03-29T05:00:00Z");
});

test("a time of day is counted in minutes from midnight", () => {
  expect(["00:00", "01:30", "23:59"].map(minuteOfDay)).toEqual([0, 90, 1439]);
});

test("the previous range has the same length and ends the day before", () => {
  expect(previousRange({ ds: "2026-10-21", de: "2026-11-19" })).toEqual({ ds: "2026-09-21", de: "2026-10-20" });
  fc.assert(
    fc.property(range, (asked) => {
      const before = previousRange(asked);
      expect(daysIn(before)).toBe(daysIn(asked));
      expect(addDays(before.de, 1)).toBe(asked.ds);
      expect(eachDay(asked)).toHaveLength(daysIn(asked));
      expect(eachDay(asked).at(-1)).toBe(asked.de);
    }),
  );
});

test("an invalid day is refused", () => {
  for (const wrong of ["2026-02-30", "2026-13-01", "26-01-01", "", "2026-01-01T00:00:00Z"]) {
    expect(() => dayStartMs(wrong)).toThrow(RangeError);
  }
});
