import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";
import { sleep } from "../../../platform/waiting.ts";

const LOOK_MS = 500;
const SEEN_MS = 600_000;
const PATIENCE_MS = 30_000;

interface Deps {
  pool: Pool;
  /** Of this process, the same after a restart on the same journal. */
  name: string;
  /** Resolves once everything that this process has taken so far can be read from the event store. */
  ship(): Promise<void>;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
  log: Log;
}

/** The exchange processes, in PostgreSQL: each ships its journal when another one asks for it. */
export class JournalBarrier {
  readonly #deps: Deps;
  readonly #timers: NodeJS.Timeout[] = [];
  #looking: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#join();
    const repeat = (task: () => Promise<void>, ms: number) => {
      this.#timers.push(
        setInterval(() => {
          void task().catch((error: unknown) =>
            this.#deps.log.warn({ err: error }, "the other exchange processes are not heard"),
          );
        }, ms).unref(),
      );
    };
    repeat(() => this.#look(), LOOK_MS);
    repeat(() => this.#join(), SEEN_MS);
  }

  /** Others no longer wait for the process, if its journal is empty. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking?.catch(() => undefined);
    try {
      await this.#deps.ship();
      await this.#deps.pool.query("DELETE FROM exchange_processes WHERE name = $1", [this.#deps.name]);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "the journal is not empty: the other exchange processes wait for its events");
    }
  }

  /**
   * Resolves once everything that any process has taken so far can be read from the event store. Rejects when this process
   * stops, or if it takes too long: a process is down, and its journal has events that nobody else knows. After a day these
   * are of no use any more.
   */
  async everyoneShipped(): Promise<void> {
    const { pool, stopping } = this.#deps;
    stopping.throwIfAborted();
    const { rows } = await pool.query<{ at: string }>("SELECT clock_timestamp()::text AS at");
    const at = rows[0]?.at;
    await pool.query("UPDATE exchange_processes SET asked_at = $1::timestamptz WHERE asked_at < $1::timestamptz", [at]);
    await this.#look();
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const late = await pool.query<{ name: string }>(
        `SELECT name FROM exchange_processes
         WHERE shipped_at < $1::timestamptz AND seen_at > now() - interval '25 hours' LIMIT 1`,
        [at],
      );
      if (late.rows.length === 0) return;
      if (performance.now() > until)
        throw new Error(`the exchange process ${late.rows[0]?.name} has not shipped its events`);
      await sleep(LOOK_MS / 5, stopping);
      stopping.throwIfAborted();
    }
  }

  async #join(): Promise<void> {
    await this.#deps.pool.query(
      "INSERT INTO exchange_processes (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET seen_at = now()",
      [this.#deps.name],
    );
  }

  /** Ships if another process asks for it. */
  #look(): Promise<void> {
    return (this.#looking ??= this.#shipIfAsked().finally(() => (this.#looking = undefined)));
  }

  async #shipIfAsked(): Promise<void> {
    const { pool, name, ship } = this.#deps;
    const { rows } = await pool.query<{ asked: string }>(
      "SELECT asked_at::text AS asked FROM exchange_processes WHERE name = $1 AND asked_at > shipped_at",
      [name],
    );
    const asked = rows[0]?.asked;
    if (asked === undefined) return;
    await ship();
    await pool.query("UPDATE exchange_processes SET shipped_at = $2::timestamptz WHERE name = $1", [name, asked]);
  }
}
