import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 15_000;
const OUTPUT_KEPT = 8_000;

/** A running platform in demo mode, on a data directory of its own. */
export interface Platform {
  url: string;
  /** Process id of the platform itself; its stores are children of it. */
  pid: number;
  password: string;
  /** The e-mail address that the demo's publisher signs in with. */
  publisher: string;
}

/** Starts the platform as `npm start` does; `stop` ends it and removes its data. */
export async function startPlatform(): Promise<{ platform: Platform; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "millrace-e2e-"));
  const port = await freePort();
  const password = "e2e-password";
  const child = spawn(process.execPath, ["tools/start.js"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: dataDir,
      MILLRACE_DEMO: "1",
      MILLRACE_DEMO_PASSWORD: password,
      DATABASE_URL: "",
      CLICKHOUSE_URL: "",
      PUBLIC_URL: "",
      LOG_LEVEL: "warn",
    },
  });
  const said = listen(child);
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await untilReady(url, child, said);
  } catch (error) {
    await stop();
    throw error;
  }
  return { platform: { url, pid: child.pid ?? 0, password, publisher: publisherOf(said()) }, stop };
}

/** Keeps the end of what the platform prints, for the error of a start that failed. */
function listen(child: ChildProcess): () => string {
  let text = "";
  const take = (chunk: Buffer) => (text = (text + chunk.toString()).slice(-OUTPUT_KEPT));
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  return () => text;
}

/** The start prints the demo's logins; the publisher's is the one that says so. */
function publisherOf(output: string): string {
  const email = output.match(/publisher\S*\s+(\S+@\S+)/i)?.[1] ?? output.match(/(\S*publisher\S*@\S+)/i)?.[1];
  if (email === undefined) throw new Error(`The start printed no login of a publisher:\n${output}`);
  return email;
}

async function untilReady(url: string, child: ChildProcess, said: () => string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`The platform ended with code ${child.exitCode}:\n${said()}`);
    const ready = await fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The platform was not ready within ${READY_WITHIN_MS / 1000} s:\n${said()}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}

/** Known before the start, because links and beacons carry the address. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
