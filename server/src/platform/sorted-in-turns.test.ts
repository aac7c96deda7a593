import { expect, test } from "vitest";
import { countTurns } from "./testing/count-turns.ts";
import { sortedInTurns } from "./sorted-in-turns.ts";

const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;

test.each([0, 1, 2, 999, 1000, 1001, 2500, 10_000])(
  "%i items come in the order of toSorted, equal ones as they were",
  async (count) => {
    const items = Array.from({ length: count }, (_, nth) => ({ key: (nth * 7919) % 97, nth }));
    expect(await sortedInTurns(items, byKey)).toEqual(items.toSorted(byKey));
  },
);

test("others have their turns while a long list is sorted", async () => {
  const names = new Intl.Collator("en", { numeric: true });
  const items = Array.from({ length: 50_000 }, (_, nth) => `zone ${(nth * 7919) % 50_021}`);
  const counted = countTurns();
  await sortedInTurns(items, (one, other) => names.compare(one, other));
  expect(counted()).toBeGreaterThan(10);
});
