import { randomBytes } from "node:crypto";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach } from "vitest";
import type { TestStores } from "../platform/testing/stores.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Starts platforms as commands, which share stores and a secret, have a folder each, and end with their test. */
export async function millraceCommands(stores: TestStores) {
  const secret = randomBytes(24).toString("hex");
  const dir = await mkdtemp(join(tmpdir(), "millrace-commands-"));
  const running = new Set<ChildProcess>();
  afterEach(async () => {
    for (const child of running) {
      child.kill("SIGKILL");
      await once(child, "exit").catch(() => undefined);
    }
    running.clear();
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  const dirOf = (folder: string) => join(dir, folder);

  function start(folder: string, args: string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, ["--import", "tsx", MAIN, "start", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        PORT: "0",
        DATA_DIR: dirOf(folder),
        DATABASE_URL: stores.pg.url,
        CLICKHOUSE_URL: stores.clickhouse.url,
        MILLRACE_SECRET: secret,
        LOG_LEVEL: "warn",
        ...env,
      },
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    const text = { out: "", err: "" };
    child.stdout.on("data", (chunk: Buffer) => (text.out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text.err += chunk.toString()));
    return {
      child,
      text,
      async ended(): Promise<string> {
        if (child.exitCode === null) await once(child, "exit");
        return text.err;
      },
      async ready(): Promise<string> {
        while (child.exitCode === null) {
          const address = /^ready (\S+) /m.exec(text.out)?.[1];
          if (address !== undefined) return address;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error(`It ended before it was ready: ${text.err}`);
      },
      async stop(): Promise<number | null> {
        child.kill("SIGTERM");
        await once(child, "exit");
        return child.exitCode;
      },
    };
  }
  return { start, dirOf, secret };
}
