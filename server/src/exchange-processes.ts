import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Counter, Gauge, type Registry } from "prom-client";
import type { ExchangeProcesses } from "./areas/exchange/index.ts";
import { ExchangeLock } from "./exchange-lock.ts";
import type { Clock } from "./platform/clock.ts";
import { errorMessage } from "./platform/error-message.ts";
import type { Check } from "./platform/http/health.ts";
import type { Log } from "./platform/log.ts";
import { SharedRedis } from "./platform/redis/shared-redis.ts";
import { StartError } from "./platform/start-error.ts";

/** In the folder of an exchange process's journal: the name that other processes know it by. */
export const NAME_FILE = "exchange-name";

interface Deps {
  postgresUrl: string;
  redisUrl: string | undefined;
  dataDir: string;
  flush(): Promise<void>;
  metrics: Registry;
  clock: Clock;
  log: Log;
  onLost(): void;
}

interface OpenProcesses {
  /** What this process shares with others; undefined if it is the only one. */
  shared: ExchangeProcesses | undefined;
  checks: Record<string, Check>;
  stop(): Promise<void>;
}

/**
 * Enters this exchange process beside others that share its Redis, or as the only one. Throws StartError if the others do
 * not allow it, or if Redis cannot be used.
 */
export async function exchangeProcesses(deps: Deps): Promise<OpenProcesses> {
  const { postgresUrl, redisUrl, dataDir, flush, metrics, clock, log, onLost } = deps;
  const lock = new ExchangeLock({ postgresUrl, isShared: redisUrl !== undefined, log, onLost });
  await lock.take();
  if (redisUrl === undefined) return { shared: undefined, checks: {}, stop: () => lock.release() };
  const redis = new SharedRedis({ url: redisUrl, clock, log });
  try {
    await redis.connect();
  } catch (error) {
    redis.close();
    await lock.release();
    throw new StartError(`The store at REDIS_URL cannot be used: ${errorMessage(error)}.`);
  }
  exposeRedis(metrics, redis);
  return {
    shared: { redis, name: await nameOf(dataDir), flush },
    checks: { redis: () => redis.check() },
    async stop() {
      redis.close();
      await lock.release();
    },
  };
}

/** A process is known by its journal, also after a restart. */
async function nameOf(dataDir: string): Promise<string> {
  const file = join(dataDir, NAME_FILE);
  const known = await readFile(file, "utf8").catch(() => "");
  if (known !== "") return known.trim();
  const name = randomUUID();
  await writeFile(file, `${name}\n`, { mode: 0o600, flush: true });
  return name;
}

function exposeRedis(metrics: Registry, redis: SharedRedis): void {
  metrics.registerMetric(
    new Gauge({
      name: "millrace_redis_up",
      help: "Whether what the exchange processes share can be used",
      registers: [],
      collect() {
        this.set(redis.epoch ? 1 : 0);
      },
    }),
  );
  metrics.registerMetric(
    new Counter({
      name: "millrace_redis_calls_total",
      help: "Calls to Redis, by how they ended",
      labelNames: ["result"],
      registers: [],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(redis.calls)) this.inc({ result }, count);
      },
    }),
  );
}
