import type { Log } from "../../platform/log.ts";

/** Work that follows an answer, and that a shutdown waits for; and work at an interval. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Runs a task after the response is sent. */
  readonly later = (work: () => Promise<unknown> | void): void => {
    const done = new Promise<void>((resolve) => {
      setImmediate(resolve);
    })
      .then(work)
      .catch((error: unknown) => this.#log.error({ err: error }, "an auction could not be recorded"))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  };

  every(intervalMs: number, run: () => void): void {
    this.#timers.push(setInterval(run, intervalMs).unref());
  }

  stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
