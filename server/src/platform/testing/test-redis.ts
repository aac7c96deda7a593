import { afterAll } from "vitest";
import { installedRedis } from "./find-redis.ts";
import { startRedis, type TestRedis } from "./start-redis.ts";

export const NO_REDIS = "redis-server is not installed (Debian's package of this name); REDIS_PATH names another one";

/** Starts a Redis that ends after the file's last test. Null if none is installed: then its tests are skipped, and counted as that. */
export async function testRedis(): Promise<TestRedis | null> {
  const path = installedRedis();
  if (path === undefined) {
    process.stderr.write(`Skipped: ${NO_REDIS}.\n`);
    return null;
  }
  const { stop, ...redis } = await startRedis(path);
  afterAll(stop);
  return redis;
}
