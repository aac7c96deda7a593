import { expect, test } from "vitest";
import { ownPath } from "./own-path.ts";

test("a path of this origin is kept whole", () => {
  expect(ownPath("/apps?p=2#top", "/apps")).toBe("/apps?p=2#top");
});

test.each([
  "//evil.test",
  "/\\evil.test",
  "https://evil.test",
  "javascript:alert(1)",
  "/.//evil.test",
  "apps",
  "",
  undefined,
  7,
])("%s is not a path of this origin", (wanted) => {
  expect(ownPath(wanted, "/apps")).toBe("/apps");
});
