import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import PgBoss from "pg-boss";
import type { Registry } from "prom-client";
import type { z } from "zod";
import type { Log } from "../log.ts";
import { afterCommit } from "../postgres/in-transaction.ts";
import { retryOnConnectionLoss } from "../retry-on-connection-loss.ts";
import { inTime, sleep } from "../waiting.ts";
import { countFailures, rememberFailedSql } from "./failures.ts";
import { JobLocks } from "./job-locks.ts";
import { type JobOptions, type Queue, queueOf } from "./queue.ts";
import { Worker, fieldsOf } from "./worker.ts";

export interface SendOptions {
  startAfterSeconds?: number;
  /** The client of `inTransaction`: the job exists once that commits, and not if it rolls back. */
  client?: PoolClient;
}

/**
 * Background work that survives the process: a sent job runs until it succeeds or has failed too often, at least once,
 * and on one platform at a time. So `run` must be idempotent.
 */
export interface Jobs {
  /** Registers a kind of job, before `start`. Throws RangeError for a taken or invalid name. */
  define<T>(queue: string, schema: z.ZodType<T>, run: (data: T) => Promise<void>, options?: JobOptions): void;
  /**
   * Sends the same job at the start and then at an interval in seconds, as long as a platform runs. At most one is
   * waiting, however many platforms there are. Registered before `start`.
   */
  repeat(queue: string, data: object, everySeconds: number): void;
  /** Resolves when the job is stored. Throws TypeError for data of the wrong shape, which is not stored. */
  send(queue: string, data: object, options?: SendOptions): Promise<void>;
  start(): Promise<void>;
  /** Takes no new jobs, gives running ones `graceMs` to end, and leaves the rest to the next start. */
  stop(graceMs?: number): Promise<void>;
}

export interface JobsDeps {
  pool: Pool;
  log: Log;
  /** Whether jobs run here, and not only in other processes; they do unless told otherwise. */
  runs?: boolean;
  /** Where failures are counted. */
  metrics?: Registry;
  /**
   * Intervals: polling the queues, looking for abandoned jobs, and the time after which a job without a runner is
   * abandoned.
   */
  timing?: { pollMs?: number; superviseSeconds?: number; abandonedAfterSeconds?: number };
}

const SCHEMA = "pgboss";
const CREATING = "creating queues";
const GRACE_MS = 10_000;

/** A condition in SQL: a job of the queue that has not ended holds the data that the SQL expression `data` gives. */
export const hasJobSql = (queue: string, data: string): string => `EXISTS (
  SELECT FROM ${SCHEMA}.job j WHERE j.name = '${queue}' AND j.state IN ('created', 'retry', 'active') AND j.data @> ${data})`;

