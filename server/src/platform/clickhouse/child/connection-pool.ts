import { settle, type Connection, type Engine } from "./engine.ts";
import { Exception } from "./exception.ts";

/**
 * A turn at the engine. `fresh` gives a connection that is used once, for this turn; it is not read-only yet, because
 * a read-only one takes no more settings: `prepare` closes it.
 */
export type Lease = {
  connection: (options: { fresh: boolean }) => Connection;
  /** Gives the turn back. `clean` is false after anything but a whole success. */
  release: (options: { clean: boolean }) => Promise<void>;
};

const LONGEST_QUEUE = 1_000;

/**
 * As many turns as there may be queries at once, handed out first come first served. A connection that failed in mid-output
 * would hand its partial rows to the next query, and holds the failed one's memory: it is settled first, and closed where that
 * does not help. One that was given settings is closed, because they would stay on it; opening another takes 0.2 ms.
 */
export class ConnectionPool {
  readonly #engine: Engine;
  readonly #readonly: boolean;
  readonly #idle: Connection[] = [];
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(engine: Engine, options: { readonly: boolean; size: number }) {
    this.#engine = engine;
    this.#readonly = options.readonly;
    this.#free = options.size;
  }

  /** Waits for a turn. Throws TOO_MANY_SIMULTANEOUS_QUERIES when the queue is full, or QUERY_WAS_CANCELLED on abort. */
  async acquire(aborted: AbortSignal): Promise<Lease> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(aborted);
    let taken: Connection | undefined;
    let discard = false;
    return {
      connection: ({ fresh }) => {
        discard = fresh;
        taken =
          (fresh ? undefined : this.#idle.pop()) ??
          this.#engine.open({ reading: this.#readonly, readonly: this.#readonly && !fresh });
        return taken;
      },
      release: async ({ clean }) => {
        if (taken !== undefined) {
          const settled = clean || (await settle(taken));
          if (settled && !discard) this.#idle.push(taken);
          else taken.session.close();
        }
        const next = this.#waiting.shift();
        if (next === undefined) this.#free += 1;
        else next();
      },
    };
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.session.close();
  }

  #wait(aborted: AbortSignal): Promise<void> {
    if (this.#waiting.length >= LONGEST_QUEUE) {
      throw new Exception(
        202,
        "TOO_MANY_SIMULTANEOUS_QUERIES",
        `Too many simultaneous queries: ${LONGEST_QUEUE} are waiting`,
      );
    }
    return new Promise((done, fail) => {
      const turn = (): void => {
        aborted.removeEventListener("abort", giveUp);
        done();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        fail(new Exception(394, "QUERY_WAS_CANCELLED", "The client went away"));
      };
      aborted.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(turn);
    });
  }
}
