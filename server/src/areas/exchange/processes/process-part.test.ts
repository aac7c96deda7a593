import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { testRedis } from "../../../platform/testing/test-redis.ts";
import { ProcessPart } from "./process-part.ts";

const server = await testRedis();
const TIMES = { beatMs: 50, settleMs: 1000, goneMs: 2000 };
/** A prime number, which no number of processes divides. */
const WHOLE = 7;

async function startPart(name: string) {
  const redis = new SharedRedis({ url: server?.url ?? "", clock: { now: () => Date.now() }, log: silentLog });
  onTestFinished(() => redis.close());
  await redis.connect();
  const part = new ProcessPart({ redis, name, log: silentLog, times: TIMES });
  part.start();
  onTestFinished(() => part.stop());
  return { part, redis };
}

describe.skipIf(!server)("the parts of several processes", () => {
  test("are the whole in the end and never more, while processes start, stop and vanish", async () => {
    const parts: ProcessPart[] = [];
    const sum = () => parts.reduce((total, part) => total + part.of(WHOLE), 0);
    const seen = new Set<number>();
    const sampling = setInterval(() => seen.add(sum()), 5);
    onTestFinished(() => clearInterval(sampling));

    const one = await startPart("one");
    parts.push(one.part);
    expect(one.part.of(WHOLE)).toBe(0);
    async function inTheEnd(shares: number[]): Promise<void> {
      await expect.poll(() => parts.map((part) => part.of(WHOLE))).toEqual(shares);
    }
    await inTheEnd([7]);

    const two = await startPart("two");
    const three = await startPart("three");
    parts.push(two.part, three.part);
    // By name: one, three, two.
    await inTheEnd([2, 3, 2]);

    await two.part.stop();
    await inTheEnd([3, 0, 4]);

    // As after a kill: its part is taken over once it is known to be gone.
    three.redis.close();
    parts.pop();
    await pause(TIMES.settleMs);
    expect(sum()).toBeLessThan(WHOLE);
    await inTheEnd([7, 0]);
    expect(Math.max(...seen)).toBe(WHOLE);
  });

  test("stay as they are while Redis is away", async () => {
    const { part, redis } = await startPart("alone");
    await expect.poll(() => part.of(WHOLE)).toBe(WHOLE);
    redis.close();
    await pause(2 * TIMES.goneMs);
    expect(part.of(WHOLE)).toBe(WHOLE);
  });
});
