import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FrequencyCap } from "@millrace/contract";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CampaignImpression, FrequencyCaps, type ReadImpressions } from "./frequency-caps.ts";

const NOON = Date.parse("2026-03-10T12:00:00Z");
const LIFE_MS = 30 * 60_000;
const cap = (impressions: number, per: "user" | "all", period: "day" | "hour"): FrequencyCap => ({
  impressions,
  per,
  period,
});
const ONE_A_DAY = [cap(1, "user", "day")];

/** Reads a list like a store. */
const readingFrom = (stored: readonly CampaignImpression[]): ReadImpressions =>
  async function* (campaignIds, sinceMs) {
    for (const row of stored) if (campaignIds.includes(row.campaignId) && row.atMs >= sinceMs) yield row;
  };

/** Caps that have read a campaign's earlier impressions. */
async function readCaps(caps: readonly FrequencyCap[], stored: CampaignImpression[] = [], atMs = NOON) {
  const counted = new FrequencyCaps();
  expect(counted.reserve(7, caps, "1", atMs, atMs + LIFE_MS)).toBeNull();
  await counted.restore(readingFrom(stored), atMs);
  return counted;
}

test("an ad that was returned takes a place until it is shown, released or expired", async () => {
  const caps = await readCaps(ONE_A_DAY);
  const first = caps.reserve(7, ONE_A_DAY, "1", NOON, NOON + LIFE_MS);
  expect(first).toEqual({ campaignId: 7, device: "1", expiresAtMs: NOON + LIFE_MS });
  expect(caps.reserve(7, ONE_A_DAY, "1", NOON + 1, NOON + 1 + LIFE_MS)).toBeNull();
  expect(caps.reserve(7, ONE_A_DAY, "2", NOON + 1, NOON + 1 + LIFE_MS)).not.toBeNull();
  caps.release(first!);
  expect(caps.reserve(7, ONE_A_DAY, "1", NOON + 2, NOON + 2 + LIFE_MS)).not.toBeNull();
  const expired = NOON + 2 + LIFE_MS;
  const last = caps.reserve(7, ONE_A_DAY, "1", expired, expired + LIFE_MS);
  expect(caps.shown(last!, ONE_A_DAY, expired + 1)).toBe(true);
  expect(caps.reserve(7, ONE_A_DAY, "1", expired + 2, expired + 2 + LIFE_MS)).toBeNull();
});

test("an impression over a cap is refused, although its ad was returned by a process that is gone", async () => {
  const caps = await readCaps(ONE_A_DAY, [{ campaignId: 7, device: "1", atMs: NOON - HOUR_MS }]);
  const lost = { campaignId: 7, device: "1", expiresAtMs: NOON + 60_000 };
  expect(caps.shown(lost, ONE_A_DAY, NOON + 1)).toBe(false);
  expect(caps.shown({ ...lost, device: "2" }, ONE_A_DAY, NOON + 1)).toBe(true);
});

test("an impression that could not be stored may come again, and keeps its place until then", async () => {
  const caps = await readCaps(ONE_A_DAY);
  const hold = caps.reserve(7, ONE_A_DAY, "1", NOON, NOON + LIFE_MS)!;
  expect(caps.shown(hold, ONE_A_DAY, NOON + 1)).toBe(true);
  caps.unshow(hold, NOON + 1);
  expect(caps.reserve(7, ONE_A_DAY, "1", NOON + 2, NOON + 2 + LIFE_MS)).toBeNull();
  expect(caps.shown(hold, ONE_A_DAY, NOON + 3)).toBe(true);
  expect(caps.shown(hold, ONE_A_DAY, NOON + 4)).toBe(false);
});

test("until earlier impressions are read, a campaign with caps gets no hold and its beacons are deferred", async () => {
  const caps = new FrequencyCaps();
  const hold = { campaignId: 7, device: "1", expiresAtMs: NOON + LIFE_MS };
  expect(() => caps.shown(hold, ONE_A_DAY, NOON)).toThrow(expect.objectContaining({ code: "unavailable" }));
  expect(caps.reserve(8, [], "1", NOON, NOON + LIFE_MS)).not.toBeNull();
  const broken: ReadImpressions = async function* () {
    yield { campaignId: 7, device: "1", atMs: NOON - 1 };
    throw new Error("the store is away");
  };
  await expect(caps.restore(broken, NOON)).rejects.toThrow("away");
  expect(caps.reserve(7, ONE_A_DAY, "2", NOON, NOON + LIFE_MS)).toBeNull();
  await caps.restore(readingFrom([]), NOON);
  expect(caps.shown(hold, ONE_A_DAY, NOON)).toBe(true);
});

