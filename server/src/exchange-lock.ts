import pg from "pg";
import type { Log } from "./platform/log.ts";
import { StartError } from "./platform/start-error.ts";
import { sleep } from "./platform/waiting.ts";

const AGAIN_MS = 1000;
const CLOSED_MS = 5000;
/** A firewall or a failover may end the connection without a word, and frees the lock. */
const BEAT_MS = 10_000;
const ANSWER_MS = 5000;
/** Of a machine that lost its power, PostgreSQL frees the lock within half a minute instead of the two hours of most systems. */
const NOTICE_LOSS = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";
/** This connection, as PostgreSQL tells it from all others. */
const OWN_SESSION = "SELECT pid, backend_start::text AS began FROM pg_stat_activity WHERE pid = pg_backend_pid()";
const END_SESSION =
  "SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2";

interface Session {
  pid: number;
  began: string;
}

interface Deps {
  postgresUrl: string;
  isShared: boolean;
  log: Log;
  /** Called when another process has taken the lock. */
  onLost(): void;
  /** Replace `BEAT_MS` and `ANSWER_MS`. */
  beatMs?: number;
  answerMs?: number;
}

/**
 * Whether another exchange process may run on the same database: any number of those that share a Redis, or a single one
 * that does not. PostgreSQL's advisory lock says so, and frees it with the process's connection.
 */
export class ExchangeLock {
  readonly #deps: Deps;
  #client: pg.Client | undefined;
  /** Of the connection that has the lock, or had it last. */
  #session: Session | undefined;
  #isReleased = false;

  constructor(deps: Deps) {
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

  /** Undefined where the former connection still had the lock, and has been ended. */
  async #take(): Promise<boolean | undefined> {
    const { postgresUrl, isShared, beatMs = BEAT_MS, answerMs = ANSWER_MS } = this.#deps;
    const client = new pg.Client({
      connectionString: postgresUrl,
      application_name: "millrace exchange",
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    client.on("error", () => undefined);
    const end = () => client.end().catch(() => undefined);
    try {
      await client.connect();
      const name = isShared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
      const { rows } = await client.query<{ got: boolean }>(
        `SELECT ${name}(hashtextextended('millrace exchange', 0)) AS got`,
      );
      if (rows[0]?.got !== true) {
        const isOwn = await this.#endFormer(client);
        await end();
        return isOwn ? undefined : false;
      }
      await client.query(NOTICE_LOSS);
      this.#session = (await client.query<Session>(OWN_SESSION)).rows[0];
    } catch (error) {
      void end();
      throw error;
    }
    this.#client = client;
    const beat = setInterval(() => void client.query("SELECT 1").catch(end), beatMs).unref();
    client.once("end", () => {
      clearInterval(beat);
      void this.#retake();
    });
    return true;
  }

  /** PostgreSQL may still believe in the connection that was lost here. Resolves to whether it did. */
  async #endFormer(client: pg.Client): Promise<boolean> {
    if (!this.#session) return false;
    const { pid, began } = this.#session;
    return (await client.query(END_SESSION, [pid, began])).rows.length > 0;
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
