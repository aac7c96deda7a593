import { DEDUCTION_REASONS } from "@millrace/contract";
import { addDays } from "@millrace/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Stated, causesOf } from "./causes.ts";
import { countedDays, openDayIn } from "./counted-days.ts";

const NONE = {
  invalid_traffic: 0n,
  discrepancy: 0n,
  time_zone: 0n,
  currency: 0n,
  clawback: 0n,
  unexplained: 0n,
};
const counted = (impressions: number, gross: number) => ({
  impressions: BigInt(impressions),
  grossMicros: BigInt(gross),
});
const stated = (impressions: number, reported: number, some: Partial<Stated> = {}): Stated => ({
  impressions: BigInt(impressions),
  reportedMicros: BigInt(reported),
  shownMicros: BigInt(reported),
  cause: null,
  ...some,
});

test("impressions that the partner counted less are its discrepancy, at our average price; another price stays unexplained", () => {
  const day = counted(100, 1_000_000);
  const causes = causesOf(1_000_000n, { utcDay: day, ownDay: day }, [stated(97, 969_000)]);
  expect(causes).toEqual({ ...NONE, discrepancy: -30_000n, unexplained: -1000n });
});

test("what our own events say of the partner's day is the time zone's, before impressions are compared", () => {
  const days = { utcDay: counted(100, 1_000_000), ownDay: counted(90, 900_000) };
  expect(causesOf(1_000_000n, days, [stated(90, 900_000)])).toEqual({ ...NONE, time_zone: -100_000n });
});

test("a rate that moved after the ads were shown is the currency's", () => {
  const day = counted(100, 1_000_000);
  expect(
    causesOf(1_000_000n, { utcDay: day, ownDay: day }, [stated(100, 980_000, { shownMicros: 1_000_000n })]),
  ).toEqual({
    ...NONE,
    currency: -20_000n,
  });
});

test("what a restatement changed has the cause that it was given", () => {
  const day = counted(100, 1_000_000);
  const states = [
    stated(100, 1_000_000),
    stated(90, 900_000, { cause: "invalid_traffic" }),
    stated(80, 850_000, { cause: "clawback" }),
  ];
  expect(causesOf(1_000_000n, { utcDay: day, ownDay: day }, [states[0] ?? expect.fail(), ...states.slice(1)])).toEqual({
    ...NONE,
    invalid_traffic: -100_000n,
    clawback: -50_000n,
  });
});

test("impressions that only the partner counted are its discrepancy, at its own price", () => {
  const day = counted(0, 0);
  expect(causesOf(0n, { utcDay: day, ownDay: day }, [stated(5, 10_000)])).toEqual({ ...NONE, discrepancy: 10_000n });
  expect(causesOf(0n, { utcDay: day, ownDay: day }, [stated(0, 10_000)])).toEqual({ ...NONE, unexplained: 10_000n });
});

const micros = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
const anyCount = fc.record({
  impressions: fc.bigInt({ min: 0n, max: 10n ** 7n }),
  grossMicros: fc.bigInt({ min: 0n, max: 10n ** 12n }),
});
const anyStated = fc.record({
  impressions: fc.bigInt({ min: 0n, max: 10n ** 7n }),
  reportedMicros: micros,
  shownMicros: micros,
  cause: fc.constantFrom(...DEDUCTION_REASONS, null),
});

test("whatever is booked, counted and stated, the causes add up to the difference to the micro-dollar", () => {
  fc.assert(
    fc.property(
      micros,
      anyCount,
      anyCount,
      fc.array(anyStated, { minLength: 1, maxLength: 5 }),
      (booked, utcDay, ownDay, all) => {
        const [first, ...later] = all;
        if (!first) return;
        const causes = causesOf(booked, { utcDay, ownDay }, [first, ...later]);
        const sum = Object.values(causes).reduce((total, one) => total + one, 0n);
        expect(sum).toBe((all.at(-1)?.reportedMicros ?? 0n) - booked);
      },
    ),
  );
});

