import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));

/** The platform as it is started by an operator, in a process of its own. */
export interface PlatformProcess {
  pid: number;
  url: string;
  port: number;
  /** From the start of the process to its `ready` line. */
  readyMs: number;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
}

export interface PlatformOptions {
  dataDir: string;
  env?: Record<string, string>;
  /** Options of node itself, for a profile. */
  nodeArgs?: readonly string[];
}

/** Starts the built platform without its demo and waits for `ready`. */
export async function startPlatform({ dataDir, env = {}, nodeArgs = [] }: PlatformOptions): Promise<PlatformProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, MAIN], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      MILLRACE_DEMO: "0",
      LOG_LEVEL: "warn",
      // One session makes all the calls that are measured.
      CALLS_PER_MINUTE: "10000000",
      // The load names an address for each of many devices, as a proxy of the operator does.
      TRUSTED_PROXIES: "1",
      DATA_DIR: dataDir,
      ...env,
    },
  });
  // Whatever ends the bench ends what it has started.
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  const url = await readyUrl(child);
  return {
    pid: child.pid ?? 0,
    url,
    port: Number(new URL(url).port),
    readyMs: performance.now() - startedAt,
    stop: () => end(child, "SIGTERM"),
    kill: () => end(child, "SIGKILL"),
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) throw new Error("the platform's output is not piped");
    child.once("exit", (code) => reject(new Error(`the platform ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = /^ready (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
      // Its log goes to its output too.
      else if (line.startsWith("{")) process.stderr.write(`platform: ${line}\n`);
    });
  });
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}
