import { setTimeout as pause } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import { expect, test } from "vitest";
import { LIFE_MS, NOON, cap, frequencyCapSides, readingFrom, reserve } from "../testing/frequency-cap-sides.ts";
import type { CampaignImpression } from "./frequency-caps.ts";

const { redisCaps, server } = await frequencyCapSides();
const REQUESTS = 100_000;
const AT_ONCE = 20;
/** A process that hears from Redis too late asks nothing for a second. */
const PAUSE_MS = 1000;
const DEVICES = 2_000;
const LASTS_MS = 2 * DAY_MS;
const CAPS = new Map([
  [1, [cap(3, "user", "day"), cap(2, "user", "hour")]],
  [2, [cap(1, "user", "day")]],
  [3, [cap(5, "user", "day"), cap(400, "all", "hour")]],
]);

/** Marsaglia's xorshift, so that each run asks the same. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

test.skipIf(server === null)(
  "in 100,000 requests to two processes, one of which restarts, no device is shown more than any of its caps",
  { timeout: 180_000 },
  async () => {
    const shown: CampaignImpression[] = [];
    const open = async (nowMs: number) => {
      const caps = await redisCaps("many requests");
      for (const [id, rules] of CAPS) await reserve(caps, id, rules, "0", nowMs, nowMs);
      await caps.restore(readingFrom(shown), nowMs);
      return caps;
    };
    const processes = [await open(NOON), await open(NOON)];
    const below = seeded(7);
    const one = () => processes[below(2)] ?? expect.fail();
    let refused = 0;
    let before = 0;
    for (let asked = 0; asked < REQUESTS; asked += AT_ONCE) {
      const nowMs = NOON + (asked / REQUESTS) * LASTS_MS;
      // What it had returned and not shown is lost with it, and takes its place until it expires.
      if (asked === REQUESTS / 2) processes[1] = await open(nowMs);
      const requests = Array.from({ length: AT_ONCE }, () => ({
        campaignId: 1 + below(CAPS.size),
        device: String(1 + below(DEVICES)),
        asks: one(),
        hears: one(),
        // The beacon comes to either process, or never.
        fate: below(10),
      }));
      await Promise.all(
        requests.map(async ({ campaignId, device, asks, hears, fate }) => {
          const rules = CAPS.get(campaignId) ?? [];
          const hold = await reserve(asks, campaignId, rules, device, nowMs, nowMs + LIFE_MS);
          if (hold === null) refused++;
          else if (fate === 0) asks.release(hold);
          else if (fate > 2 && (await hears.shown(hold, rules, nowMs))) shown.push({ campaignId, device, atMs: nowMs });
        }),
      );
      if (refused - before === AT_ONCE) await pause(PAUSE_MS);
      before = refused;
    }
    const counts = new Map<string, number>();
    let reached = 0;
    for (const { campaignId, device, atMs } of shown)
      for (const { per, period, impressions } of CAPS.get(campaignId) ?? []) {
        const window = Math.floor(atMs / (period === "day" ? DAY_MS : HOUR_MS));
        const key = [campaignId, per === "all" ? "all" : device, period, window].join(" ");
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count > impressions) expect.fail(`${key}: ${count} were shown, and ${impressions} are allowed`);
        if (count === impressions) reached++;
      }
    // The caps were in the way of many, and let everything else through.
    expect([shown.length > 10_000, refused > 10_000, reached > 5_000]).toEqual([true, true, true]);
  },
);
