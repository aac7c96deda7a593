import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, startChild } from "./child.ts";
import { makeApp, makePublisher } from "./partners.ts";
import { type PlatformProcess, startPlatform } from "./platform-process.ts";
import { type BenchStores, openStores } from "./stores.ts";

/** A platform on new stores, with one app that is sold to bidders of the bench. */
export interface Workplace {
  stores: BenchStores;
  platform: PlatformProcess;
  app: { id: number; uuid: string };
  bidders: Child<{ ports: number[] }>;
  /** Of the publisher who owns the app. */
  signIn: { email: string; password: string };
}

export interface WorkplaceOptions {
  bidders: number;
  env?: Record<string, string>;
}

/** Sets a workplace up, works in it, and clears it away. */
export async function inWorkplace<T>(
  { bidders: count, env = {} }: WorkplaceOptions,
  work: (place: Workplace) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "millrace-bench-"));
  const bidders = await startChild<{ ports: number[] }>("./bidders.ts", [String(count)]);
  const stores = await openStores(join(dir, "stores"));
  try {
    const { accountId, ...signIn } = await makePublisher(stores.pool);
    const app = await makeApp(stores.pool, accountId, bidders.hello.ports);
    const platform = await startPlatform({
      dataDir: join(dir, "data"),
      env: { ...stores.env, ...env },
      nodeArgs: (process.env["BENCH_NODE_ARGS"] ?? "").split(" ").filter(Boolean),
    });
    try {
      return await work({ stores, platform, app, bidders, signIn });
    } finally {
      await platform.stop();
    }
  } finally {
    await stores.stop();
    await bidders.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
