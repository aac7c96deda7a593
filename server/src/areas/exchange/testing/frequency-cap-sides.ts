import type { FrequencyCap } from "@millrace/contract";
import { afterAll } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { NO_REDIS, testRedis } from "../../../platform/testing/test-redis.ts";
import {
  type CampaignImpression,
  type FrequencyCaps,
  MemoryFrequencyCaps,
  type ReadImpressions,
} from "../campaigns/frequency-caps.ts";
import { RedisFrequencyCaps } from "../campaigns/redis-frequency-caps.ts";

export const NOON = Date.parse("2026-03-10T12:00:00Z");
export const LIFE_MS = 30 * 60_000;
export const cap = (impressions: number, per: "user" | "all", period: "day" | "hour"): FrequencyCap => ({
  impressions,
  per,
  period,
});
/** On a busy machine, an answer that comes late must not look like a cap. */
const PATIENT_MS = 10_000;
export const ONE_A_DAY = [cap(1, "user", "day")];

/** Reads a list like a store. */
export const readingFrom = (stored: readonly CampaignImpression[]): ReadImpressions =>
  async function* (campaignIds, sinceMs) {
    for (const row of stored) if (campaignIds.includes(row.campaignId) && row.atMs >= sinceMs) yield row;
  };

export const memoryCaps = async (): Promise<FrequencyCaps> => new MemoryFrequencyCaps();

export async function reserve(caps: FrequencyCaps, ...args: Parameters<FrequencyCaps["reserve"]>) {
  const hold = caps.reserve(...args);
  const refused = hold && (await caps.confirm([hold]));
  return hold && refused?.has(hold) === true ? null : hold;
}

/** Both sides, the one in Redis on a server for this test file; without Redis, the one in memory. */
export async function frequencyCapSides() {
  const server = await testRedis();
  const open: SharedRedis[] = [];
  afterAll(() => {
    for (const redis of open) redis.close();
  });

  /** Caps of a process; those of one name share them. Each new name is a Redis that knows nothing. */
  const redisCaps = async (
    name = `caps ${open.length}`,
    times: { readingMs?: number } = {},
  ): Promise<FrequencyCaps> => {
    if (!server) throw new Error(NO_REDIS);
    const redis = new SharedRedis({ url: server.url, clock: { now: () => NOON }, log: silentLog, prefix: `${name}:` });
    open.push(redis);
    await redis.connect();
    const everyoneShipped = async () => undefined;
    return new RedisFrequencyCaps({ redis, everyoneShipped, fullMs: 0, confirmMs: PATIENT_MS, ...times });
  };

  /** The sides, with how many random runs each is worth. */
  const SIDES = (
    [
      ["in memory", memoryCaps, 400],
      ["in Redis", redisCaps, 15],
    ] as const
  ).slice(0, server ? 2 : 1);
  return { server, redisCaps, SIDES };
}
