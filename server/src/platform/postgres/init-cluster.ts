import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { StartError } from "../start-error.ts";
import type { RunAs } from "./run-as.ts";

const run = promisify(execFile);

/**
 * Makes the database cluster `dir/cluster` unless it is there: UTF8, locale C, superuser `millrace`. It is made beside
 * and renamed when whole, so that a kill in the middle leaves nothing that looks like a cluster. Returns its path.
 */
export async function initCluster(dir: string, initdb: string, runAs: RunAs): Promise<string> {
  const cluster = join(dir, "cluster");
  const leftovers = (await readdir(dir)).filter((name) => name.startsWith("cluster.new"));
  // The maker of a platform that was killed may be at it for another moment.
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
