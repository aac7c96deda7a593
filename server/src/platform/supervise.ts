import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { errorMessage } from "./error-message.ts";
import { StartError } from "./start-error.ts";
import { sleep } from "./waiting.ts";

/** Receives one line without its newline. */
export type LogLine = (line: string) => void;

export type SuperviseOptions = {
  /** The child's name in logs and errors, for example "PostgreSQL". */
  name: string;
  /** Starts the child. Its stdin must be a pipe: the child ends itself when that closes, so it never outlives us. */
  spawn: () => ChildProcess | Promise<ChildProcess>;
  /** Settles when the child serves; polled or awaited after every start, and abandoned when the child dies first. */
  ready: (child: ChildProcess, died: AbortSignal) => Promise<void>;
  /** Asks a running child to end by itself; it is killed after `stopTimeoutMs`. */
  askToStop: (child: ChildProcess) => void;
  log: LogLine;
  readyTimeoutMs?: number;
  stopTimeoutMs?: number;
};

export type Supervised = {
  /** The child's process id, undefined between a death and the next start. */
  pid: () => number | undefined;
  /** Ends the child and does not start it again. */
  stop: () => Promise<void>;
};

const FIRST_BACKOFF_MS = 20;
const LONGEST_BACKOFF_MS = 5_000;
/** A child that lived this long counts as healthy: its next death resets the backoff. */
const HEALTHY_AFTER_MS = 10_000;
const KEPT_LINES = 12;

type Life = { child: ChildProcess; startedAt: number; ended: Promise<string>; died: AbortSignal; lines: string[] };

/**
 * Starts a child process, waits until it is ready, and starts it again with a growing pause whenever it dies, until
 * `stop`. Throws StartError, with the child's last output, when the first start fails.
 */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const { name, log, readyTimeoutMs = 60_000, stopTimeoutMs = 10_000 } = options;
  let stopping = false;
  let current: Life | undefined;
  let wake = (): void => undefined;

  async function bringUp(): Promise<Life> {
    const life = begin(name, await options.spawn(), log);
    current = life;
    const outcome = await Promise.race([
      options.ready(life.child, life.died).then(() => undefined, errorMessage),
      life.ended,
      sleep(readyTimeoutMs, life.died).then(() => `not ready after ${readyTimeoutMs / 1000} s`),
    ]);
    if (outcome === undefined) return life;
    life.child.kill("SIGKILL");
    await life.ended;
    current = undefined;
    throw new StartError(`${name} did not start (${outcome}). Its last output: ${life.lines.join(" | ") || "none"}`);
  }

  async function keepAlive(first: Life): Promise<void> {
    let life: Life | undefined = first;
    let backoffMs = FIRST_BACKOFF_MS;
    while (!stopping) {
      if (life !== undefined) {
        const how: string = await life.ended;
        current = undefined;
        if (stopping) return;
        if (performance.now() - life.startedAt > HEALTHY_AFTER_MS) backoffMs = FIRST_BACKOFF_MS;
        log(`${name} ended unexpectedly (${how}); restarting it in ${backoffMs} ms`);
      }
      await Promise.race([sleep(backoffMs), new Promise<void>((done) => (wake = done))]);
      if (stopping) return;
      backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
      life = await bringUp().catch((error: unknown) => {
        log(errorMessage(error));
        return undefined;
      });
    }
    // `stop` came while the child was starting.
    life?.child.kill("SIGKILL");
    await life?.ended;
  }

  const watching = keepAlive(await bringUp());
  return {
    pid: () => current?.child.pid,
    async stop() {
      stopping = true;
      wake();
      const life = current;
      if (life !== undefined) {
        options.askToStop(life.child);
        await Promise.race([life.ended, sleep(stopTimeoutMs, life.died)]);
        if (!life.died.aborted) log(`${name} did not end within ${stopTimeoutMs / 1000} s and is killed`);
        life.child.kill("SIGKILL");
        await life.ended;
      }
      await watching;
    },
  };
}

function begin(name: string, child: ChildProcess, log: LogLine): Life {
  const lines: string[] = [];
  const onLine = (line: string): void => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    log(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", onLine);
  }
  // A write to a child that has just died must not end the platform.
  child.stdin?.on("error", () => undefined);
  const death = new AbortController();
  const ended = new Promise<string>((done) => {
    const end = (how: string): void => {
      death.abort();
      done(how);
    };
    child.once("error", (error) => end(`${name} cannot be run: ${error.message}`));
    child.once("exit", (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  return { child, startedAt: performance.now(), ended, died: death.signal, lines };
}
