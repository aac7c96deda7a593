/** Resolves after a while, or as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      done();
    }
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

/** Whether `done` resolves before the time is over; rejects as it does. */
export async function inTime(done: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(timeoutMs, over.signal).then(() => false);
  try {
    return await Promise.race([done.then(() => true), late]);
  } finally {
    over.abort();
  }
}
