import type { Log } from "../../platform/log.ts";
import { RepeatedFailures } from "../../platform/repeated-failures.ts";

/** Work that follows an answer, and that a shutdown waits for; and work at an interval. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #failures: RepeatedFailures;

  constructor(log: Log) {
    this.#failures = new RepeatedFailures((facts) => log.error(facts, "an auction could not be recorded"));
  }

  /** Runs a task after the response is sent. */
  readonly later = (work: () => Promise<unknown> | void): void => {
    const done = new Promise<void>((resolve) => {
      setImmediate(resolve);
    })
      .then(work)
      .catch((error: unknown) => this.#failures.add(error))
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
