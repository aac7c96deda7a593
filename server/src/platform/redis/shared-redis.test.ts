import { afterEach, describe, expect, test } from "vitest";
import { silentLog } from "../log.ts";
import { freePort } from "../http/free-port.ts";
import { redisFirewall } from "../testing/start-firewall.ts";
import { NO_REDIS, testRedis } from "../testing/test-redis.ts";
import { SharedRedis } from "./shared-redis.ts";

const server = await testRedis();
const SET = { name: "setKey", lua: "return redis.call('SET', KEYS[2], ARGV[2], 'PX', 60000)" };
const open: SharedRedis[] = [];
afterEach(() => {
  for (const redis of open.splice(0)) redis.close();
});

function sharedRedis(url = server?.url): SharedRedis {
  if (url === undefined) throw new Error(NO_REDIS);
  const redis = new SharedRedis({ url, clock: { now: () => Date.now() }, log: silentLog });
  open.push(redis);
  return redis;
}

describe.skipIf(!server)("a Redis", () => {
  test.each(["volatile-lru", "allkeys-lfu"])("that evicts by %s is not used, and says why", async (policy) => {
    await server?.configure("maxmemory-policy", policy);
    const redis = sharedRedis();
    await expect(redis.connect()).rejects.toThrow(`its maxmemory-policy is ${policy} and must be noeviction`);
    expect(redis.epoch).toBeUndefined();
    await expect(redis.check()).rejects.toThrow("noeviction");
    await server?.configure("maxmemory-policy", "noeviction");
    await expect.poll(() => redis.check().then(() => "ok", String)).toBe("ok");
  });

  test("that is full is away", async () => {
    const redis = sharedRedis();
    await redis.connect();
    await server?.configure("maxmemory", "1");
    await expect(redis.run(SET, ["key"], ["value"])).rejects.toMatchObject({ code: "unavailable" });
    await server?.configure("maxmemory", "0");
    expect(await redis.run(SET, ["key"], ["value"])).toBe("OK");
  });

  test("that a connection has lost without a word is reached over another one within seconds", async () => {
    const between = await redisFirewall(server?.url ?? "", await freePort("127.0.0.1"));
    const redis = sharedRedis(between.url);
    await redis.connect();
    between.forget("kept");
    await expect(redis.run(SET, ["key"], ["value"])).rejects.toMatchObject({ code: "unavailable" });
    await expect.poll(() => redis.run(SET, ["key"], ["value"]).catch(String)).toBe("OK");
  });

  test("that was emptied begins an epoch, and nothing runs in the earlier one any more", async () => {
    const redis = sharedRedis();
    await redis.connect();
    const earlier = redis.epoch;
    await server?.clear();
    await expect(redis.run(SET, ["key"], ["value"])).rejects.toMatchObject({ code: "unavailable" });
    await expect.poll(() => redis.epoch?.id ?? earlier?.id).not.toBe(earlier?.id);
    await expect(redis.run(SET, ["key"], ["value"], earlier)).rejects.toMatchObject({ code: "unavailable" });
    expect(await redis.run(SET, ["key"], ["value"], redis.epoch)).toBe("OK");
  });
});
