import type { Pool, PoolClient } from "pg";
import { sleep } from "../waiting.ts";

const REGAIN_MS = 50;

interface Connection {
  /** Asks the store about a job's lock, once earlier questions are answered: a client takes one query at a time. */
  ask(sql: string, jobId: string): Promise<boolean>;
  giveBack(): void;
}

const LOCK = "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS done";
const UNLOCK = "SELECT pg_advisory_unlock(hashtextextended($1, 0)) AS done";

/**
 * Shows all platforms on this store which jobs are running: a running job holds an advisory lock of PostgreSQL, which
 * is released when its process ends in any way. All locks share one connection, opened while any is held.
 */
export class JobLocks {
  readonly #pool: Pool;
  readonly #held = new Set<string>();
  #connection: Promise<Connection> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** False while anybody, here or elsewhere, holds the job. */
  async take(jobId: string): Promise<boolean> {
    // PostgreSQL would give a session its own lock a second time.
    if (this.#held.has(jobId)) return false;
    this.#held.add(jobId);
    let got = false;
    try {
      got = await this.#lock(jobId);
    } finally {
      if (!got) await this.#forget(jobId);
    }
    return got;
  }

  async release(jobId: string): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    // A lost connection has released its locks.
    await connection?.ask(UNLOCK, jobId).catch(() => undefined);
    await this.#forget(jobId);
  }

  async #forget(jobId: string): Promise<void> {
    this.#held.delete(jobId);
    if (this.#held.size > 0) return;
    const connection = this.#connection;
    this.#connection = undefined;
    (await connection?.catch(() => undefined))?.giveBack();
  }

  async #lock(jobId: string): Promise<boolean> {
    const connecting = (this.#connection ??= this.#connect());
    try {
      const connection = await connecting;
      return await connection.ask(LOCK, jobId);
    } catch (error) {
      if (this.#connection === connecting) this.#connection = undefined;
      void connecting.then((connection) => connection.giveBack()).catch(() => undefined);
      throw error;
    }
  }

  /** Tries until the job has its lock again or has ended: the pool may hand out more connections that are gone. */
  async #regain(jobId: string): Promise<void> {
    while (this.#held.has(jobId)) {
      if (await this.#lock(jobId).catch(() => false)) return;
      await sleep(REGAIN_MS);
    }
  }

  async #connect(): Promise<Connection> {
    const client = await this.#pool.connect();
    let ended = false;
    const end = (broken: boolean) => {
      if (ended) return;
      ended = true;
      client.off("error", onLoss);
      client.release(broken);
    };
    const onLoss = () => {
      end(true);
      this.#connection = undefined;
      // The store restarts while our jobs run on: take their locks again.
      for (const jobId of this.#held) void this.#regain(jobId);
    };
    client.on("error", onLoss);
    return { ask: oneAtATime(client), giveBack: () => end(false) };
  }
}

function oneAtATime(client: PoolClient): Connection["ask"] {
  let earlier: Promise<unknown> = Promise.resolve();
  return (sql, jobId) => {
    const answer = earlier.then(async () => {
      const { rows } = await client.query<{ done: boolean }>(sql, [jobId]);
      return rows[0]?.done === true;
    });
    earlier = answer.catch(() => undefined);
    return answer;
  };
}
