import { expect, test } from "vitest";
import { MinuteCounts, countKey } from "./minute-counts.ts";

const [A, B] = [countKey("impression of", "a"), countKey("impression of", "b")];

test("each key is counted for itself, and a minute later less and less of it is left", () => {
  const counts = new MinuteCounts();
  const start = 60_000 * 1000;
  for (let nth = 1; nth <= 100; nth++) expect(counts.add(A, start)).toBe(nth);
  expect(counts.add(B, start)).toBe(1);
  expect(counts.add(A, start + 60_000)).toBe(101);
  expect(counts.add(A, start + 90_000)).toBe(52);
  expect(counts.add(A, start + 60_000 * 2)).toBe(3);
  expect(counts.add(A, start + 60_000 * 9)).toBe(1);
});

test("a million devices a minute are still told apart", () => {
  const counts = new MinuteCounts();
  let most = 0;
  let wrong = 0;
  for (let nth = 0; nth < 1_200_000; nth++) {
    const count = counts.add(countKey("impression of", `${nth * 7_919}`), 1000);
    if (count > 1) wrong++;
    most = Math.max(most, count);
  }
  expect(most).toBeLessThan(8);
  expect(wrong).toBeLessThan(600_000);
  const busy = Array.from({ length: 200 }, () => counts.add(countKey("impression of", "a robot"), 1000));
  expect(busy.at(-1)).toBeGreaterThanOrEqual(200);
  expect(busy.at(-1)).toBeLessThan(210);
});

test("among many busy addresses no device of a million seems busy", () => {
  const counts = new MinuteCounts();
  for (let nth = 0; nth < 20_000; nth++) {
    const address = countKey("impression from", `10.${nth >> 8}.${nth & 255}.1`);
    for (let event = 0; event < 150; event++) counts.add(address, 1000);
  }
  let most = 0;
  for (let nth = 0; nth < 1_000_000; nth++)
    most = Math.max(most, counts.add(countKey("impression of", `${nth * 7_919}`), 1000));
  expect(most).toBeLessThan(8);
});

test("a count that would not fit stays where it is", () => {
  const counts = new MinuteCounts();
  let last = 0;
  for (let nth = 0; nth < 70_000; nth++) last = counts.add(A, 0);
  expect(last).toBe(65_535);
});

test("an event that was not kept leaves no count, and pending events count for those beside them", () => {
  const counts = new MinuteCounts();
  const all = Array.from({ length: 200 }, () => counts.begin(A, 0));
  expect(all).toEqual(Array.from({ length: 200 }, (_, nth) => nth + 1));
  for (const _ of all) counts.end(A, 0, false);
  expect(counts.begin(A, 0)).toBe(1);
  counts.end(A, 0, true);
  expect(counts.begin(A, 0)).toBe(2);
});
