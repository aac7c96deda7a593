import type { z } from "zod";

export interface JobOptions {
  /** Retries of a failed job; 3 by default. */
  retryLimit?: number;
  /** Of these, how many a job gets that failed with this error; all by default. */
  retriesAfter?(error: unknown): number;
  /** Pause before the first retry, doubled for each further one with jitter; 5 s by default. */
  retryDelaySeconds?: number;
  /** A job that runs longer has failed; 300 s by default. */
  expireInSeconds?: number;
  /** Concurrent jobs of the queue on one platform; 1 by default. */
  concurrency?: number;
}

/** A kind of job: the schema of its data, and its work. */
export interface Queue {
  name: string;
  schema: z.ZodType;
  run(data: unknown): Promise<void>;
  retryLimit: number;
  retriesAfter(error: unknown): number;
  retryDelaySeconds: number;
  expireInSeconds: number;
  concurrency: number;
  bell: Bell;
}

export function queueOf<T>(
  name: string,
  schema: z.ZodType<T>,
  run: (data: T) => Promise<void>,
  options: JobOptions,
): Queue {
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(name)) throw new RangeError(`"${name}" is not a valid queue name`);
  return {
    name,
    schema,
    run: (data) => run(data as T),
    retryLimit: 3,
    retriesAfter: () => Infinity,
    retryDelaySeconds: 5,
    expireInSeconds: 300,
    concurrency: 1,
    ...options,
    bell: new Bell(),
  };
}

/** Wakes waiting workers, so that a job sent here starts at once; other platforms find it by polling. */
class Bell {
  #rung = 0;
  readonly #waiting = new Set<() => void>();

  /** Read before looking for work, so that a bell in the meantime is not missed. */
  get rung(): number {
    return this.#rung;
  }

  ring(): void {
    this.#rung++;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when it rings, has rung since `seen`, or after `ms`. */
  wait(seen: number, ms: number): Promise<void> {
    if (seen !== this.#rung) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
    });
  }
}
