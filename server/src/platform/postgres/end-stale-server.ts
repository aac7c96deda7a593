import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LogLine } from "../supervise.ts";
import { sleep } from "../waiting.ts";

/**
 * Ends a PostgreSQL that has outlived a killed platform on this cluster. The caller holds the lock of the data
 * directory, so the server is orphaned. Uses the immediate shutdown: committed data is in the log and is recovered at
 * the next start.
 */
export async function endStaleServer(cluster: string, log: LogLine): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  const pid = Number.parseInt((await readFile(file, "utf8").catch(() => "")).split("\n")[0] ?? "", 10);
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (!(await runsOn(pid, cluster))) {
    // The number may belong to any process by now, and PostgreSQL would refuse to start while that one lives.
    await rm(file, { force: true });
    return;
  }
  log(`a PostgreSQL of an earlier start (process ${pid}) still runs on ${cluster}; it is ended`);
  for (const [signal, patienceMs] of [
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    kill(pid, signal);
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      if (!(await runsOn(pid, cluster))) return;
      await sleep(10);
    }
  }
}

/** Whether this process is a postgres of this cluster (its command line names the folder). */
async function runsOn(pid: number, cluster: string): Promise<boolean> {
  const words = await commandLine(pid);
  return words.some((word) => word.endsWith("postgres")) && words.includes(cluster);
}

async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === "linux") {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  }
  const { execFile } = await import("node:child_process");
  return new Promise((done) => {
    execFile("ps", ["-o", "command=", "-p", String(pid)], (error, text) =>
      done(error === null ? text.trim().split(" ") : []),
    );
  });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in between.
  }
}
