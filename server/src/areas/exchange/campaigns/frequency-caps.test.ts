import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FrequencyCap } from "@millrace/contract";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import { describe, expect, test } from "vitest";
import {
  LIFE_MS,
  NOON,
  ONE_A_DAY,
  cap,
  frequencyCapSides,
  memoryCaps,
  readingFrom,
  reserve,
} from "../testing/frequency-cap-sides.ts";
import type { SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { RedisFrequencyCaps } from "./redis-frequency-caps.ts";
import type { CampaignImpression, FrequencyCaps, ReadImpressions } from "./frequency-caps.ts";

const { SIDES, redisCaps, server } = await frequencyCapSides();

/** Reads a campaign's earlier impressions. */
async function readInto(
  counted: FrequencyCaps,
  caps: readonly FrequencyCap[],
  stored: CampaignImpression[] = [],
  atMs = NOON,
) {
  expect(await reserve(counted, 7, caps, "1", atMs, atMs + LIFE_MS)).toBeNull();
  await counted.restore(readingFrom(stored), atMs);
  return counted;
}

/** In memory, those that have read a campaign's earlier impressions. */
const readCaps = async (...args: [readonly FrequencyCap[], CampaignImpression[]?, number?]) =>
  readInto(await memoryCaps(), ...args);

describe.each(SIDES)("%s", (_, start) => {
  test("an ad that was returned takes a place until it is shown, released or expired", async () => {
    const caps = await readInto(await start(), ONE_A_DAY);
    const first = await reserve(caps, 7, ONE_A_DAY, "1", NOON, NOON + LIFE_MS);
    expect(first).toEqual({ campaignId: 7, device: "1", expiresAtMs: NOON + LIFE_MS });
    expect(await reserve(caps, 7, ONE_A_DAY, "1", NOON + 1, NOON + 1 + LIFE_MS)).toBeNull();
    expect(await reserve(caps, 7, ONE_A_DAY, "2", NOON + 1, NOON + 1 + LIFE_MS)).not.toBeNull();
    caps.release(first!);
    expect(await reserve(caps, 7, ONE_A_DAY, "1", NOON + 2, NOON + 2 + LIFE_MS)).not.toBeNull();
    const expired = NOON + 2 + LIFE_MS;
    const last = await reserve(caps, 7, ONE_A_DAY, "1", expired, expired + LIFE_MS);
    expect(await caps.shown(last!, ONE_A_DAY, expired + 1)).toBe(true);
    expect(await reserve(caps, 7, ONE_A_DAY, "1", expired + 2, expired + 2 + LIFE_MS)).toBeNull();
  });

  test("an impression over a cap is refused, although its ad was returned by a process that is gone", async () => {
    const caps = await readInto(await start(), ONE_A_DAY, [{ campaignId: 7, device: "1", atMs: NOON - HOUR_MS }]);
    const lost = { campaignId: 7, device: "1", expiresAtMs: NOON + 60_000 };
    expect(await caps.shown(lost, ONE_A_DAY, NOON + 1)).toBe(false);
    expect(await caps.shown({ ...lost, device: "2" }, ONE_A_DAY, NOON + 1)).toBe(true);
  });

  test("an impression that could not be stored may come again, and keeps its place until then", async () => {
    const caps = await readInto(await start(), ONE_A_DAY);
    const hold = (await reserve(caps, 7, ONE_A_DAY, "1", NOON, NOON + LIFE_MS))!;
    expect(await caps.shown(hold, ONE_A_DAY, NOON + 1)).toBe(true);
    caps.unshow(hold, NOON + 1);
    expect(await reserve(caps, 7, ONE_A_DAY, "1", NOON + 2, NOON + 2 + LIFE_MS)).toBeNull();
    expect(await caps.shown(hold, ONE_A_DAY, NOON + 3)).toBe(true);
    expect(await caps.shown(hold, ONE_A_DAY, NOON + 4)).toBe(false);
  });

  test("until earlier impressions are read, a campaign with caps gets no hold and its beacons are deferred", async () => {
    const caps = await start();
    const hold = { campaignId: 7, device: "1", expiresAtMs: NOON + LIFE_MS };
    await expect(caps.shown(hold, ONE_A_DAY, NOON)).rejects.toMatchObject({ code: "unavailable" });
    expect(await reserve(caps, 8, [], "1", NOON, NOON + LIFE_MS)).not.toBeNull();
    const broken: ReadImpressions = async function* () {
      yield { campaignId: 7, device: "1", atMs: NOON - 1 };
      throw new Error("the store is away");
    };
    await expect(caps.restore(broken, NOON)).rejects.toThrow("away");
    expect(await reserve(caps, 7, ONE_A_DAY, "2", NOON, NOON + LIFE_MS)).toBeNull();
    await caps.restore(readingFrom([]), NOON);
    expect(await caps.shown(hold, ONE_A_DAY, NOON)).toBe(true);
  });

  test("a cap of an hour or a day ends with the UTC hour or day", async () => {
    const lastOfDay = Date.parse("2026-03-10T23:59:59.999Z");
    const hourly = [cap(1, "user", "hour"), cap(2, "user", "day")];
    const caps = await readInto(await start(), hourly, [], NOON);
    const shown: boolean[] = [];
    for (const atMs of [NOON, NOON + HOUR_MS - 1, NOON + HOUR_MS, lastOfDay, lastOfDay + 1]) {
      const hold = await reserve(caps, 7, hourly, "1", atMs, atMs + LIFE_MS);
      shown.push(hold !== null && (await caps.shown(hold, hourly, atMs)));
    }
    expect(shown).toEqual([true, false, true, false, true]);
  });
});

test.each(
  (
    [
      ["in memory", 100_000, memoryCaps],
      ["in Redis, by two processes,", 20_000, redisCaps],
    ] as const
  ).slice(0, server ? 2 : 1),
)(
  "%s %d requests of 500 devices with a restart: no device above its caps, and the caps are reached",
  async (side, requests, start) => {
    const limits = [
      cap(12, "user", "day"),
      cap(5, "user", "hour"),
      cap(5_000, "all", "day"),
      cap(1_800, "all", "hour"),
    ];
    const shown: CampaignImpression[] = [];
    // With Redis, a restart loses what it holds, and the processes start anew.
    const processes = async (run: number, atMs: number) => {
      const one = await start(`requests ${run}`);
      const both = [one, side === "in memory" ? one : await start(`requests ${run}`)] as const;
      await readInto(one, limits, shown, atMs);
      return both;
    };
    let both = await processes(1, NOON);
    for (let n = 0; n < requests; n++) {
      // Four hours; devices come in an order that is the same each time.
      const nowMs = NOON + Math.floor((n * 4 * HOUR_MS) / requests);
      if (n === requests / 2) both = await processes(2, nowMs);
      const caps = both[n % 2]!;
      const device = String((Math.imul(n, 2_654_435_761) >>> 0) % 500);
      const hold = await reserve(caps, 7, limits, device, nowMs, nowMs + LIFE_MS);
      if (!hold) continue;
      // Some ads are not shown, and of a few of these nothing is heard again; impressions come to the other process.
      if (n % 7 === 0) {
        if (n % 70 !== 0) both[1].release(hold);
      } else if (await both[(n + 1) % 2]!.shown(hold, limits, nowMs))
        shown.push({ campaignId: 7, device, atMs: nowMs });
    }
    const counts = new Map<string, number>();
    const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const { device, atMs } of shown) {
      const hour = Math.floor(atMs / HOUR_MS);
      for (const key of [`day ${device}`, `hour ${hour} ${device}`, "all", `all ${hour}`]) count(key);
    }
    const most = (prefix: string) =>
      Math.max(...[...counts].filter(([key]) => key.startsWith(prefix)).map(([, times]) => times));
    expect([most("day "), most("hour "), most("all"), most("all 4")]).toEqual([12, 5, 5000, 1800]);
  },
  60_000,
);