test("a campaign that gets a cap counts what it showed without one, once that is stored", async () => {
  const caps = new FrequencyCaps();
  const stored: CampaignImpression[] = [];
  const hold = { campaignId: 7, device: "1", expiresAtMs: NOON + LIFE_MS };
  expect(caps.shown(hold, [], NOON)).toBe(true);
  expect(caps.reserve(7, ONE_A_DAY, "1", NOON + 1000, NOON + LIFE_MS)).toBeNull();
  await caps.restore(readingFrom(stored), NOON + 2000);
  expect(caps.reserve(7, ONE_A_DAY, "2", NOON + 2000, NOON + LIFE_MS)).toBeNull();
  stored.push({ campaignId: 7, device: "1", atMs: NOON });
  await caps.restore(readingFrom(stored), NOON + 35_000);
  expect(caps.reserve(7, ONE_A_DAY, "1", NOON + 35_000, NOON + LIFE_MS)).toBeNull();
  expect(caps.reserve(7, ONE_A_DAY, "2", NOON + 35_000, NOON + LIFE_MS)).not.toBeNull();
});

test("a cap for each device is exact when only the total was counted before", async () => {
  const forAll = [cap(100, "all", "day")];
  const caps = await readCaps(forAll);
  const hold = caps.reserve(7, forAll, "1", NOON, NOON + LIFE_MS)!;
  expect(caps.shown(hold, forAll, NOON)).toBe(true);
  const both = [...forAll, ...ONE_A_DAY];
  expect(caps.reserve(7, both, "2", NOON + 1, NOON + LIFE_MS)).toBeNull();
  await caps.restore(readingFrom([{ campaignId: 7, device: "1", atMs: NOON }]), NOON + 35_000);
  expect(caps.reserve(7, both, "1", NOON + 35_000, NOON + LIFE_MS)).toBeNull();
  expect(caps.reserve(7, both, "2", NOON + 35_000, NOON + LIFE_MS)).not.toBeNull();
});

test("a cap of an hour or a day ends with the UTC hour or day", async () => {
  const lastOfDay = Date.parse("2026-03-10T23:59:59.999Z");
  const hourly = [cap(1, "user", "hour"), cap(2, "user", "day")];
  const caps = await readCaps(hourly, [], NOON);
  const show = (atMs: number) => {
    const hold = caps.reserve(7, hourly, "1", atMs, atMs + LIFE_MS);
    return hold !== null && caps.shown(hold, hourly, atMs);
  };
  expect([NOON, NOON + HOUR_MS - 1, NOON + HOUR_MS, lastOfDay, lastOfDay + 1].map(show)).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
});

test("200,000 devices of a campaign take less than 20 MB, and are forgotten once their day is over, not before", async () => {
  const limits = [cap(3, "user", "day"), cap(2, "user", "hour")];
  const before = process.memoryUsage().arrayBuffers;
  const caps = await readCaps(limits);
  for (let n = 0; n < 200_000; n++) {
    // Spread over 64 bits like a hash.
    const device = BigInt.asUintN(64, BigInt(n) * 0x9e3779b97f4a7c15n).toString();
    caps.shown({ campaignId: 7, device, expiresAtMs: NOON }, limits, NOON);
  }
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20e6);
  const again = { campaignId: 7, device: "0", expiresAtMs: NOON };
  expect([caps.shown(again, limits, NOON), caps.shown(again, limits, NOON)]).toEqual([true, false]);
  caps.forget(NOON + DAY_MS);
  // The store has none of them, so that they would be shown again had they been forgotten too early.
  expect(caps.shown(again, limits, NOON)).toBe(false);
  expect(caps.shown(again, limits, NOON + DAY_MS)).toBe(true);
});

type Step =
  | { does: "request" | "show" | "release" | "unshow"; campaign: number; device: number; nth: number; afterMs: number }
  | { does: "restart" | "forget"; nth: number; afterMs: number };

const someCaps = fc
  .record({
    userDay: fc.integer({ min: 0, max: 4 }),
    userHour: fc.integer({ min: 0, max: 3 }),
    allDay: fc.integer({ min: 0, max: 8 }),
    allHour: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ userDay, userHour, allDay, allHour }) =>
    [cap(userDay, "user", "day"), cap(userHour, "user", "hour"), cap(allDay, "all", "day"), cap(allHour, "all", "hour")]
      // 0: no such cap.
      .filter(({ impressions }) => impressions > 0),
  );

const afterMs = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 40 * 60_000 }) },
  // To the edge of an hour or a day, give or take a millisecond (marked by a negative number).
  { weight: 2, arbitrary: fc.constantFrom(-1, -2, -3, -4, -5, -6) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      does: fc.constantFrom("request", "request", "request", "show", "show", "release", "unshow"),
      campaign: fc.integer({ min: 1, max: 2 }),
      device: fc.integer({ min: 1, max: 3 }),
      nth: fc.nat(),
      afterMs,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom("restart", "forget"), nth: fc.nat(), afterMs }) },
);

function later(nowMs: number, ms: number): number {
  if (ms >= 0) return nowMs + ms;
  const edge = ms >= -3 ? HOUR_MS : DAY_MS;
  return Math.max(nowMs, (Math.floor(nowMs / edge) + 1) * edge + (ms >= -3 ? ms + 2 : ms + 5));
}

