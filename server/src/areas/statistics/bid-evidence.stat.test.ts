import { addDays, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { bidEvidence } from "./bid-evidence.stat.ts";
import { auction, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
/** Yesterday: the store drops older evidence by its own clock. */
const DAY = addDays(dayOf(Date.now()), -1);
const at = (days: number, time: string) => `${addDays(DAY, days)}T${time}Z`;

test("a partner's requests and bids are summed by cell, and those of three days before weigh half", async () => {
  const of = (app_id: number, more: Parameters<typeof auction>[1] = {}) => ({
    app_id,
    asked: ["rare"],
    outcomes: ["no_bid" as const],
    latencies_ms: [1],
    bids_micros: [0],
    ...more,
  });
  await keep(clickhouse, {
    auctions: [
      auction(at(0, "10:00:00"), of(1, { outcomes: ["bid"], bids_micros: [5] })),
      auction(at(0, "23:59:59"), of(1)),
      auction(at(-3, "10:00:00"), of(1)),
      // It was sent with a probability of 2%, so it stands for 50.
      auction(at(0, "10:00:00"), of(2, { country: "DE", ask_probabilities: [0.02] })),
      // What a failed call would have brought is not known; the others are too old, too new, or another partner's.
      auction(at(0, "10:00:00"), of(1, { outcomes: ["timeout"] })),
      auction(at(-15, "10:00:00"), of(1)),
      auction(at(1, "00:00:00"), of(1)),
      auction(at(0, "10:00:00"), of(1, { asked: ["other"] })),
    ],
  });
  const rows = await runStat(clickhouse.read, bidEvidence, { provider: "rare", de: DAY, halfLifeDays: 3 });
  const cell = { format: "banner", platform: "android" };
  expect(rows.toSorted((a, b) => a.appId - b.appId)).toEqual([
    { ...cell, appId: 1, country: "US", asked: 2.5, bids: 1 },
    { ...cell, appId: 2, country: "DE", asked: expect.closeTo(50, 3), bids: 0 },
  ]);
});