/** Jobs in the platform's PostgreSQL, in a separate schema. */
export function openJobs({ pool, log, runs = true, metrics, timing = {} }: JobsDeps): Jobs {
  const { pollMs = 2000, superviseSeconds = 15, abandonedAfterSeconds = 10 } = timing;
  const queues = new Map<string, Queue>();
  const locks = new JobLocks(pool);
  const noteFailure = countFailures(runs ? metrics : undefined);
  const db: PgBoss.Db = {
    // Every statement here may be sent twice: jobs have ids.
    executeSql: (text, values) => retryOnConnectionLoss(() => pool.query(text, values), { deadlineMs: 5000 }),
  };
  const boss = new PgBoss({
    db,
    schema: SCHEMA,
    schedule: false,
    supervise: runs,
    maintenanceIntervalSeconds: superviseSeconds,
    archiveCompletedAfterSeconds: 3600,
    deleteAfterHours: 24,
  });
  boss.on("error", (error) => log.warn({ err: error }, "job maintenance failed"));
  boss.on("maintenance", () => void recover());

  const repeated: { queue: string; data: object; everySeconds: number }[] = [];
  const timers: NodeJS.Timeout[] = [];
  const workers: Worker[] = [];
  let working: Promise<unknown> = Promise.resolve();
  let state: "new" | "started" | "stopped" = "new";

  function queueNamed(name: string): Queue {
    const queue = queues.get(name);
    if (!queue) throw new RangeError(`There is no queue "${name}"`);
    return queue;
  }

  async function add(
    queue: Queue,
    id: string,
    data: object,
    options: SendOptions & { singletonKey?: string },
  ): Promise<void> {
    const { startAfterSeconds, client, singletonKey = id } = options;
    const read = queue.schema.safeParse(data);
    if (!read.success) throw new TypeError(`Wrong data for a job of ${queue.name}: ${fieldsOf(read.error).join(", ")}`);
    await boss.send(queue.name, data, {
      id,
      // A queue keeps one waiting job per key. Each job has its own key, except repeated jobs, which share one.
      singletonKey,
      retryLimit: queue.retryLimit,
      retryDelay: queue.retryDelaySeconds,
      retryBackoff: true,
      // Later than the worker's own limit, which has more context.
      expireInSeconds: queue.expireInSeconds + 60,
      ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
      ...(client && { db: { executeSql: (text, values) => client.query(text, values) } }),
    });
    if (startAfterSeconds !== undefined) return;
    if (client) afterCommit(client, () => queue.bell.ring());
    else queue.bell.ring();
  }

  /** An unreachable store misses one round. */
  async function sendRepeated({ queue, data }: { queue: string; data: object }): Promise<void> {
    try {
      await add(queueNamed(queue), randomUUID(), data, { singletonKey: "repeated" });
    } catch (error) {
      if (state === "started") log.warn({ err: error, queue }, "a repeated job could not be sent");
    }
  }

  async function missingQueues(): Promise<string[]> {
    const known = new Set((await boss.getQueues()).map(({ name }) => name));
    return [...queues.keys()].filter((name) => !known.has(name));
  }

  async function createQueues(): Promise<void> {
    if ((await missingQueues()).length === 0) return;
    // Concurrent creations of queues would deadlock on each other's tables.
    while (!(await locks.take(CREATING))) await sleep(25);
    try {
      for (const name of await missingQueues()) await boss.createQueue(name, { name, policy: "short" });
    } finally {
      await locks.release(CREATING);
    }
  }

  /** Runs jobs again whose platform died; those that died too often fail and are logged. */
  async function recover(): Promise<void> {
    try {
      const failed = await pool.query<{ id: string; name: string }>(
        rememberFailedSql(`DELETE FROM ${SCHEMA}.job WHERE state = 'failed' RETURNING id, name`),
      );
      for (const { id, name } of failed.rows) {
        noteFailure(name, "given_up");
        log.error({ queue: name, job: id }, "a job failed permanently");
      }
      const active = await pool.query<{ id: string; name: string }>(
        `SELECT id, name FROM ${SCHEMA}.job WHERE state = 'active' AND started_on < now() - $1 * interval '1 second'`,
        [abandonedAfterSeconds],
      );
      for (const { id, name } of active.rows) {
        if (!(await locks.take(id))) continue;
        try {
          // Its run may have ended since the jobs were listed.
          const still = await pool.query(`SELECT FROM ${SCHEMA}.job WHERE id = $1 AND state = 'active'`, [id]);
          if (still.rowCount === 0) continue;
          log.warn({ queue: name, job: id }, "retrying a job whose platform ended");
          await boss.fail(name, id, { message: "its platform ended" });
        } finally {
          await locks.release(id);
        }
      }
    } catch (error) {
      if (state === "started") log.warn({ err: error }, "looking for abandoned jobs failed");
    }
  }

  return {
    define(name, schema, run, options = {}) {
      if (state !== "new") throw new Error("Queues are defined before the start");
      if (queues.has(name)) throw new RangeError(`There are two queues "${name}"`);
      queues.set(name, queueOf(name, schema, run, options));
    },
    repeat(queue, data, everySeconds) {
      if (state !== "new") throw new Error("Repeated jobs are named before the start");
      repeated.push({ queue: queueNamed(queue).name, data, everySeconds });
    },
    async send(name, data, options = {}) {
      const queue = queueNamed(name);
      if (state === "new") throw new Error("Jobs are sent after the start");
      await add(queue, randomUUID(), data, options);
    },
    async start() {
      try {
        await boss.start();
        await createQueues();
      } catch (error) {
        await boss.stop({ graceful: false, close: false });
        throw error;
      }
      state = "started";
      if (!runs) return;
      for (const queue of queues.values()) {
        for (let nth = 0; nth < queue.concurrency; nth++)
          workers.push(new Worker({ boss, db, locks, log, noteFailure, pollMs }, queue));
      }
      working = Promise.all(workers.map((worker) => worker.work()));
      void recover();
      for (const job of repeated) {
        void sendRepeated(job);
        timers.push(setInterval(() => void sendRepeated(job), job.everySeconds * 1000).unref());
      }
    },
    async stop(graceMs = GRACE_MS) {
      if (state !== "started") return;
      state = "stopped";
      for (const timer of timers) clearInterval(timer);
      for (const worker of workers) worker.stop();
      await inTime(working, graceMs);
      const left = await Promise.allSettled(workers.map((worker) => worker.giveUp()));
      for (const { reason } of left.filter((one) => one.status === "rejected")) {
        log.warn({ err: reason as unknown }, "a job that did not end could not be released");
      }
      await boss.stop({ graceful: false, close: false });
    },
  };
}
