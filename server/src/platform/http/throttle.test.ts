import { afterEach, expect, test, vi } from "vitest";
import { MAX_THROTTLE_KEYS, throttle } from "./throttle.ts";

const isOpen = (limit: ReturnType<typeof throttle>, key: string | number) =>
  limit.take(key).then(
    () => true,
    () => false,
  );

afterEach(() => {
  vi.useRealTimers();
});

test("a key is refused after its tries, and counted again after the window", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const limit = throttle({ tries: 2, windowSeconds: 60 });
  expect([await isOpen(limit, "a"), await isOpen(limit, "a"), await isOpen(limit, "a")]).toEqual([true, true, false]);
  await expect(limit.take("a")).rejects.toMatchObject({ code: "too_many", retryAfterSeconds: 60 });
  expect(await isOpen(limit, "b")).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(await isOpen(limit, "a")).toBe(true);
});

test("a returned try can be used again, and forgiving resets the count", async () => {
  const limit = throttle({ tries: 1, windowSeconds: 60 });
  await limit.giveBack("a");
  expect([await isOpen(limit, "a"), await isOpen(limit, "a")]).toEqual([true, false]);
  await limit.giveBack("a");
  await limit.giveBack("a");
  expect([await isOpen(limit, "a"), await isOpen(limit, "a")]).toEqual([true, false]);
  await limit.forgive("a");
  expect(await isOpen(limit, "a")).toBe(true);
});

test("made-up keys neither fill the memory nor reset a key that keeps trying", async () => {
  const limit = throttle({ tries: 1, windowSeconds: 600 });
  await limit.take("guesser");
  await limit.take("idle");
  for (let nth = 0; nth < MAX_THROTTLE_KEYS; nth++) {
    await limit.take(`made up ${nth}`);
    if (nth % 10_000 === 0) expect(await isOpen(limit, "guesser")).toBe(false);
  }
  expect(await isOpen(limit, "guesser")).toBe(false);
  // The longest unused key made room.
  expect(await isOpen(limit, "idle")).toBe(true);
});

test("keys of any length are distinguished", async () => {
  const limit = throttle({ tries: 1, windowSeconds: 60 });
  const long = "x".repeat(100_000);
  expect([await isOpen(limit, `${long}1`), await isOpen(limit, `${long}2`)]).toEqual([true, true]);
  expect(await isOpen(limit, `${long}1`)).toBe(false);
});
