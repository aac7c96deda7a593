import { expect, test } from "vitest";

test("a page opens", () => {
  expect(1).toBe(1);
});
