import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { shipWhileWatched } from "./ship-while-watched.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watched({ segments = 0 } = {}) {
  const flush = vi.fn<() => Promise<void>>(() => Promise.resolve());
  return { flush, watching: shipWhileWatched({ flush, backlog: () => ({ segments }) }) };
}

test("nothing is shipped while nobody looks, and the first look ships what has gathered", async () => {
  const { flush, watching } = watched();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(flush).not.toHaveBeenCalled();
  await watching.look();
  expect(flush).toHaveBeenCalledTimes(1);
});

test("while somebody looks every three seconds, no row waits for two", async () => {
  const { flush, watching } = watched();
  for (let looks = 0; looks < 10; looks++) {
    await watching.look();
    await vi.advanceTimersByTimeAsync(3000);
  }
  expect(flush.mock.calls.length).toBeGreaterThan(30_000 / 2000);
});

test("all who look at once wait for the same rows", async () => {
  const { flush, watching } = watched();
  let through = (): void => {};
  flush.mockImplementationOnce(() => new Promise<void>((resolve) => (through = resolve)));
  let seen = 0;
  const looks = [1, 2, 3].map(() => watching.look().then(() => (seen += 1)));
  await vi.advanceTimersByTimeAsync(10);
  expect([flush.mock.calls.length, seen]).toEqual([1, 0]);
  through();
  await Promise.all(looks);
  expect(seen).toBe(3);
});

test("shipping ends some seconds after the last look", async () => {
  const { flush, watching } = watched();
  await watching.look();
  await vi.advanceTimersByTimeAsync(20_000);
  const shipped = flush.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(flush).toHaveBeenCalledTimes(shipped);
});

test("a store that is behind, or takes nothing, keeps no look waiting", async () => {
  const behind = watched({ segments: 2 });
  await behind.watching.look();
  expect(behind.flush).not.toHaveBeenCalled();
  const away = shipWhileWatched({ flush: () => Promise.reject(new Error("away")), backlog: () => ({ segments: 0 }) });
  await expect(away.look()).resolves.toBeUndefined();
  away.stop();
});
