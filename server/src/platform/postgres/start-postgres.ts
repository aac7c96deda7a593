import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pg from "pg";
import { openSocketDir } from "../data-dir.ts";
import { supervise, type LogLine } from "../supervise.ts";
import { sleep } from "../waiting.ts";
import { CONNECTIONS_PER_PROCESS } from "./connect-postgres.ts";
import { endStaleServer } from "./end-stale-server.ts";
import { findPostgresBinaries } from "./find-binaries.ts";
import { initCluster } from "./init-cluster.ts";
import { chooseRunAs } from "./run-as.ts";

export type StartPostgresOptions = {
  /** Its own folder, for example `data/postgres`. Exclusive: the caller holds the lock of `openDataDir`. */
  dir: string;
  log: LogLine;
  /** Platform processes that use it. */
  processes?: number;
  /** Off only in tests without crashes: commits then do not wait for the disk. */
  durable?: boolean;
};

/** A running embedded PostgreSQL. `url` stays valid across the child's restarts. */
export type EmbeddedPostgres = { url: string; stop: () => Promise<void> };

const database = "millrace";

/**
 * A guardian process between us and PostgreSQL, which does not watch its parent: a line on stdin requests a clean
 * shutdown, the end of stdin (our death) an immediate one. It exits with PostgreSQL's exit code.
 */
const guardian = `
exec 3<&0
"$@" 3<&- </dev/null &
pid=$!
( read -r line <&3 && { kill -INT $pid; read -r line <&3; }; kill -QUIT $pid ) &
watcher=$!
wait $pid
code=$?
kill $watcher 2>/dev/null
exit $code`;

/**
 * Starts the embedded PostgreSQL 18 as a supervised child and creates the database `millrace` if it is missing. It
 * listens only on a socket in a folder that only our user can enter. Throws StartError.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dir = resolve(options.dir);
  const binaries = findPostgresBinaries();
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  const runAs = await chooseRunAs(binaries.postgres, dir);
  const cluster = await initCluster(dir, binaries.initdb, runAs);
  const sockets = await openSocketDir(join(dir, "run"), ".s.PGSQL.5432.lock".length);
  await runAs.own(sockets);
  const command = [...runAs.prefix, binaries.postgres, "-D", cluster, ...serverSettings(sockets, options)];
  const url = (name: string): string => `postgresql://millrace@localhost/${name}?host=${encodeURIComponent(sockets)}`;

  const child = await supervise({
    name: "PostgreSQL",
    log,
    async spawn() {
      await endStaleServer(cluster, log);
      return spawn("/bin/sh", ["-c", guardian, "guardian", ...command], {
        stdio: ["pipe", "pipe", "pipe"],
        cwd: "/",
        uid: runAs.uid,
        gid: runAs.gid,
        // A separate process group: Ctrl-C in the terminal reaches only us, and we shut it down in order.
        detached: true,
        env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
      });
    },
    async ready(_child, died) {
      await listening(cluster, died);
      await ensureDatabase(url("postgres"), died);
    },
    askToStop: (running: ChildProcess) => running.stdin?.write("stop\n"),
  });
  return {
    url: url(database),
    async stop() {
      await child.stop();
      // If the guardian had to be killed, its server may still run.
      await endStaleServer(cluster, log);
    },
  };
}

/** For a few processes. */
const LEAST_CONNECTIONS = 100;

/** Sized for a machine with two cores, shared with the platform and the analytical store. */
function serverSettings(
  sockets: string,
  { processes = 1, durable = true }: Pick<StartPostgresOptions, "processes" | "durable">,
): string[] {
  const settings: Record<string, string> = {
    listen_addresses: "",
    unix_socket_directories: sockets,
    unix_socket_permissions: "0700",
    fsync: "on",
    synchronous_commit: "on",
    max_connections: String(Math.max(LEAST_CONNECTIONS, processes * CONNECTIONS_PER_PROCESS)),
    shared_buffers: "128MB",
    effective_cache_size: "1GB",
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    max_wal_size: "1GB",
    // It has no replicas.
    wal_level: "minimal",
    max_wal_senders: "0",
    max_parallel_workers: "2",
    max_parallel_workers_per_gather: "1",
    random_page_cost: "1.1",
    // Small containers have a /dev/shm of 64 MB.
    dynamic_shared_memory_type: "mmap",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    // No details, because they quote the refused row.
    log_error_verbosity: "terse",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * The server writes into its pid file when it takes connections; asking it earlier would fill its log with refusals.
 */
async function listening(cluster: string, died: AbortSignal): Promise<void> {
  while (!died.aborted) {
    const lines = (await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
    if (lines[7]?.trim() === "ready") return;
    await sleep(5, died);
  }
}

async function ensureDatabase(url: string, died: AbortSignal): Promise<void> {
  while (!died.aborted) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const found = await client.query("select 1 from pg_database where datname = $1", [database]);
      if (found.rowCount === 0) await client.query(`create database ${database}`);
      return;
    } catch {
      await sleep(10, died);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
