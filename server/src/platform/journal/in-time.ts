import { setTimeout as sleep } from "node:timers/promises";

/** Whether `done` resolves before the time is over; rejects as it does. */
export async function inTime(done: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(timeoutMs, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([done.then(() => true), late]);
  } finally {
    over.abort();
  }
}
