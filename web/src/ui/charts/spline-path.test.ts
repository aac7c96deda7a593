import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splinePath } from "./spline-path.ts";

/** The heights of a curve between its points, from its path data. */
function heightsAlong(path: string): number[] {
  const [start = "", ...curves] = path.slice(1).split("C");
  let [, y0 = 0] = start.split(" ").map(Number);
  return curves.flatMap((curve) => {
    const [, y1 = 0, , y2 = 0, , y3 = 0] = curve.split(" ").map(Number);
    const from = y0;
    y0 = y3;
    return Array.from({ length: 11 }, (_, step) => {
      const t = step / 10;
      return (1 - t) ** 3 * from + 3 * (1 - t) ** 2 * t * y1 + 3 * (1 - t) * t ** 2 * y2 + t ** 3 * y3;
    });
  });
}

test("a curve runs through its points, and is empty without any", () => {
  expect(splinePath([])).toBe("");
  expect(splinePath([{ x: 0, y: 4 }])).toBe("M0.0 4.0");
  expect(
    splinePath([
      { x: 0, y: 0 },
      { x: 3, y: 3 },
    ]),
  ).toBe("M0.0 0.0C1.0 1.0 2.0 2.0 3.0 3.0");
});

test("a curve never leaves the range between two neighbouring points", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 40 }), (values) => {
      const heights = heightsAlong(splinePath(values.map((y, index) => ({ x: index * 10, y }))));
      values.slice(1).forEach((to, index) => {
        const from = values[index] ?? to;
        for (const height of heights.slice(index * 11, index * 11 + 11)) {
          expect(height).toBeGreaterThanOrEqual(Math.min(from, to) - 0.2);
          expect(height).toBeLessThanOrEqual(Math.max(from, to) + 0.2);
        }
      });
    }),
  );
});
