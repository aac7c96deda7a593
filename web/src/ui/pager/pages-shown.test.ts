import * as fc from "fast-check";
import { expect, test } from "vitest";
import { pagesShown } from "./pages-shown.ts";

const shown = (current: number, count: number) => pagesShown(current, count, 2, 2);

test("two pages at each end and two around the current page are shown", () => {
  expect(shown(10, 20)).toEqual([0, 1, "gap", 10, 11, "gap", 18, 19]);
});

test("at the ends there is one gap", () => {
  expect(shown(0, 20)).toEqual([0, 1, "gap", 18, 19]);
  expect(shown(19, 20)).toEqual([0, 1, "gap", 18, 19]);
});

test("a short list has no gap", () => {
  expect(shown(1, 4)).toEqual([0, 1, 2, 3]);
});

test("a gap never replaces a single page", () => {
  expect(shown(2, 6)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("pages are ascending and unique, and include the current page", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(499), (count, at) => {
      const current = at % count;
      const pages = shown(current, count).filter((item) => item !== "gap");
      expect(pages).toEqual([...new Set(pages)].toSorted((a, b) => a - b));
      expect(pages).toContain(current);
      expect(pages.length).toBeLessThanOrEqual(8);
    }),
  );
});
