import { expect, test } from "vitest";
import { added, NO_EVIDENCE, sighting } from "./evidence.ts";
import { liftOf } from "./floor-lift.ts";
import { seeded } from "./testing/seeded.ts";

/** Revenue of a request: mostly nothing, sometimes a lot. */
function compare(seed: string, gain: number, looks: number) {
  const random = seeded(seed);
  let [automatic, held] = [NO_EVIDENCE, NO_EVIDENCE];
  const revenue = () => (random.next() < 0.3 ? 5000 * random.factor(1) : 0);
  const lifts = [];
  for (let look = 0; look < looks; look++) {
    for (let each = 0; each < 95; each++) automatic = added(automatic, sighting(revenue() * (1 + gain)));
    for (let each = 0; each < 20; each++) held = added(held, sighting(revenue()));
    lifts.push(liftOf(automatic, held));
  }
  return lifts;
}

test("of 300 comparisons of floors without an effect, looked at 100 times each, at most 5% ever show one", () => {
  const alarms = Array.from({ length: 300 }, (_, nth) => compare(`alike ${nth}`, 0, 100)).filter((lifts) =>
    lifts.some(({ possible: { low, high } }) => low > 0 || high < 0),
  );
  expect(alarms.length).toBeLessThanOrEqual(15);
});

test("a gain of half is proven, and a loss of half never is a gain", () => {
  expect(compare("gain", 0.5, 200).at(-1)).toMatchObject({ isProven: true });
  expect(compare("loss", -0.5, 200).some(({ isProven }) => isProven)).toBe(false);
  expect(compare("loss", -0.5, 200).at(-1)?.possible.high).toBeLessThan(0);
});

test("nothing is proven without requests, or by a hold-out that earned nothing", () => {
  expect(liftOf(NO_EVIDENCE, NO_EVIDENCE)).toEqual({
    lift: null,
    possible: { low: -1, high: Infinity },
    isProven: false,
  });
  const some = { count: 1000, sum: 1000, squares: 3000 };
  expect(liftOf(some, { count: 1000, sum: 0, squares: 0 })).toMatchObject({ lift: null, isProven: false });
});
