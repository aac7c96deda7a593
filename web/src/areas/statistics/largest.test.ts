import { expect, test } from "vitest";
import { largest } from "./largest.ts";

const thing = (id: string, value: number, before: number | null = null) => ({ id, name: id, value, before });

test("the largest come first, and the rest is one entry with its own change", () => {
  const things = [thing("a", 1, 2), thing("b", 9, 3), thing("c", 5, 5), thing("d", 2, 1)];
  expect(largest(things, 3)).toEqual([
    { ...thing("b", 9, 3), rest: false },
    { ...thing("c", 5, 5), rest: false },
    { id: "", name: "2 others", value: 3, before: 3, rest: true },
  ]);
  expect(largest(things, 4).map(({ id, rest }) => [id, rest])).toEqual([
    ["b", false],
    ["c", false],
    ["d", false],
    ["a", false],
  ]);
});

test("the rest has no earlier figure if one of its parts has none", () => {
  expect(largest([thing("a", 3), thing("b", 2, 4), thing("c", 1)], 2).at(-1)).toMatchObject({ before: null });
});
