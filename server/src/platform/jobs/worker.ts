import type PgBoss from "pg-boss";
import type { Log } from "../log.ts";
import { inTime } from "../waiting.ts";
import { type NoteFailure, rememberFailedSql } from "./failures.ts";
import type { JobLocks } from "./job-locks.ts";
import type { Queue } from "./queue.ts";

type FoundJob = PgBoss.JobWithMetadata;

interface WorkerDeps {
  boss: PgBoss;
  db: PgBoss.Db;
  locks: JobLocks;
  log: Log;
  noteFailure: NoteFailure;
  pollMs: number;
}

/** Takes jobs of a queue one after another until it is stopped. */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #queue: Queue;
  #stopping = false;
  #isUnreadable = false;
  #running: FoundJob | undefined;

  constructor(deps: WorkerDeps, queue: Queue) {
    this.#deps = deps;
    this.#queue = queue;
  }

  /** Resolves when the last job is done after `stop`. */
  async work(): Promise<void> {
    const { name, bell } = this.#queue;
    while (!this.#stopping) {
      const { rung } = bell;
      const job = await this.#next();
      if (!job) {
        await bell.wait(rung, this.#deps.pollMs);
        continue;
      }
      this.#running = job;
      try {
        await this.#take(job);
      } catch (error) {
        // The job's result could not be stored: it will be found without a runner and run again.
        this.#deps.log.error({ err: error, queue: name, job: job.id }, "the result of a job could not be stored");
      }
      this.#running = undefined;
    }
  }

  stop(): void {
    this.#stopping = true;
    this.#queue.bell.ring();
  }

  /** Releases a job that does not end. */
  async giveUp(): Promise<void> {
    const job = this.#running;
    if (!job) return;
    const { boss, log } = this.#deps;
    log.warn({ queue: job.name, job: job.id }, "releasing a job because the platform stops");
    await boss.fail(job.name, job.id, { message: "the platform stopped" });
    // The job is not at fault, so this try does not count.
    if (job.retryCount >= job.retryLimit) await boss.retry(job.name, job.id);
  }

  /** The queue's next job. None if the queue cannot be read, which is logged once; the next poll finds the jobs. */
  async #next(): Promise<FoundJob | undefined> {
    const { boss, db, log } = this.#deps;
    const { name } = this.#queue;
    let failure: unknown;
    // pg-boss takes any failure for an empty queue.
    const executeSql: PgBoss.Db["executeSql"] = (text, values) =>
      db.executeSql(text, values).catch((error: unknown) => {
        failure = error;
        throw error;
      });
    const [job] = await boss.fetch<object>(name, { includeMetadata: true, db: { executeSql } });
    const isUnreadable = failure !== undefined && !isTaken(failure);
    if (isUnreadable && !this.#isUnreadable)
      log.warn({ err: failure, queue: name }, "the jobs of a queue cannot be read, and wait");
    this.#isUnreadable = isUnreadable;
    return job;
  }

  async #take(job: FoundJob): Promise<void> {
    const { boss, locks, log } = this.#deps;
    const { name, schema } = this.#queue;
    const read = schema.safeParse(job.data);
    if (!read.success) {
      log.error({ queue: name, job: job.id, fields: fieldsOf(read.error) }, "a job with wrong data is dropped");
      await this.#giveUpOn(job);
      return;
    }
    if (!(await locks.take(job.id))) {
      await this.#fail(job, new Error("An earlier run of it has not ended yet"));
      return;
    }
    // A run that throws at once fails like any other.
    const run = new Promise<void>((resolve) => resolve(this.#queue.run(read.data)));
    const failure = await failureOf(run, this.#queue.expireInSeconds);
    try {
      if (failure) await this.#fail(job, failure.error);
      else await boss.deleteJob(name, job.id);
    } finally {
      // Another platform would take over a job without a lock, and run it again, while its result is not stored.
      const released = run.catch(() => undefined).then(() => locks.release(job.id));
      // A late run keeps the lock until it ends, and holds up no other job.
      if (failure?.isLate !== true) await released;
    }
  }

  async #fail(job: FoundJob, error: unknown): Promise<void> {
    const { boss, log, noteFailure } = this.#deps;
    const facts = { err: error, queue: job.name, job: job.id, tries: job.retryCount + 1 };
    if (job.retryCount < Math.min(job.retryLimit, this.#queue.retriesAfter(error))) {
      log.warn(facts, "a job failed and will be retried");
      noteFailure(job.name, "retried");
      await boss.fail(job.name, job.id, { message: "failed" });
    } else {
      log.error(facts, "a job failed permanently");
      await this.#giveUpOn(job);
    }
  }

  async #giveUpOn({ name, id }: FoundJob): Promise<void> {
    const { boss, db, noteFailure } = this.#deps;
    await db.executeSql(rememberFailedSql("SELECT $1::uuid AS id, $2::text AS name"), [id, name]);
    await boss.deleteJob(name, id);
    noteFailure(name, "given_up");
  }
}

const UNIQUE_VIOLATION = "23505";

/** Another worker was quicker. */
const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === UNIQUE_VIOLATION;

/** Why a run failed, or that it has exceeded its time limit; null if it succeeded. */
async function failureOf(run: Promise<void>, seconds: number): Promise<{ error: unknown; isLate: boolean } | null> {
  try {
    if (await inTime(run, seconds * 1000)) return null;
    return { error: new Error(`It took longer than ${seconds} s`), isLate: true };
  } catch (error) {
    return { error, isLate: false };
  }
}

/** The invalid fields, without their content. */
export const fieldsOf = (error: { issues: readonly { path: readonly PropertyKey[] }[] }): string[] =>
  error.issues.map(({ path }) => path.map(String).join("."));
