import fc from "fast-check";
import { expect, test } from "vitest";
import { TransitTime } from "./transit-time.ts";

const measured = (roundTrips: readonly number[], answers: readonly number[]): number | null => {
  const transit = new TransitTime();
  for (const ms of roundTrips) transit.connected(ms);
  for (const ms of answers) transit.received(ms);
  return transit.ms;
};
const times = (length: number, ms: number) => Array.from({ length }, () => ms);

test("the way is the median round trip and the time in which 95% of the answers arrive", () => {
  expect(measured([10, 30, 500], times(20, 4))).toBe(34);
  // One slow answer of a hundred is not the rule; one of ten is.
  expect(measured([10], [...times(95, 1), 80])).toBe(11);
  expect(measured([10], [...times(28, 1), ...times(4, 80)])).toBe(90);
});

test("nothing is known without a round trip, or with few answers", () => {
  expect(measured([], times(100, 1))).toBeNull();
  expect(measured([10], times(19, 1))).toBeNull();
});

test("old measurements are forgotten", () => {
  expect(measured([...times(32, 90), ...times(32, 10)], [...times(128, 50), ...times(128, 2)])).toBe(12);
});

test("whatever is measured, the way is no longer than the longest round trip and answer", () => {
  const ms = fc.double({ min: 0, max: 1000, noNaN: true });
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1 }), fc.array(ms, { minLength: 20, maxLength: 100 }), (trips, answers) => {
      const way = measured(trips, answers) ?? -1;
      expect(way).toBeGreaterThanOrEqual(0);
      expect(way).toBeLessThanOrEqual(Math.max(...trips) + Math.max(...answers));
    }),
  );
});
