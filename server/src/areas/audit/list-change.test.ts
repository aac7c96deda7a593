import { expect, test } from "vitest";
import { fieldChange, listChange } from "./list-change.ts";

test("a changed list is summarized by its added and removed entries", () => {
  expect(listChange(["a", "b"], ["b", "c", "d"])).toEqual({
    added: ["c", "d"],
    added_count: 2,
    removed: ["a"],
    removed_count: 1,
  });
  expect(listChange([{ floor: 1 }], [{ floor: 2 }])).toMatchObject({ added: [{ floor: 2 }], removed: [{ floor: 1 }] });
});

test("a reordered list has not changed", () => {
  expect(listChange(["a", "b"], ["b", "a"])).toBeNull();
  expect(fieldChange({ kids: true, muted: false }, { kids: true, muted: false })).toBeNull();
});

test("a long change has its first entries and the number of all", () => {
  const long = Array.from({ length: 1000 }, (_, nth) => `shop${nth}.example`);
  const told = listChange(long, []);
  expect(told).toMatchObject({ removed_count: 1000, added_count: 0 });
  expect(JSON.stringify(told).length).toBeLessThan(500);
});
