import { expect, test } from "vitest";
import { shadeOf } from "./shade-of.ts";
import { MAP_HEIGHT, MAP_WIDTH, worldShapes } from "./world-shapes.ts";

const shapes = worldShapes();

test("the large markets are on the map, Antarctica is not", () => {
  const codes = shapes.map((shape) => shape.code);
  expect(codes).toEqual(expect.arrayContaining(["US", "DE", "BR", "JP", "IN", "FJ", "RU"]));
  expect(codes).not.toContain("AQ");
});

test("no outline runs across the map at the antimeridian", () => {
  for (const { path } of shapes) {
    // Path data is `M x,y L x,y … Z`: a streak is one straight line over more than a third of the map.
    for (const ring of path.split("M").slice(1)) {
      const xs = ring
        .replace("Z", "")
        .split("L")
        .map((point) => Number(point.split(",")[0]));
      const longest = Math.max(...xs.map((x, index) => Math.abs(x - (xs[index + 1] ?? x))));
      expect(longest).toBeLessThan(MAP_WIDTH / 3);
    }
  }
});

test("all outlines are inside the view box", () => {
  const numbers = shapes.flatMap(({ path }) => [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)]);
  expect(numbers.length).toBeGreaterThan(5000);
  for (const [, x, y] of numbers) {
    expect(Number(x) >= -0.1 && Number(x) <= MAP_WIDTH + 0.1).toBe(true);
    expect(Number(y) >= -0.1 && Number(y) <= MAP_HEIGHT + 0.1).toBe(true);
  }
});

test("the largest value has the deepest shade, zero has none, and any other value has some", () => {
  expect([0, 1, 250, 1000].map((value) => shadeOf(value, 1000))).toEqual([0, 1, 3, 6]);
  expect(shadeOf(0, 0)).toBe(0);
});
