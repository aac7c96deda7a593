import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatBalance, formatMoneyTo } from "./format-number.ts";
import { IN_WHOLE_CENTS, shownParts, toDecimals } from "./shown-parts.ts";

const sum = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0);
const AMOUNTS = fc.integer({ min: -50_000_000, max: 50_000_000 });
const PARTS = fc.array(fc.oneof(AMOUNTS, fc.integer({ min: -9_999, max: 9_999 })), { maxLength: 12 });
const ROUNDINGS = fc.constantFrom(IN_WHOLE_CENTS, toDecimals(2), toDecimals(4), toDecimals(6));

test("shown parts add up to the difference of the shown totals, and none stands for less than a unit", () => {
  fc.assert(
    fc.property(AMOUNTS, PARTS, ROUNDINGS, (start, parts, rounding) => {
      const shown = shownParts(start, parts, rounding);
      const [from, to] = [rounding.round(start), rounding.round(start + sum(parts))];
      if (shown === undefined) {
        expect(parts.every((part) => Math.abs(part) < rounding.unit)).toBe(true);
        expect(from).not.toBe(to);
        return;
      }
      expect(from + sum(shown)).toBe(to);
      for (const [nth, part] of parts.entries()) {
        expect(Math.abs(shown[nth] ?? 0) % rounding.unit).toBe(0);
        if (Math.abs(part) < rounding.unit) expect(shown[nth]).toBe(0);
      }
    }),
  );
});

test("a shown part differs from its exact amount by less than two units, and by one more for each smaller part beside it", () => {
  fc.assert(
    fc.property(AMOUNTS, PARTS, ROUNDINGS, (start, parts, rounding) => {
      const small = parts.filter((part) => Math.abs(part) < rounding.unit).length;
      const shown = shownParts(start, parts, rounding) ?? parts;
      for (const [nth, part] of parts.entries()) {
        if (Math.abs(part) < rounding.unit) continue;
        expect(Math.abs((shown[nth] ?? 0) - part)).toBeLessThan((2 + small) * rounding.unit);
      }
    }),
  );
});

test("with six decimals, every part is exact", () => {
  fc.assert(
    fc.property(AMOUNTS, PARTS, (start, parts) => {
      expect(shownParts(start, parts, toDecimals(6))).toEqual(parts);
    }),
  );
});

test("a balance that is not paid is taken off in the cents in which it is shown", () => {
  const [reported, balance] = [5_000_000_000, 4_179_495_621];
  expect(shownParts(reported, [balance - reported, -balance], IN_WHOLE_CENTS)).toEqual([-820_510_000, -4_179_490_000]);
  expect(formatBalance(balance)).toBe("$4,179.49");
});

test("the difference of $18.07 and $22.73 is $4.66, whatever their parts of a cent are", () => {
  const [before, after] = [18_074_900, 22_725_100];
  expect([formatMoneyTo(before, 2), formatMoneyTo(after, 2)]).toEqual(["$18.07", "$22.73"]);
  expect(shownParts(before, [after - before], toDecimals(2))).toEqual([4_660_000]);
});

test("a part of a cent takes no whole cent, even where it crosses one", () => {
  expect(shownParts(1_998_000, [3_801, 5_000_000], IN_WHOLE_CENTS)).toEqual([0, 5_010_000]);
  expect(shownParts(1_998_000, [3_801], IN_WHOLE_CENTS)).toBeUndefined();
});