describe("in memory", () => {
  test("a campaign that gets a cap counts what it showed without one, once that is stored", async () => {
    const caps = await memoryCaps();
    const stored: CampaignImpression[] = [];
    const hold = { campaignId: 7, device: "1", expiresAtMs: NOON + LIFE_MS };
    expect(await caps.shown(hold, [], NOON)).toBe(true);
    expect(await reserve(caps, 7, ONE_A_DAY, "1", NOON + 1000, NOON + LIFE_MS)).toBeNull();
    await caps.restore(readingFrom(stored), NOON + 2000);
    expect(await reserve(caps, 7, ONE_A_DAY, "2", NOON + 2000, NOON + LIFE_MS)).toBeNull();
    stored.push({ campaignId: 7, device: "1", atMs: NOON });
    await caps.restore(readingFrom(stored), NOON + 35_000);
    expect(await reserve(caps, 7, ONE_A_DAY, "1", NOON + 35_000, NOON + LIFE_MS)).toBeNull();
    expect(await reserve(caps, 7, ONE_A_DAY, "2", NOON + 35_000, NOON + LIFE_MS)).not.toBeNull();
  });

  test("a cap for each device is exact when only the total was counted before", async () => {
    const forAll = [cap(100, "all", "day")];
    const caps = await readCaps(forAll);
    const hold = (await reserve(caps, 7, forAll, "1", NOON, NOON + LIFE_MS))!;
    expect(await caps.shown(hold, forAll, NOON)).toBe(true);
    const both = [...forAll, ...ONE_A_DAY];
    expect(await reserve(caps, 7, both, "2", NOON + 1, NOON + LIFE_MS)).toBeNull();
    await caps.restore(readingFrom([{ campaignId: 7, device: "1", atMs: NOON }]), NOON + 35_000);
    expect(await reserve(caps, 7, both, "1", NOON + 35_000, NOON + LIFE_MS)).toBeNull();
    expect(await reserve(caps, 7, both, "2", NOON + 35_000, NOON + LIFE_MS)).not.toBeNull();
  });

  test("200,000 devices of a campaign take less than 20 MB, and are forgotten once their day is over, not before", async () => {
    const limits = [cap(3, "user", "day"), cap(2, "user", "hour")];
    setFlagsFromString("--expose-gc");
    const collected = () => {
      (runInNewContext("gc") as () => void)();
      return process.memoryUsage().arrayBuffers;
    };
    const before = collected();
    const caps = await readCaps(limits);
    for (let n = 0; n < 200_000; n++) {
      // Spread over 64 bits like a hash.
      const device = BigInt.asUintN(64, BigInt(n) * 0x9e3779b97f4a7c15n).toString();
      await caps.shown({ campaignId: 7, device, expiresAtMs: NOON }, limits, NOON);
    }
    // A collection frees buffers a moment after it has returned.
    await expect.poll(() => collected() - before).toBeLessThan(20e6);
    const again = { campaignId: 7, device: "0", expiresAtMs: NOON };
    expect([await caps.shown(again, limits, NOON), await caps.shown(again, limits, NOON)]).toEqual([true, false]);
    caps.forget(NOON + DAY_MS);
    // The store has none of them, so that they would be shown again had they been forgotten too early.
    expect(await caps.shown(again, limits, NOON)).toBe(false);
    expect(await caps.shown(again, limits, NOON + DAY_MS)).toBe(true);
  });
});

