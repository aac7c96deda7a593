import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll } from "vitest";
import { freePort } from "../http/free-port.ts";
import { sleep } from "../supervise.ts";

export const NO_REDIS = "redis-server is not installed (Debian's package of this name); REDIS_PATH names another one";

/** A Redis of a test file's own, without persistence. */
export interface TestRedis {
  url: string;
  /** Ends it at once, without a word to its clients. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>;
}

/** Starts a Redis that ends after the file's last test; null if there is none to start. Debian's is installed if run as root. */
export async function testRedis(): Promise<TestRedis | null> {
  const path = findRedis();
  if (path === undefined) {
    process.stderr.write(`Skipped: ${NO_REDIS}.\n`);
    return null;
  }
  const dir = await mkdtemp(join(tmpdir(), "millrace-redis-"));
  const port = await freePort("127.0.0.1");
  let server: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir];
      server = spawn(path, options, { stdio: "ignore" });
      const until = Date.now() + 10_000;
      while (!(await answers(port))) {
        if (Date.now() > until) throw new Error("redis-server does not start");
        await sleep(20);
      }
    },
    async kill() {
      const ending = server;
      if (ending?.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      ending.kill("SIGKILL");
      await ended;
    },
  };
  await redis.start();
  afterAll(async () => {
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });
  return redis;
}

function findRedis(): string | undefined {
  const found = installedRedis();
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return found;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "redis-server"]])
    spawnSync("apt-get", args, { stdio: "ignore", env });
  return installedRedis();
}

function installedRedis(): string | undefined {
  const named = process.env["REDIS_PATH"];
  const folders = (process.env["PATH"] ?? "").split(delimiter).concat("/usr/bin", "/usr/local/bin");
  const places = ["redis-server", "valkey-server"].flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(named === undefined ? [] : [named]), ...places].find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}
