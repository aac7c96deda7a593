import type { z } from "zod";

export interface JobOptions {
  /** How often a job that failed is tried again; 3 unless told. */
  retryLimit?: number;
  /** Pause before the second try, doubled before each further one and stretched by chance; 5 s unless told. */
  retryDelaySeconds?: number;
  /** A job that runs longer has failed; 300 s unless told. */
  expireInSeconds?: number;
  /** Jobs of the queue that one platform runs at the same time; 1 unless told. */
  concurrency?: number;
}

/** A kind of job: what its data is, and what is done. */
export interface Queue {
  name: string;
  schema: z.ZodType;
  run(data: unknown): Promise<void>;
  retryLimit: number;
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
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(name)) throw new RangeError(`"${name}" is no name of a queue`);
  return {
    name,
    schema,
    run: (data) => run(data as T),
    retryLimit: 3,
    retryDelaySeconds: 5,
    expireInSeconds: 300,
    concurrency: 1,
    ...options,
    bell: new Bell(),
  };
}

/** Wakes those that wait for work, so that a job sent here starts at once; others find it at their next look. */
class Bell {
  #rung = 0;
  readonly #waiting = new Set<() => void>();

  /** To be read before looking for work: what rings while one looks is not missed. */
  get rung(): number {
    return this.#rung;
  }

  ring(): void {
    this.#rung++;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when it rings, has rung since `seen`, or the time is over. */
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
