import { expect, test } from "vitest";
import { largest } from "./largest.ts";

const rows = [1, 5, 3, 4, 2].map((value) => ({ id: `p${value}`, name: `P${value}`, value }));

test("the largest come first, the others are combined last, and the sum is the same", () => {
  expect(largest(rows, 3)).toEqual([
    { id: "p5", name: "P5", value: 5, rest: false },
    { id: "p4", name: "P4", value: 4, rest: false },
    { id: "", name: "3 others", value: 6, rest: true },
  ]);
});

test("nothing is combined if all fit", () => {
  expect(largest(rows, 5).map(({ id }) => id)).toEqual(["p5", "p4", "p3", "p2", "p1"]);
});
