import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import { childEntry } from "../child-entry.ts";
import { openSocketDir } from "../data-dir.ts";
import { supervise, type LogLine } from "../supervise.ts";
import type { ChildOrder } from "./child/main.ts";

export type StartChdbOptions = {
  /** The store's own folder, for example `data/clickhouse`. Only one process may open it: hold the lock of `openDataDir`. */
  dir: string;
  log: LogLine;
  /** The number of concurrent writing statements, and of reading ones. */
  connections?: number;
  /** The largest body of an insert, after decompression. */
  maxBodyBytes?: number;
  /** The folder that `BACKUP` writes to and `RESTORE` reads from; without it, both are refused. */
  backupDir?: string;
  /** The built child, if it is not beside this file. */
  childFile?: string;
};

/** A running chDB. `url` is for `connectClickHouse` and stays valid when the child restarts. */
export type EmbeddedChdb = { url: string; pid: () => number | undefined; stop: () => Promise<void> };

const user = "millrace";
const socketName = "clickhouse.sock";
const ENTRY = childEntry(import.meta.url, { source: "child/main.ts", built: "chdb-child.js" });

/**
 * Starts the ClickHouse engine (chDB) as a supervised child. It speaks ClickHouse's HTTP interface on a socket that only
 * our user can reach, and expects a secret made at this start. Throws StartError.
 */
export async function startChdb(options: StartChdbOptions): Promise<EmbeddedChdb> {
  const { log, connections = 4, maxBodyBytes = 64 * 1024 * 1024, backupDir, childFile } = options;
  const dir = resolve(options.dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const socket = join(await openSocketDir(join(dir, "run"), socketName.length), socketName);
  const secret = randomBytes(24).toString("base64url");
  const order: ChildOrder = {
    kind: "start",
    path: join(dir, "store"),
    socket,
    user,
    secret,
    connections,
    maxBodyBytes,
    maxMemoryBytes: Math.min(4 * 1024 ** 3, Math.floor(totalmem() / 2)),
    ...(backupDir === undefined ? {} : { backupDir: resolve(backupDir) }),
  };
  const entry = childFile === undefined ? ENTRY : { file: childFile, execArgv: [] };
  const child = await supervise({
    name: "chDB",
    log,
    spawn() {
      const running = fork(entry.file, {
        execArgv: entry.execArgv,
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        detached: true,
        // A running query occupies a thread of node's pool, and files and gzip need some too.
        env: { PATH: process.env["PATH"], TZ: "UTC", UV_THREADPOOL_SIZE: String(2 * connections + 8) },
      });
      running.send(order);
      return running;
    },
    ready: (running) => new Promise((done) => running.once("message", () => done())),
    askToStop: (running: ChildProcess) => running.connected && running.send({ kind: "stop" } satisfies ChildOrder),
  });
  const url = `http://${user}:${secret}@localhost/millrace?socket=${encodeURIComponent(socket)}`;
  return { url, pid: child.pid, stop: child.stop };
}
