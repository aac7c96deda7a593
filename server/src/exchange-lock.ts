import pg from "pg";
import type { Log } from "./platform/log.ts";
import { StartError } from "./platform/start-error.ts";
import { sleep } from "./platform/supervise.ts";

const AGAIN_MS = 1000;
const CLOSED_MS = 5000;

/**
 * Whether another exchange process may run on the same database: any number of those that share a Redis, or a single one
 * that does not. PostgreSQL's advisory lock says so, and frees it with the process's connection.
 */
export class ExchangeLock {
  readonly #deps: { postgresUrl: string; isShared: boolean; log: Log; onLost(): void };
  #client: pg.Client | undefined;
  #isReleased = false;

  constructor(deps: { postgresUrl: string; isShared: boolean; log: Log; onLost(): void }) {
    this.#deps = deps;
  }

  /** Throws StartError if the other processes do not allow this one. */
  async take(): Promise<void> {
    const until = performance.now() + CLOSED_MS;
    // The connection of a process that was just killed may still be open.
    while (!(await this.#take())) {
      if (performance.now() > until) throw new StartError(refusal(this.#deps.isShared));
      await sleep(AGAIN_MS / 4);
    }
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #take(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.#deps.postgresUrl, application_name: "millrace exchange" });
    client.on("error", () => undefined);
    await client.connect();
    const name = this.#deps.isShared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
    const { rows } = await client.query<{ got: boolean }>(
      `SELECT ${name}(hashtextextended('millrace exchange', 0)) AS got`,
    );
    if (rows[0]?.got !== true) {
      await client.end();
      return false;
    }
    this.#client = client;
    client.once("end", () => void this.#retake());
    return true;
  }

  /** After a lost connection: another process may have started meanwhile, which this one must not sell beside. */
  async #retake(): Promise<void> {
    while (!this.#isReleased) {
      const got = await this.#take().catch(() => undefined);
      if (got === true) return;
      if (got === false) {
        this.#deps.log.error({}, refusal(this.#deps.isShared));
        this.#deps.onLost();
        return;
      }
      await sleep(AGAIN_MS);
    }
  }
}

const refusal = (isShared: boolean): string =>
  isShared
    ? "Another exchange process without REDIS_URL uses this database: stop it, or start it with the REDIS_URL of this one."
    : "Another exchange process uses this database: set the same REDIS_URL for all of them, so that they can share what they know.";
