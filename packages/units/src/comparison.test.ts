import * as fc from "fast-check";
import { expect, test } from "vitest";
import { comparedRange, comparisonOf } from "./comparison.ts";
import { DAY_MS, addDays, dayOf, dayStartMs, daysIn } from "./days.ts";

const MINUTE_MS = 60_000;
const at = (time: string, stepMs = MINUTE_MS) => ({ nowMs: Date.parse(time), stepMs });

test("a range that includes today is compared up to the same minute of the day", () => {
  const today = { ds: "2026-11-22", de: "2026-11-22" };
  expect(comparisonOf(today, "previous", at("2026-11-22T06:00:59.999Z"))).toEqual({
    range: { ds: "2026-11-21", de: "2026-11-21" },
    untilMs: Date.parse("2026-11-21T06:00:00Z"),
  });
  const week = { ds: "2026-11-16", de: "2026-11-22" };
  expect(comparisonOf(week, "previous", at("2026-11-22T23:59:59Z"))?.untilMs).toBe(Date.parse("2026-11-15T23:59:00Z"));
  expect(comparisonOf(today, "weekdays", at("2026-11-22T06:30:00Z", 3_600_000))).toEqual({
    range: { ds: "2026-11-15", de: "2026-11-15" },
    untilMs: Date.parse("2026-11-15T06:00:00Z"),
  });
});

test("a range that is over is compared with whole days, and `none` with nothing", () => {
  const range = { ds: "2026-11-20", de: "2026-11-21" };
  expect(comparisonOf(range, "previous", at("2026-11-22T00:00:00Z"))).toEqual({
    range: { ds: "2026-11-18", de: "2026-11-19" },
    untilMs: null,
  });
  expect(comparisonOf(range, "none", at("2026-11-21T00:00:00Z"))).toBeNull();
});

const ranges = fc
  .record({ from: fc.integer({ min: 0, max: 3000 }), days: fc.integer({ min: 1, max: 400 }) })
  .map(({ from, days }) => ({ ds: addDays("2018-01-01", from), de: addDays("2018-01-01", from + days - 1) }));

test("the compared range is as long, ends before the range starts, and keeps its weekdays on request", () => {
  fc.assert(
    fc.property(ranges, fc.constantFrom("previous" as const, "weekdays" as const), (range, kind) => {
      const compared = comparedRange(range, kind);
      expect(daysIn(compared)).toBe(daysIn(range));
      expect(compared.de < range.ds).toBe(true);
      const shift = (dayStartMs(range.ds) - dayStartMs(compared.ds)) / DAY_MS;
      if (kind === "weekdays") expect([shift % 7, shift < daysIn(range) + 7]).toEqual([0, true]);
      else expect(shift).toBe(daysIn(range));
    }),
  );
});

test("as much of the compared range is compared as has passed of the range", () => {
  fc.assert(
    fc.property(ranges, fc.integer({ min: 0, max: DAY_MS - 1 }), (range, elapsedMs) => {
      const nowMs = dayStartMs(range.de) + elapsedMs;
      const { range: compared, untilMs } = comparisonOf(range, "previous", { nowMs, stepMs: MINUTE_MS }) ?? {};
      if (compared === undefined || typeof untilMs !== "number") throw new Error("a running range is compared in part");
      expect(dayOf(untilMs)).toBe(compared.de);
      const behind = nowMs - dayStartMs(range.ds) - (untilMs - dayStartMs(compared.ds));
      expect(behind >= 0 && behind < MINUTE_MS).toBe(true);
    }),
  );
});
