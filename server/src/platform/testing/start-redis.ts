import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../http/free-port.ts";
import { sleep } from "../waiting.ts";

/** A Redis of its own, without persistence. */
export interface TestRedis {
  url: string;
  /** Ends it at once, without a word to its clients. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>;
  /** Lets every command wait for so long. */
  pause(ms: number): Promise<void>;
  configure(setting: string, value: string): Promise<void>;
  /** Deletes all keys. */
  clear(): Promise<void>;
}

/** Starts a Redis without persistence, from the path of its program. */
export async function startRedis(path: string): Promise<TestRedis & { stop(): Promise<void> }> {
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
    pause: (ms) => command(port, `CLIENT PAUSE ${ms} ALL`),
    configure: (setting, value) => command(port, `CONFIG SET ${setting} ${value}`),
    clear: () => command(port, "FLUSHALL"),
    async kill() {
      const ending = server;
      if (ending?.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      ending.kill("SIGKILL");
      await ended;
    },
  };
  await redis.start();
  return {
    ...redis,
    async stop() {
      await redis.kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

/** Runs an inline command. */
function command(port: number, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, "127.0.0.1", () => socket.write(`${text}\r\n`));
    socket.once("error", reject);
    socket.once("data", (answer) => {
      socket.destroy();
      if (answer.toString().startsWith("+OK")) resolve();
      else reject(new Error(answer.toString()));
    });
  });
}
