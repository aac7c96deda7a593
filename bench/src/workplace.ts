import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Demand, type DemandKind, startDemand } from "./demand.ts";
import { makeApp, makePublisher } from "./partners.ts";
import { type PlatformProcess, startPlatform } from "./platform-process.ts";
import { type BenchStores, openStores } from "./stores.ts";

/** A platform on new stores, with one app and the benchmark's bidders. */
export interface Workplace {
  stores: BenchStores;
  platform: PlatformProcess;
  app: { id: number; uuid: string };
  demand: Demand;
  /** The login of the app's publisher. */
  signIn: { email: string; password: string };
}

export interface WorkplaceOptions {
  bidders: number;
  env?: Record<string, string>;
  /** How the app's partners are reached: the benchmark's bidders by default. */
  demand?: DemandKind;
}

/** Runs with new stores in a temporary folder, which is removed afterwards. */
export async function withStores<T>(run: (place: { dir: string; stores: BenchStores }) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "millrace-bench-"));
  try {
    const stores = await openStores(join(dir, "stores"));
    try {
      return await run({ dir, stores });
    } finally {
      await stores.stop();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Runs with a new workplace. */
export function inWorkplace<T>(
  { bidders: count, env = {}, demand: kind = "plain" }: WorkplaceOptions,
  work: (place: Workplace) => Promise<T>,
): Promise<T> {
  return withStores(async ({ dir, stores }) => {
    const { partners, env: demandEnv, stop, ...demand } = await startDemand(kind, count, dir);
    try {
      const { accountId, ...signIn } = await makePublisher(stores.pool);
      const app = await makeApp(stores.pool, accountId, partners);
      const platform = await startPlatform({
        dataDir: join(dir, "data"),
        env: { ...stores.env, ...demandEnv, ...env },
        nodeArgs: (process.env["BENCH_NODE_ARGS"] ?? "").split(" ").filter(Boolean),
      });
      try {
        return await work({ stores, platform, app, demand, signIn });
      } finally {
        await platform.stop();
      }
    } finally {
      await stop();
    }
  });
}