/** What the caps are: lists, counted anew for each question. */
class NaiveCaps {
  shown: CampaignImpression[] = [];
  held: { campaignId: number; device: string; expiresAtMs: number }[] = [];

  count({ per, period }: FrequencyCap, campaignId: number, device: string, atMs: number): number {
    const length = period === "day" ? DAY_MS : HOUR_MS;
    return this.shown.filter(
      (each) =>
        each.campaignId === campaignId &&
        (per === "all" || each.device === device) &&
        Math.floor(each.atMs / length) === Math.floor(atMs / length),
    ).length;
  }

  heldOf({ per }: FrequencyCap, campaignId: number, device: string): number {
    return this.held.filter((each) => each.campaignId === campaignId && (per === "all" || each.device === device))
      .length;
  }
}

test("random requests, impressions, expiries, edges and restarts: what a naive count allows, and never more than a cap", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(someCaps, someCaps),
      fc.array(step, { minLength: 20, maxLength: 200 }),
      async (limits, steps) => {
        const naive = new NaiveCaps();
        let caps = new FrequencyCaps();
        let nowMs = NOON;
        const readAll = async () => {
          for (const id of [1, 2]) caps.reserve(id, limits[id - 1]!, "1", nowMs, nowMs);
          await caps.restore(readingFrom(naive.shown), nowMs);
        };
        /** Ads that are out, those of an earlier process included. */
        const out: { campaignId: number; device: string; expiresAtMs: number }[] = [];
        const gone = (hold: { campaignId: number; device: string; expiresAtMs: number }) => {
          const at = naive.held.findIndex((each) => JSON.stringify(each) === JSON.stringify(hold));
          if (at >= 0) naive.held.splice(at, 1);
        };
        await readAll();
        for (const each of steps) {
          nowMs = later(nowMs, each.afterMs);
          naive.held = naive.held.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
          if (each.does === "forget" || each.does === "restart") {
            if (each.does === "forget") caps.forget(nowMs);
            else [caps, naive.held] = [new FrequencyCaps(), []];
            await readAll();
          } else if (each.does === "request") {
            const [rules, device] = [limits[each.campaign - 1]!, String(each.device)];
            const fits = rules.every(
              (rule) =>
                naive.count(rule, each.campaign, device, nowMs) + naive.heldOf(rule, each.campaign, device) <
                rule.impressions,
            );
            const hold = caps.reserve(each.campaign, rules, device, nowMs, nowMs + LIFE_MS);
            expect(hold !== null).toBe(fits);
            if (hold) out.push(hold);
            if (hold && rules.length > 0) naive.held.push(hold);
          } else if (out.length > 0) {
            const [hold] = out.splice(each.nth % out.length, 1);
            const { campaignId, device, expiresAtMs } = hold!;
            gone(hold!);
            if (each.does === "release") caps.release(hold!);
            else if (expiresAtMs > nowMs) {
              const rules = limits[campaignId - 1]!;
              const fits = rules.every((rule) => naive.count(rule, campaignId, device, nowMs) < rule.impressions);
              expect(caps.shown(hold!, rules, nowMs)).toBe(fits);
              if (fits && each.does === "unshow" && rules.length > 0) {
                caps.unshow(hold!, nowMs);
                naive.held.push(hold!);
                out.push(hold!);
              } else if (fits) naive.shown.push({ campaignId, device, atMs: nowMs });
            }
          }
        }
        for (const { campaignId, device, atMs } of naive.shown)
          for (const rule of limits[campaignId - 1]!)
            expect(naive.count(rule, campaignId, device, atMs)).toBeLessThanOrEqual(rule.impressions);
      },
    ),
    { numRuns: 400 },
  );
});

test("100,000 requests of 500 devices with a restart: no device above its caps, and the caps are reached", async () => {
  const limits = [cap(12, "user", "day"), cap(5, "user", "hour"), cap(5_000, "all", "day"), cap(1_800, "all", "hour")];
  const shown: CampaignImpression[] = [];
  let caps = await readCaps(limits);
  for (let n = 0; n < 100_000; n++) {
    // Four hours; devices come in an order that is the same each time.
    const nowMs = NOON + Math.floor((n * 4 * HOUR_MS) / 100_000);
    if (n === 50_000) caps = await readCaps(limits, shown, nowMs);
    const device = String((Math.imul(n, 2_654_435_761) >>> 0) % 500);
    const hold = caps.reserve(7, limits, device, nowMs, nowMs + LIFE_MS);
    if (!hold) continue;
    // Some ads are not shown, and of a few of these nothing is heard again.
    if (n % 7 === 0) {
      if (n % 70 !== 0) caps.release(hold);
    } else if (caps.shown(hold, limits, nowMs)) shown.push({ campaignId: 7, device, atMs: nowMs });
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
});
