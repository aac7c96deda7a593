import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CLOSE_AREA, readResizeProperties, resizedRect } from "./resized-rect.ts";

const SCREEN = { width: 360, height: 640 };
const side = fc.integer({ min: CLOSE_AREA, max: 800 });
const offset = fc.integer({ min: -1000, max: 1000 });

test("a resized ad that may not leave the screen is whole on it, or refused for its size alone", () => {
  fc.assert(
    fc.property(offset, offset, side, side, offset, offset, (x, y, width, height, offsetX, offsetY) => {
      const wanted = { width, height, offsetX, offsetY, allowOffscreen: false };
      const rect = resizedRect({ x, y, width: 320, height: 50 }, wanted, SCREEN);
      const fits = width <= SCREEN.width && height <= SCREEN.height;
      expect(typeof rect === "string").toBe(!fits);
      if (typeof rect === "string") return;
      expect(rect).toMatchObject({ width, height });
      expect(Math.min(rect.x, rect.y)).toBeGreaterThanOrEqual(0);
      expect([rect.x + width <= SCREEN.width, rect.y + height <= SCREEN.height]).toEqual([true, true]);
    }),
  );
});

test("an ad that may leave the screen keeps its offset, and its close area on the screen", () => {
  fc.assert(
    fc.property(offset, offset, side, side, (offsetX, offsetY, width, height) => {
      const wanted = { width, height, offsetX, offsetY, allowOffscreen: true };
      const rect = resizedRect({ x: 20, y: 300, width: 320, height: 50 }, wanted, SCREEN);
      const [left, top] = [20 + offsetX + width - CLOSE_AREA, 300 + offsetY];
      const isReachable = left >= 0 && left + CLOSE_AREA <= 360 && top >= 0 && top + CLOSE_AREA <= 640;
      expect(typeof rect === "string").toBe(!isReachable);
      if (typeof rect !== "string") expect(rect).toMatchObject({ x: 20 + offsetX, y: top });
    }),
  );
});

test.each([
  [null, "must be an object"],
  [{ width: 300, height: 250 }, "must be numbers"],
  [{ width: "300", height: 250, offsetX: 0, offsetY: 0 }, "must be numbers"],
  [{ width: NaN, height: 250, offsetX: 0, offsetY: 0 }, "must be numbers"],
  [{ width: 49, height: 250, offsetX: 0, offsetY: 0 }, "smallest size"],
])("the properties %j are refused", (properties, message) => {
  expect(readResizeProperties(properties)).toContain(message);
});

test("properties without allowOffscreen allow it", () => {
  const size = { width: 300, height: 250, offsetX: 0, offsetY: -200 };
  expect(readResizeProperties(size)).toEqual({ ...size, allowOffscreen: true });
  expect(readResizeProperties({ ...size, allowOffscreen: false })).toMatchObject({ allowOffscreen: false });
});
