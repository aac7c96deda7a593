import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { StartError } from "../start-error.ts";
import type { RunAs } from "./run-as.ts";

const run = promisify(execFile);

/**
 * Creates the database cluster `dir/cluster` if it is missing: UTF8, locale C, superuser `millrace`. It is created
 * under another name and renamed when complete, so that a kill leaves no partial cluster. Returns its path.
 */
export async function initCluster(dir: string, initdb: string, runAs: RunAs): Promise<string> {
  const cluster = join(dir, "cluster");
  const leftovers = (await readdir(dir)).filter((name) => name.startsWith("cluster.new"));
  // A killed platform's initdb may still be running for a moment.
  const patiently = { recursive: true, force: true, maxRetries: 50, retryDelay: 20 };
  await Promise.all(leftovers.map((name) => rm(join(dir, name), patiently)));
  if (await stat(cluster).then(Boolean, () => false)) return cluster;

  const fresh = join(dir, `cluster.new-${process.pid}`);
  await mkdir(fresh, { mode: 0o700 });
  await runAs.own(fresh);
  const words = [...runAs.prefix, initdb, "--pgdata", fresh, "--username=millrace", "--auth=trust"];
  const [command, ...args] = [...words, "--encoding=UTF8", "--locale=C"];
  try {
    await run(command, args, {
      uid: runAs.uid,
      gid: runAs.gid,
      cwd: "/",
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
    });
  } catch (error) {
    const stderr = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new StartError(`PostgreSQL could not make its files in ${dir}: ${stderr.split("\n").slice(-3).join(" ")}`);
  }
  await rename(fresh, cluster);
  return cluster;
}