test("an hour counts for the partner's day in which it begins, in days of 23 and 25 hours too", () => {
  const hour = (id: string) => ({ id, appId: 1, impressions: 1, revenueMicros: 800n });
  // Los Angeles is 8 hours behind until the clocks go forward on 2026-03-08 at 10:00 UTC, and 7 hours after.
  const hours = Array.from({ length: 96 }, (_, nth) => hour(new Date(Date.UTC(2026, 2, 7, nth)).toISOString()));
  const sales = [7, 8, 9, 10].map((date) => ({
    day: `2026-03-${String(date).padStart(2, "0")}`,
    appId: 1,
    grossMicros: 24_000n,
  }));
  const of = countedDays(hours, sales, "America/Los_Angeles");
  expect(of("2026-03-08", 1)).toEqual({ utcDay: counted(24, 24_000), ownDay: counted(23, 23_000) });
  expect(of("2026-03-09", 1)).toEqual({ utcDay: counted(24, 24_000), ownDay: counted(24, 24_000) });
});

test.each([
  // It is December in Tokyo but not yet in UTC, and the books use UTC days.
  ["Asia/Tokyo", "2026-11-30T22:00:00Z", "2026-11-30", "UTC"],
  ["Asia/Kolkata", "2026-11-30T18:45:00Z", "2026-11-30", "UTC"],
  ["America/Los_Angeles", "2026-12-01T07:59:00Z", "2026-11-30", "America/Los_Angeles"],
  ["America/Los_Angeles", "2026-12-01T08:00:00Z", "2026-12-01", "UTC"],
])("a statement in %s at %s ends before %s, which is not over in %s", (timeZone, at, day, zone) => {
  expect(openDayIn(timeZone, Date.parse(at))).toEqual({ day, zone });
});

test("a day of which the publisher has nothing is divided by its impressions", () => {
  const hour = (id: string, impressions: number) => ({ id, appId: 1, impressions, revenueMicros: 0n });
  const hours = [hour("2026-10-10T02:00:00Z", 1), hour("2026-10-10T12:00:00Z", 3)];
  const of = countedDays(hours, [{ day: "2026-10-10", appId: 1, grossMicros: 40_000n }], "America/New_York");
  expect(of("2026-10-10", 1)).toEqual({ utcDay: counted(4, 40_000), ownDay: counted(3, 30_000) });
});

test("however revenue is spread over the hours, each UTC day keeps its price, and so do all days of the partner together", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ hour: fc.nat(71), revenue: fc.nat(1000) }), { minLength: 1, maxLength: 60 }),
      fc.constantFrom("UTC", "America/Los_Angeles", "Asia/Shanghai", "Asia/Kolkata", "Pacific/Kiritimati"),
      fc.bigInt({ min: 0n, max: 10n ** 10n }),
      (some, zone, gross) => {
        const hours = some.map(({ hour, revenue }) => ({
          id: new Date(Date.UTC(2026, 9, 10, hour)).toISOString(),
          appId: 1,
          impressions: 1,
          revenueMicros: BigInt(revenue + 1),
        }));
        const days = [...new Set(hours.map(({ id }) => id.slice(0, 10)))];
        const of = countedDays(
          hours,
          days.map((day) => ({ day, appId: 1, grossMicros: gross })),
          zone,
        );
        for (const day of days) expect(of(day, 1).utcDay.grossMicros).toBe(gross);
        const own = Array.from({ length: 7 }, (_, nth) => of(addDays("2026-10-08", nth), 1).ownDay);
        expect(own.reduce((sum, { grossMicros }) => sum + grossMicros, 0n)).toBe(gross * BigInt(days.length));
        expect(own.reduce((sum, { impressions }) => sum + impressions, 0n)).toBe(BigInt(hours.length));
      },
    ),
  );
});
