import type { FrequencyCap } from "@millrace/contract";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIFE_MS, NOON, cap, frequencyCapSides, readingFrom, reserve } from "../testing/frequency-cap-sides.ts";
import type { CampaignImpression } from "./frequency-caps.ts";

const { SIDES } = await frequencyCapSides();

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

describe.each(SIDES)("%s", (_, start, numRuns) => {
  test("random requests, impressions, expiries, edges and restarts: what a naive count allows, and never more than a cap", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(someCaps, someCaps),
        fc.array(step, { minLength: 20, maxLength: 200 }),
        async (limits, steps) => {
          const naive = new NaiveCaps();
          let caps = await start();
          let nowMs = NOON;
          const readAll = async () => {
            for (const id of [1, 2]) await reserve(caps, id, limits[id - 1]!, "1", nowMs, nowMs);
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
              else [caps, naive.held] = [await start(), []];
              await readAll();
            } else if (each.does === "request") {
              const [rules, device] = [limits[each.campaign - 1]!, String(each.device)];
              const fits = rules.every(
                (rule) =>
                  naive.count(rule, each.campaign, device, nowMs) + naive.heldOf(rule, each.campaign, device) <
                  rule.impressions,
              );
              const hold = await reserve(caps, each.campaign, rules, device, nowMs, nowMs + LIFE_MS);
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
                expect(await caps.shown(hold!, rules, nowMs)).toBe(fits);
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
      { numRuns },
    );
  }, 120_000);
});
