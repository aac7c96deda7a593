import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

// `npm run dev`: restarts the server when its code changes and hot-reloads the dashboard. Ctrl-C stops both.

const root = fileURLToPath(new URL("..", import.meta.url));
const host = process.env["HOST"] ?? "127.0.0.1";
const server = `http://${host}:${process.env["PORT"] ?? "8080"}`;
const START_TIMEOUT_MS = 120_000;

process.env["MILLRACE_SERVER"] = server;
// Vite starts first: a wrong configuration fails here, before the server runs.
const pages = await createServer({ root: `${root}web`, configFile: `${root}web/vite.config.ts`, server: { host } });

const tsx = fileURLToPath(new URL("../node_modules/tsx/dist/cli.mjs", import.meta.url));
const watcher = spawn(process.execPath, [tsx, "watch", "--clear-screen=false", "server/src/main.ts"], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"],
  // Its own process group, so that Ctrl-C reaches only this process: a second signal makes tsx abandon a stopping server.
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

/** Resolves once the server answers, so that the first page load does not hit a closed port. */
async function serverReady(): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!stopping && performance.now() < deadline) {
    const answer = await fetch(`${server}/readyz`).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

await serverReady();
await pages.listen();
console.log(
  `dashboard with live reload: ${pages.resolvedUrls?.local[0] ?? "unknown address"} (API calls go to ${server})`,
);
