import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach } from "vitest";

const MILLRACE = fileURLToPath(new URL("../../../tools/start.js", import.meta.url));

/**
 * Runs commands of the built `millrace`, because loading the source takes several times as long. Each command gets the settings
 * and the named data folder, and ends with its test.
 */
export async function millraceCommands(settings: Record<string, string>) {
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

  function run(folder: string, args: string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [MILLRACE, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        PORT: "0",
        DATA_DIR: dirOf(folder),
        LOG_LEVEL: "warn",
        ...settings,
        ...env,
      },
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    const text = { out: "", err: "" };
    child.stdout.on("data", (chunk: Buffer) => (text.out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text.err += chunk.toString()));
    // Later than the exit: all that it has written is read by then.
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    /** Waits for its end, and returns its exit code. */
    const ended = () => closed;
    return {
      child,
      text,
      ended,
      /** Waits until the platform is ready, and returns its address. */
      async ready(): Promise<string> {
        while (child.exitCode === null) {
          const address = /^ready (\S+) /m.exec(text.out)?.[1];
          if (address !== undefined) return address;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error(`It ended before it was ready: ${text.err}`);
      },
      stop(): Promise<number | null> {
        child.kill("SIGTERM");
        return ended();
      },
    };
  }
  return { run, dirOf };
}
