import { addDays, dayOf } from "@millrace/units";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { firstDayOf } from "./first-day.ts";

const NOW = Date.parse("2026-11-19T23:30:00Z");

test.each([
  ["2026-11-19", 20_776],
  ["2015-03-30", 16_524],
  // It is already tomorrow where the device is.
  ["2026-11-20", 20_777],
])("%s is day %i", (said, day) => {
  expect(firstDayOf(said, NOW)).toBe(day);
});

test.each([
  undefined,
  "",
  "2026-11-21",
  "2015-03-29",
  "1970-01-01",
  "2026-02-30",
  "2026-13-01",
  "2026-11-1",
  "2026-11-19T00:00:00Z",
  "20261119",
  " 2026-11-19",
  "2026-11-19 ",
  "yesterday",
  "9999-99-99",
  "２０２６-11-19",
])("%s is not a first day", (said) => {
  expect(firstDayOf(said, NOW)).toBe(0);
});

test("every day from the earliest to tomorrow is a first day, and any other text is not", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4000 }), (back) => {
      const day = addDays("2026-11-20", -back);
      expect(dayOf(firstDayOf(day, NOW) * 86_400_000)).toBe(day);
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 32 }), (text) => {
      const found = firstDayOf(text, NOW);
      expect(found === 0 || dayOf(found * 86_400_000) === text).toBe(true);
    }),
  );
});
