import { inTime } from "./waiting.ts";

interface DueWorkOptions<T> {
  /** Takes up to so many that are due, so that no other process takes them meanwhile. */
  take(limit: number): Promise<readonly T[]>;
  /** Never rejects. */
  run(item: T): Promise<void>;
  /** The store could not be asked; it is asked again at the next look. */
  onError(error: unknown): void;
  atOnce: number;
  lookMs: number;
}

/** Runs what a store has due, a limited number at once: when rung, at the end of each, and at intervals. */
export class DueWork<T> {
  readonly #options: DueWorkOptions<T>;
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #isRung = false;
  #isStopped = false;

  constructor(options: DueWorkOptions<T>) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  start(): void {
    this.#timer = setInterval(() => this.ring(), this.#options.lookMs).unref();
    this.ring();
  }

  /** Runs what is due now, in a process that has started. */
  ring(): void {
    if (this.#isStopped || !this.#timer) return;
    this.#isRung = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Takes nothing more, and waits for what runs. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await inTime(Promise.all([this.#working, ...this.#running]), graceMs);
  }

  async #work(): Promise<void> {
    const { take, atOnce, onError } = this.#options;
    try {
      while (this.#isRung && !this.#isStopped) {
        this.#isRung = false;
        const limit = atOnce - this.#running.size;
        // The end of each rings again.
        if (limit <= 0) return;
        for (const item of await take(limit)) this.#run(item);
      }
    } catch (error) {
      onError(error);
    }
  }

  #run(item: T): void {
    const running = this.#options.run(item).finally(() => {
      this.#running.delete(running);
      this.ring();
    });
    this.#running.add(running);
  }
}