describe("in Redis", () => {
  test("after three late answers in a row, capped campaigns let auctions go on for a second without asking", async () => {
    let asked = 0;
    const redis = { epoch: "1", run: () => new Promise(() => void asked++) } as unknown as SharedRedis;
    const caps = new RedisFrequencyCaps({ redis, everyoneShipped: async () => undefined });
    const answers = [];
    for (let nth = 0; nth < 4; nth++)
      answers.push(await reserve(caps, 7, ONE_A_DAY, String(nth), NOON, NOON + LIFE_MS));
    expect([answers, asked]).toEqual([[null, null, null, null], 3]);
    expect(await reserve(caps, 7, [], "1", NOON, NOON + LIFE_MS)).not.toBeNull();
  });

  test.skipIf(!server)("reading may take longer than a reader may be silent", async () => {
    const caps = await redisCaps("slow", { readingMs: 200 });
    expect(await reserve(caps, 7, ONE_A_DAY, "1", NOON, NOON + LIFE_MS)).toBeNull();
    const slowly: ReadImpressions = async function* () {
      for (const device of ["1", "2", "3", "4", "5"]) {
        await sleep(100);
        yield { campaignId: 7, device, atMs: NOON - 1 };
      }
    };
    await caps.restore(slowly, NOON);
    expect(await reserve(caps, 7, ONE_A_DAY, "5", NOON, NOON + LIFE_MS)).toBeNull();
    expect(await reserve(caps, 7, ONE_A_DAY, "6", NOON, NOON + LIFE_MS)).not.toBeNull();
  });

  test.skipIf(!server)("the impressions of hundreds of campaigns are read in a few queries", async () => {
    const caps = await redisCaps("many");
    const campaigns = Array.from({ length: 250 }, (_, nth) => nth + 1);
    const stored = campaigns.map((campaignId) => ({ campaignId, device: String(campaignId), atMs: NOON - 1 }));
    for (const id of campaigns) expect(await reserve(caps, id, ONE_A_DAY, "0", NOON, NOON + LIFE_MS)).toBeNull();
    let readings = 0;
    await caps.restore((...asked) => {
      readings++;
      return readingFrom(stored)(...asked);
    }, NOON);
    expect(readings).toBe(3);
    for (const id of campaigns) {
      expect(await reserve(caps, id, ONE_A_DAY, String(id), NOON, NOON + LIFE_MS)).toBeNull();
      expect(await reserve(caps, id, ONE_A_DAY, "0", NOON, NOON + LIFE_MS)).not.toBeNull();
    }
  });
});
