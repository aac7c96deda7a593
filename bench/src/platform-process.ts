import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { NODE_ARGS } from "./child.ts";

const MAIN = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));

/** The platform as an operator starts it, in its own process. */
export interface PlatformProcess {
  pid: number;
  url: string;
  port: number;
  /** The time from the start of the process to its `ready` line. */
  readyMs: number;
  /** Shuts it down with SIGTERM. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

export interface PlatformOptions {
  dataDir: string;
  env?: Record<string, string>;
  /** Options for node, such as a profiler's. */
  nodeArgs?: readonly string[];
}

/** Starts the built platform without its demo and waits for `ready`. */
export async function startPlatform({ dataDir, env = {}, nodeArgs = [] }: PlatformOptions): Promise<PlatformProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...NODE_ARGS, ...nodeArgs, MAIN], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      MILLRACE_DEMO: "0",
      LOG_LEVEL: "warn",
      // All measured calls are made by one session.
      CALLS_PER_MINUTE: "10000000",
      // The load sends an address for each device, as an operator's proxy does.
      TRUSTED_PROXIES: "1",
      DATA_DIR: dataDir,
      ...env,
    },
  });
  // The platform must not outlive the benchmark.
  const killWithParent = () => child.kill("SIGKILL");
  process.once("exit", killWithParent);
  child.once("exit", () => process.off("exit", killWithParent));
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
    child.once("exit", (code) => reject(new Error(`the platform exited with ${code} before it was ready`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = /^ready (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
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
