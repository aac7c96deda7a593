import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney, formatMoneyTo } from "./format-number.ts";
import { divideRounded } from "./formulas.ts";
import { shownParts } from "./shown-parts.ts";

const sum = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0);
const AMOUNTS = fc.integer({ min: -50_000_000, max: 50_000_000 });
const PARTS = fc.array(fc.oneof(AMOUNTS, fc.integer({ min: -9_999, max: 9_999 })), { maxLength: 12 });
const DECIMALS = fc.constantFrom(0, 2, 4, 6);
const unitOf = (decimals: number) => 10 ** (6 - decimals);

test("shown parts add up to the difference of the shown totals, and none stands for less than a unit", () => {
  fc.assert(
    fc.property(AMOUNTS, PARTS, DECIMALS, (start, parts, decimals) => {
      const shown = shownParts(start, parts, decimals);
      const unit = unitOf(decimals);
      const [from = 0, to = 0] = [start, start + sum(parts)].map(
        (total) => Number(divideRounded(BigInt(total), BigInt(unit))) * unit,
      );
      if (shown === undefined) {
        expect(parts.every((part) => Math.abs(part) < unit)).toBe(true);
        expect(from).not.toBe(to);
        return;
      }
      expect(from + sum(shown)).toBe(to);
      for (const [nth, part] of parts.entries()) {
        expect(Math.abs(shown[nth] ?? 0) % unit).toBe(0);
        if (Math.abs(part) < unit) expect(shown[nth]).toBe(0);
      }
    }),
  );
});

test("a shown part differs from its exact amount by less than two units, and by one more for each smaller part beside it", () => {
  fc.assert(
    fc.property(AMOUNTS, PARTS, DECIMALS, (start, parts, decimals) => {
      const unit = unitOf(decimals);
      const small = parts.filter((part) => Math.abs(part) < unit).length;
      const shown = shownParts(start, parts, decimals) ?? parts;
      for (const [nth, part] of parts.entries()) {
        if (Math.abs(part) < unit) continue;
        expect(Math.abs((shown[nth] ?? 0) - part)).toBeLessThan((2 + small) * unit);
      }
    }),
  );
});

test("with six decimals, every part is exact", () => {
  fc.assert(
    fc.property(AMOUNTS, PARTS, (start, parts) => {
      expect(shownParts(start, parts, 6)).toEqual(parts);
    }),
  );
});

test("an amount that is not paid is taken off in the cents in which it is shown", () => {
  const [reported, due] = [5_000_000_000, 4_179_495_621];
  expect(shownParts(reported, [due - reported, -due], 2)).toEqual([-820_500_000, -4_179_500_000]);
  expect(formatMoney(due)).toBe("$4,179.50");
});

test("the difference of $18.07 and $22.73 is $4.66, whatever their parts of a cent are", () => {
  const [before, after] = [18_074_900, 22_725_100];
  expect([formatMoneyTo(before, 2), formatMoneyTo(after, 2)]).toEqual(["$18.07", "$22.73"]);
  expect(shownParts(before, [after - before], 2)).toEqual([4_660_000]);
});

test("a part of a cent takes no whole cent, even where it crosses one", () => {
  expect(shownParts(1_993_000, [3_801, 5_000_000], 2)).toEqual([0, 5_010_000]);
  expect(shownParts(1_993_000, [3_801], 2)).toBeUndefined();
});
