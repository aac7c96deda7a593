import { beforeEach, expect, test } from "vitest";
import { deferred } from "../../platform/journal/deferred.ts";
import { cacheFor, staleWhileRevalidate } from "./cache-answer.ts";

let now = 1000;
const clock = { now: () => now };
beforeEach(() => {
  now = 1000;
});

test("everybody gets one answer while it is fresh, and a failure is not kept", async () => {
  let asked = 0;
  const kept = cacheFor(100, clock, async () => {
    asked += 1;
    if (asked === 2) throw new Error("the store is away");
    return asked;
  });
  expect([await kept(), await kept()]).toEqual([1, 1]);
  now += 100;
  await expect(kept()).rejects.toThrow("the store is away");
  expect([await kept(), await kept()]).toEqual([3, 3]);
});

test("a failure that comes late does not clear a newer answer", async () => {
  const slow = deferred();
  let asked = 0;
  const kept = cacheFor(100, clock, async () => {
    asked += 1;
    if (asked === 1) await slow.promise;
    return asked;
  });
  const first = kept();
  now += 100;
  expect(await kept()).toBe(2);
  slow.reject(new Error("too slow"));
  await expect(first).rejects.toThrow("too slow");
  expect([await kept(), asked]).toEqual([2, 2]);
});

/** Lets what is settled run on. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

test("the last answer is given at once while one renewal runs", async () => {
  const renewed = deferred();
  let asked = 0;
  const times = { freshMs: 100, retryMs: 10, waitMs: 60_000, clock };
  const kept = staleWhileRevalidate({ ...times, onFailure: () => undefined }, async () => {
    asked += 1;
    if (asked === 2) await renewed.promise;
    return asked;
  });
  expect(await Promise.all([kept(), kept()])).toEqual([1, 1]);
  now += 100;
  expect([await kept(), await kept(), asked]).toEqual([1, 1, 2]);
  renewed.resolve();
  await settled();
  expect([await kept(), asked]).toEqual([2, 2]);
});

test("a failed renewal costs nobody the last answer, and the next waits a while", async () => {
  let asked = 0;
  const failures: unknown[] = [];
  const times = { freshMs: 100, retryMs: 10, waitMs: 60_000, clock };
  const kept = staleWhileRevalidate({ ...times, onFailure: (cause) => failures.push(cause) }, async () => {
    asked += 1;
    if (asked === 1 || asked === 3) throw new Error("the store is away");
    return asked;
  });
  expect([await kept(), await kept(), asked]).toEqual([null, null, 1]);
  now += 10;
  expect(await kept()).toBe(2);
  now += 100;
  expect(await kept()).toBe(2);
  await settled();
  expect([await kept(), asked, failures.length]).toEqual([2, 3, 2]);
  now += 10;
  await kept();
  await settled();
  expect(await kept()).toBe(4);
});

test("nobody waits long for the first answer", async () => {
  const answer = deferred();
  const times = { freshMs: 100, retryMs: 10, waitMs: 1, clock, onFailure: () => undefined };
  const kept = staleWhileRevalidate(times, () => answer.promise.then(() => "counted"));
  expect(await kept()).toBeNull();
  answer.resolve();
  await settled();
  expect(await kept()).toBe("counted");
});
