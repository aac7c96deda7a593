import fc from "fast-check";
import { expect, test } from "vitest";
import { isDark, type Level, newLevel, tap } from "./lamps-game.ts";

const lit = ({ lamps }: Level) => lamps.flatMap((on, place) => (on ? [place] : []));
const levels = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })))
  .map(([number, numbers]) => newLevel(number, () => numbers.next().value as number));

test("a tap toggles a lamp and its neighbours, but never across an edge", () => {
  const dark: Level = { lamps: Array<boolean>(16).fill(false), solution: new Set() };
  expect(lit(tap(dark, 5))).toEqual([1, 4, 5, 6, 9]);
  expect(lit(tap(dark, 0))).toEqual([0, 1, 4]);
  expect(lit(tap(dark, 7))).toEqual([3, 6, 7, 11]);
});

test("no level starts solved, and tapping a lamp twice changes nothing", () => {
  fc.assert(
    fc.property(levels, fc.nat(15), (level, place) => {
      expect(isDark(level)).toBe(false);
      expect(tap(tap(level, place), place)).toEqual(level);
    }),
  );
});

test("whatever was tapped, the taps of the solution switch all lamps off", () => {
  fc.assert(
    fc.property(levels, fc.array(fc.nat(15), { maxLength: 30 }), (start, taps) => {
      const level = taps.reduce(tap, start);
      expect(isDark([...level.solution].reduce(tap, level))).toBe(true);
    }),
  );
});
