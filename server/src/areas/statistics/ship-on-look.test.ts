import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { shipOnLook } from "./ship-on-look.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function journal({ segments = 0 } = {}) {
  const flush = vi.fn<() => Promise<void>>(() => Promise.resolve());
  return { flush, look: shipOnLook({ flush, backlog: () => ({ segments }) }) };
}

test("nothing is shipped before somebody looks, or after the last look", async () => {
  const { flush, look } = journal();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(flush).not.toHaveBeenCalled();
  await look();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(flush).toHaveBeenCalledTimes(1);
});

test("a page that polls every three seconds ships once for each poll, however many parts poll beside it", async () => {
  const { flush, look } = journal();
  for (let polls = 0; polls < 10; polls++) {
    await look();
    await vi.advanceTimersByTimeAsync(1500);
    await look();
    await vi.advanceTimersByTimeAsync(1500);
  }
  expect(flush).toHaveBeenCalledTimes(10);
});

test.each(Array.from({ length: 12 }, (_, nth) => nth * 250))(
  "a poll every three seconds sees a row within five, with another page's polls %d ms after it",
  async (laterMs) => {
    const { flush, look } = journal();
    let shippedTo = 0;
    flush.mockImplementation(async () => void (shippedTo = performance.now()));
    const oldest: number[] = [];
    for (let polls = 0; polls < 20; polls++) {
      await look();
      // The next poll is three seconds later, so this is the age of the oldest row that this one does not see, by then.
      oldest.push(performance.now() - shippedTo + 3000);
      await vi.advanceTimersByTimeAsync(laterMs);
      await look();
      await vi.advanceTimersByTimeAsync(3000 - laterMs);
    }
    expect(Math.max(...oldest)).toBeLessThan(4900);
  },
);

test("looks at the same time wait for the same rows", async () => {
  const { flush, look } = journal();
  let through = (): void => {};
  flush.mockImplementationOnce(() => new Promise<void>((resolve) => (through = resolve)));
  let seen = 0;
  const looks = [1, 2, 3].map(() => look().then(() => (seen += 1)));
  await vi.advanceTimersByTimeAsync(10);
  expect([flush.mock.calls.length, seen]).toEqual([1, 0]);
  through();
  await Promise.all(looks);
  expect(seen).toBe(3);
});

test("a store that is behind or takes nothing keeps no look waiting", async () => {
  const behind = journal({ segments: 2 });
  await behind.look();
  expect(behind.flush).not.toHaveBeenCalled();
  const look = shipOnLook({ flush: () => Promise.reject(new Error("away")), backlog: () => ({ segments: 0 }) });
  await expect(look()).resolves.toBeUndefined();
});
