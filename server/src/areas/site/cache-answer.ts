import type { Clock } from "../../platform/clock.ts";
import { inTime } from "../../platform/waiting.ts";

/** Answers from the last answer while it is fresh. A failure is not kept. */
export function cacheFor<T>(ms: number, clock: Clock, find: () => Promise<T>): () => Promise<T> {
  let cached: { until: number; answer: Promise<T> } | undefined;
  return () => {
    if (cached && clock.now() < cached.until) return cached.answer;
    const current = { until: clock.now() + ms, answer: find() };
    cached = current;
    current.answer.catch(() => {
      if (cached === current) cached = undefined;
    });
    return current.answer;
  };
}

interface Renewal {
  /** An older answer is renewed. */
  freshMs: number;
  /** The shortest time from a failure to the next renewal. */
  retryMs: number;
  /** How long callers wait for the first answer. */
  waitMs: number;
  clock: Clock;
  onFailure(cause: unknown): void;
}

/**
 * Answers at once with the last answer, and renews an old one in the background, one renewal at a time. Never rejects; null if there is no
 * answer yet.
 */
export function staleWhileRevalidate<T>(
  { freshMs, retryMs, waitMs, clock, onFailure }: Renewal,
  find: () => Promise<T>,
): () => Promise<T | null> {
  let cached: T | null = null;
  let dueAt = 0;
  let renewal: Promise<void> | undefined;
  async function renew(): Promise<void> {
    try {
      cached = await find();
      dueAt = clock.now() + freshMs;
    } catch (cause) {
      dueAt = clock.now() + retryMs;
      onFailure(cause);
    }
  }
  return async () => {
    if (clock.now() >= dueAt) {
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
    }
    if (cached === null && renewal) await inTime(renewal, waitMs);
    return cached;
  };
}
