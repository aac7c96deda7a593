import { expect, test } from "vitest";
import { total } from "./total.ts";

test("a total is twice the count and one", () => {
  expect(total(2)).toBe(5);
});
