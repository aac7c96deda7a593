import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { testRedis } from "../../../platform/testing/test-redis.ts";
import { RedisBus } from "./process-bus.ts";

const server = await testRedis();
const LIMITS = { waitingChars: 20_000, chunkChars: 2000, streamBytes: 30_000 };

async function connection(): Promise<SharedRedis> {
  const redis = new SharedRedis({ url: server?.url ?? "", clock: { now: () => Date.now() }, log: silentLog });
  onTestFinished(() => redis.close());
  await redis.connect();
  return redis;
}

function busOn(redis: SharedRedis): RedisBus {
  const bus = new RedisBus(redis, silentLog, LIMITS);
  bus.start();
  onTestFinished(() => bus.stop());
  return bus;
}

/** What processes published, as Redis has it. */
async function partsIn(redis: SharedRedis): Promise<string[]> {
  const reader = redis.reader(1000);
  await reader.connect();
  const parts = await reader.xrange(redis.keyOf("messages"), "-", "+");
  reader.disconnect();
  return parts.map(([, fields]) => fields[3] ?? "");
}

const about = (nth: number) => ({ auctionId: `${nth}`, impId: "1", candidateId: "1", provider: "buyer" });

describe.skipIf(!server)("processes", () => {
  test("receive each other's messages, and not their own", async () => {
    const [one, two] = [busOn(await connection()), busOn(await connection())];
    const received: string[] = [];
    one.subscribe("resumed", ({ partnerId }) => received.push(`one ${partnerId}`));
    two.subscribe("resumed", ({ partnerId }) => received.push(`two ${partnerId}`));
    one.publish("resumed", { partnerId: "from one" });
    two.publish("resumed", { partnerId: "from two" });
    await expect.poll(() => received.toSorted()).toEqual(["one from two", "two from one"]);
  });

  test("receive the latest messages of an outage in small parts, and nothing about limits", async () => {
    const redis = await connection();
    const [one, two] = [busOn(redis), busOn(await connection())];
    const lost: number[] = [];
    let counted = 0;
    two.subscribe("lost", ({ auctionId }) => lost.push(Number(auctionId)));
    two.subscribe("counted", () => counted++);
    await server?.kill();
    for (let nth = 0; nth < 2000; nth++) {
      one.publish("lost", about(nth));
      if (nth > 1950) one.publish("counted", [[1, 1]]);
    }
    // A try fails meanwhile.
    await pause(100);
    await server?.start();
    await expect.poll(() => lost.at(-1)).toBe(1999);
    expect(lost).toEqual(Array.from(lost, (_, nth) => 2000 - lost.length + nth));
    expect(lost.length).toBeGreaterThan(100);
    expect(lost.length).toBeLessThan(400);
    expect(counted).toBe(0);
    const parts = await partsIn(redis);
    expect(parts.length).toBeGreaterThan(5);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(2200);
  });

  test("keep the latest messages in Redis, within a number of bytes", async () => {
    const redis = await connection();
    const one = busOn(redis);
    for (let round = 0; round < 5; round++) {
      for (let nth = 0; nth < 200; nth++) one.publish("lost", about(round * 200 + nth));
      await expect.poll(async () => (await partsIn(redis)).at(-1)).toContain(`"${round * 200 + 199}"`);
    }
    const bytes = (await partsIn(redis)).reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeLessThanOrEqual(LIMITS.streamBytes);
    expect(bytes).toBeGreaterThan(LIMITS.streamBytes / 2);
  });
});
