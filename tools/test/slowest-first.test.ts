import { expect, test } from "vitest";
import { longestLimit } from "./slowest-first.ts";

test("a file's longest time limit is found as an option and as the last argument", () => {
  expect(longestLimit('test("a", { timeout: 480_000 }, async () => {});\nbeforeAll(async () => {\n}, 120_000);')).toBe(
    480_000,
  );
  expect(longestLimit('test("a", async () => {\n}, 240_000);\n')).toBe(240_000);
  expect(longestLimit('test("a", () => expect(f({}, 5)).toBe(1));')).toBe(0);
});
