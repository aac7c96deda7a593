import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

// `npm run dev`: the server restarts when its code changes, the dashboard reloads in place. Ctrl-C ends both.

const root = fileURLToPath(new URL("..", import.meta.url));
const host = process.env["HOST"] ?? "127.0.0.1";
const server = `http://${host}:${process.env["PORT"] ?? "8080"}`;
const SLOWEST_START_MS = 120_000;

process.env["MILLRACE_SERVER"] = server;
// First, since it is what a wrong configuration would end.
const pages = await createServer({ root: `${root}web`, configFile: `${root}web/vite.config.ts`, server: { host } });

const tsx = fileURLToPath(new URL("../node_modules/tsx/dist/cli.mjs", import.meta.url));
const watcher = spawn(process.execPath, [tsx, "watch", "--clear-screen=false", "server/src/main.ts"], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"],
  // A group of its own: Ctrl-C comes to us alone, and a second signal would make it abandon the server it is ending.
  detached: true,
});
const ended = new Promise<void>((resolve) => watcher.once("exit", () => resolve()));
process.once("exit", () => watcher.kill("SIGTERM"));

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  end(watcher);
  await Promise.all([pages.close(), ended]);
  process.exit();
}
process.on("SIGINT", () => void stop());
process.on("SIGTERM", () => void stop());
process.on("SIGHUP", () => void stop());
void ended.then(stop);

function end(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
}

/** Resolves when the server answers, so that the first page does not meet a closed port. */
async function serverReady(): Promise<void> {
  const deadline = performance.now() + SLOWEST_START_MS;
  while (!stopping && performance.now() < deadline) {
    const answer = await fetch(`${server}/readyz`).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

await serverReady();
await pages.listen();
console.log(`dashboard with live reload on ${pages.resolvedUrls?.local[0] ?? "its port"}, calls go to ${server}`);
