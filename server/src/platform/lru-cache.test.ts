import { expect, test } from "vitest";
import { lruCache } from "./lru-cache.ts";

test("the least recently used of more than the most entries is dropped", () => {
  const cache = lruCache<string, number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  expect([...cache.keys()]).toEqual(["c", "a"]);
  cache.set("c", 4);
  expect([cache.get("a"), cache.get("c"), cache.size]).toEqual([1, 4, 2]);
});

test("entries that weigh more push out more", () => {
  const cache = lruCache<string, string>(10, (value) => value.length);
  for (const value of ["aaaa", "bbbb", "cccccc"]) cache.set(value, value);
  expect([...cache.keys()]).toEqual(["cccccc", "bbbb"]);
});

test("a large cache takes no memory before it has entries", () => {
  const before = process.memoryUsage();
  const cache = lruCache<string, number>(10_000_000);
  const after = process.memoryUsage();
  expect(cache.size).toBe(0);
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(10_000_000);
});
