import { createHash } from "node:crypto";
import { lruCache } from "../lru-cache.ts";
import { Problem } from "./problem.ts";

/** Counts one try of a key. Above the limit it throws Problem `too_many` with the time to wait. */
export interface Throttle {
  take(key: string | number): Promise<void>;
  /** Takes one try back. */
  giveBack(key: string | number): Promise<void>;
  /** Resets the count. */
  forgive(key: string | number): Promise<void>;
}

/** Counts how often a key came up in a window that begins with its first time. Memory is bounded as a throttle's. */
export type Counter = (key: string) => Promise<number>;
export function counter({ windowSeconds }: { windowSeconds: number }): Counter {
  const windows = keyWindows(windowSeconds);
  return async (key) => windows.add(key).count;
}

const TOO_MANY_TRIES = "Too many attempts. Please wait a while and try again";
/** Strangers make keys up: beyond this many, those used longest ago are forgotten. */
export const MAX_THROTTLE_KEYS = 50_000;
/** Longer keys are counted by their hash, so that bounding the number of keys bounds their bytes. */
const LONGEST_KEY = 128;

/**
 * Allows `tries` per key in a fixed window and refuses more with `sentence`, which may be a function of the seconds to
 * wait. The clock is monotonic, and memory is bounded whatever the keys.
 */
export function throttle(
  limits: { tries: number; windowSeconds: number },
  sentence: string | ((waitSeconds: number) => string) = TOO_MANY_TRIES,
): Throttle {
  const windows = keyWindows(limits.windowSeconds);
  return {
    async take(key) {
      const { count, endsAt } = windows.add(key);
      if (count <= limits.tries) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1000));
      const error = typeof sentence === "string" ? sentence : sentence(retryAfterSeconds);
      throw new Problem("too_many", error, { retryAfterSeconds });
    },
    async giveBack(key) {
      const window = windows.find(key);
      if (window !== undefined && window.count > 0) window.count--;
    },
    async forgive(key) {
      windows.forget(key);
    },
  };
}

/** A key's count and the end of its window, on the clock of `performance.now()`. */
interface KeyWindow {
  count: number;
  endsAt: number;
}

function keyWindows(windowSeconds: number) {
  const windows = lruCache<string | number, KeyWindow>(MAX_THROTTLE_KEYS);
  const find = (key: string | number) => {
    const known = windows.get(shortKey(key));
    return known !== undefined && known.endsAt > performance.now() ? known : undefined;
  };
  return {
    find,
    add(key: string | number): KeyWindow {
      const window = find(key) ?? { count: 0, endsAt: performance.now() + windowSeconds * 1000 };
      if (window.count === 0) windows.set(shortKey(key), window);
      window.count++;
      return window;
    },
    forget: (key: string | number) => void windows.delete(shortKey(key)),
  };
}

const shortKey = (key: string | number): string | number =>
  typeof key === "string" && key.length > LONGEST_KEY ? createHash("sha256").update(key).digest("base64url") : key;
