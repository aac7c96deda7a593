import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY_WITHIN_MS = 240_000;
const STOP_WITHIN_MS = 60_000;
const OUTPUT_KEPT = 8_000;

/** A running platform in demo mode, on a data directory of its own. */
export interface Platform {
  url: string;
  /** Process id of the platform itself; its stores are children of it. */
  pid: number;
  password: string;
  /** The e-mail address that the demo's publisher signs in with. */
  publisher: string;
  /** Where its mails become files. */
  mailDir: string;
  /** The address of its mailbox, with the key. */
  mailbox: string;
}

/** Starts the platform as `npm start` does, with more settings; `stop` ends it and removes its data. */
export async function startPlatform(
  settings: Record<string, string> = {},
): Promise<{ platform: Platform; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "millrace-e2e-"));
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
      // All tests share a machine and a few logins: each visitor's header names an address of its own.
      CALLS_PER_MINUTE: "100000",
      TRUSTED_PROXIES: "1",
      SMTP_URL: "",
      OPERATOR_EMAIL: "support@example.com",
      ...settings,
    },
  });
  const said = listen(child);
  const stop = async () => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await untilReady(child, said);
    const url = found(said(), /^ready (\S+)/m);
    const publisher = found(said(), /^ *publisher +(\S+@\S+)/im);
    const mailbox = found(said(), /^ *Mails +(\S+)/m);
    const mailDir = path.join(dataDir, "mail");
    return { platform: { url, pid: child.pid ?? 0, password, publisher, mailDir, mailbox }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Keeps the end of what the platform prints, for the error of a start that failed. */
function listen(child: ChildProcess): () => string {
  let text = "";
  const take = (chunk: Buffer) => (text = (text + chunk.toString()).slice(-OUTPUT_KEPT));
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  return () => text;
}

/** What the start prints of itself, for programs that wait for it. */
function found(output: string, pattern: RegExp): string {
  const text = output.match(pattern)?.[1];
  if (text === undefined) throw new Error(`The start printed nothing like ${pattern}:\n${output}`);
  return text;
}

async function untilReady(child: ChildProcess, said: () => string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (!/^ready [\s\S]*\n\n/m.test(said())) {
    if (child.exitCode !== null) throw new Error(`The platform ended with code ${child.exitCode}:\n${said()}`);
    if (Date.now() > until) throw new Error(`Not ready within ${READY_WITHIN_MS / 1000} s:\n${said()}`);
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
