import { Blocks } from "@millrace/contract";
import { expect, test } from "vitest";
import { CATEGORY_NAMES, categoryName } from "./iab-categories.ts";

test("the taxonomy has 26 tiers with 366 categories, and the call accepts each", () => {
  const codes = Object.keys(CATEGORY_NAMES);
  expect(codes.filter((code) => !code.includes("-")).length).toBe(26);
  expect(codes.length).toBe(392);
  expect(codes.filter((code) => !Blocks.shape.categories.safeParse([code]).success)).toEqual([]);
});

test.each([
  ["IAB1-7", "Arts & Entertainment: Television"],
  ["IAB2-23", "Automotive: Wagon"],
  ["IAB7-45", "Health & Fitness: Women's Health"],
  ["IAB14-1", "Society: Dating"],
  ["IAB17-44", "Sports: World Soccer"],
  ["IAB19-36", "Technology & Computing: Windows"],
  ["IAB20-27", "Travel: United Kingdom"],
  ["IAB25-3", "Non-Standard Content: Pornography"],
  ["IAB26-4", "Illegal Content: Copyright Infringement"],
  ["IAB24", "Uncategorized"],
  ["IAB99", "IAB99"],
])("%s is called %s", (code, name) => {
  expect(categoryName(code)).toBe(name);
});
