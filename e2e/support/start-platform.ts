import { spawn, type ChildProcess } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeStoresDir } from "../../server/src/platform/testing/stores-dir.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY_WITHIN_MS = 240_000;
const STOP_WITHIN_MS = 60_000;
const OUTPUT_KEPT = 8_000;

/** A running platform in demo mode, with its own data directory. */
export interface Platform {
  url: string;
  /** The process id of the platform. Its stores are child processes. */
  pid: number;
  password: string;
  /** The e-mail address of the demo's publisher; empty without a demo. */
  publisher: string;
  /** The folder of the mailbox. */
  mailDir: string;
  /** The address of the demo's mailbox page, with its key; empty without a demo. */
  mailbox: string;
}

/** Starts the platform as `npm start` does, with additional settings. `stop` ends it and removes its data. */
export async function startPlatform(
  settings: Record<string, string> = {},
): Promise<{ platform: Platform; stop: () => Promise<void> }> {
  const dataDir = await makeStoresDir("millrace-e2e-");
  const password = "e2e-password";
  const child = spawn(process.execPath, ["tools/start.js"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: dataDir,
      MILLRACE_DEMO: "1",
      MILLRACE_DEMO_PASSWORD: password,
      DATABASE_URL: "",
      CLICKHOUSE_URL: "",
      PUBLIC_URL: "",
      LOG_LEVEL: "warn",
      // All tests share one machine and a few logins, so each visitor sends its own X-Forwarded-For.
      CALLS_PER_MINUTE: "100000",
      TRUSTED_PROXIES: "1",
      SMTP_URL: "",
      OPERATOR_EMAIL: "support@example.com",
      ...settings,
    },
  });
  const output = collectOutput(child);
  const stop = async () => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  // The demo's addresses and logins follow, up to an empty line.
  const isDemo = settings["MILLRACE_DEMO"] !== "0";
  try {
    await untilReady(child, output, isDemo ? /^ready [\s\S]*\n\n/m : /^ready .*\n/m);
    const url = valueIn(output(), /^ready (\S+)/m);
    const publisher = isDemo ? valueIn(output(), /^ *publisher +(\S+@\S+)/im) : "";
    const mailbox = isDemo ? valueIn(output(), /^ *Mails +(\S+)/m) : "";
    const mailDir = path.join(dataDir, "mail");
    return { platform: { url, pid: child.pid ?? 0, password, publisher, mailDir, mailbox }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Keeps the end of the platform's output, for the error message of a failed start. */
function collectOutput(child: ChildProcess): () => string {
  let text = "";
  const take = (chunk: Buffer) => (text = (text + chunk.toString()).slice(-OUTPUT_KEPT));
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  return () => text;
}

/** A value from the lines that the platform prints when it is ready. */
function valueIn(output: string, pattern: RegExp): string {
  const text = output.match(pattern)?.[1];
  if (text === undefined) throw new Error(`The platform's output does not match ${pattern}:\n${output}`);
  return text;
}

async function untilReady(child: ChildProcess, output: () => string, ready: RegExp): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (!ready.test(output())) {
    if (child.exitCode !== null) throw new Error(`The platform exited with code ${child.exitCode}:\n${output()}`);
    if (Date.now() > until) throw new Error(`Not ready within ${READY_WITHIN_MS / 1000} s:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}
