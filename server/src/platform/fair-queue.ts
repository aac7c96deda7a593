import { Problem } from "./http/problem.ts";

export interface FairQueueLimits {
  /** The concurrent calls of all keys. */
  atOnce: number;
  /** The concurrent calls of one key. */
  perKey: number;
  /** The waiting calls of one key; more are refused with 429. */
  waitingPerKey: number;
  /** A call that has waited longer is refused with 503. */
  waitMs: number;
  /** The sentence of that refusal. */
  busyText: string;
}

export interface FairQueue {
  /**
   * Runs the work in its turn. Throws Problem `too_many` or `unavailable` if it gets none, and the signal's reason if
   * `signal` aborts before the work begins.
   */
  run<T>(key: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The waiting calls of all keys. */
  waiting(): number;
}

/**
 * Shares a store among keys (accounts) by round-robin: a free place goes to the key that waited longest since its last
 * turn, so a key with many calls delays mostly its own.
 */
export function fairQueue({ atOnce, perKey, waitingPerKey, waitMs, busyText }: FairQueueLimits): FairQueue {
  /** Keys with waiting calls, in turn order. */
  const lines = new Map<number, Set<() => void>>();
  const running = new Map<number, number>();
  let busy = 0;

  const runningOf = (key: number) => running.get(key) ?? 0;
  const hasRoom = (key: number) => busy < atOnce && runningOf(key) < perKey;

  function begin(key: number): void {
    busy += 1;
    running.set(key, runningOf(key) + 1);
  }

  function end(key: number): void {
    busy -= 1;
    if (runningOf(key) > 1) running.set(key, runningOf(key) - 1);
    else running.delete(key);
    admit();
  }

  function admit(): void {
    for (const [key, line] of lines) {
      const [first] = line;
      if (first === undefined || !hasRoom(key)) continue;
      begin(key);
      leave(key, first);
      // Moves the key to the end of the turn order.
      const rest = lines.get(key);
      if (rest && lines.delete(key)) lines.set(key, rest);
      first();
    }
  }

  function leave(key: number, turn: () => void): void {
    const line = lines.get(key);
    line?.delete(turn);
    if (line?.size === 0) lines.delete(key);
  }

  async function turnOf(key: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    // Earlier calls of the same key go first.
    if (!lines.has(key) && hasRoom(key)) return begin(key);
    const line = lines.get(key) ?? new Set();
    if (line.size >= waitingPerKey)
      throw new Problem("too_many", "Too many calls of your account are waiting", { retryAfterSeconds: 1 });
    lines.set(key, line);
    await new Promise<void>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      };
      const turn = () => {
        settle();
        resolve();
      };
      const refuse = (reason: Error) => {
        settle();
        leave(key, turn);
        reject(reason);
      };
      const giveUp = () => refuse(signal?.reason as Error);
      const late = () => refuse(new Problem("unavailable", busyText, { retryAfterSeconds: 2 }));
      const timer = setTimeout(late, waitMs);
      signal?.addEventListener("abort", giveUp);
      line.add(turn);
    });
  }

  return {
    async run(key, work, signal) {
      await turnOf(key, signal);
      try {
        return await work();
      } finally {
        end(key);
      }
    },
    waiting: () => [...lines.values()].reduce((sum, { size }) => sum + size, 0),
  };
}
