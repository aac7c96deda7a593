#!/usr/bin/env node
// `npm start` and the command `millrace`: builds what is missing or stale, then runs the platform in this same process, so
// that signals and the exit code pass through. Plain JavaScript, because nothing is compiled yet.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isUpToDate } from "./build/stamp.js";
import { TARGETS } from "./build/targets.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const main = join(root, "server/dist/main.js");

if (!TARGETS.every((target) => isUpToDate(root, target))) {
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const build = spawnSync(process.execPath, [tsx, join(root, "tools/build.ts")], { cwd: root, stdio: "inherit" });
  if (build.status !== 0) process.exit(build.status ?? 1);
}

process.argv[1] = main;
await import(pathToFileURL(main).href);
