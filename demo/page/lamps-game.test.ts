import fc from "fast-check";
import { expect, test } from "vitest";
import { isDark, newLevel, tap } from "./lamps-game.ts";

const lit = (lamps: readonly boolean[]) => lamps.flatMap((on, place) => (on ? [place] : []));

test("a tap toggles a lamp and its neighbours, but never across an edge", () => {
  const dark = Array<boolean>(16).fill(false);
  expect(lit(tap(dark, 5))).toEqual([1, 4, 5, 6, 9]);
  expect(lit(tap(dark, 0))).toEqual([0, 1, 4]);
  expect(lit(tap(dark, 7))).toEqual([3, 6, 7, 11]);
});

test("no level starts solved, and tapping a lamp twice changes nothing", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      fc.nat(15),
      (level, numbers, place) => {
        const lamps = newLevel(level, () => numbers.next().value as number);
        expect(isDark(lamps)).toBe(false);
        expect(tap(tap(lamps, place), place)).toEqual(lamps);
      },
    ),
  );
});
