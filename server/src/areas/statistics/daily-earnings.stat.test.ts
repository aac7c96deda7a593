import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { countedEarnings, dailyEarnings, firstEarningDay } from "./daily-earnings.stat.ts";
import { click, impression, keep, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const { read } = clickhouse;

test("before anything is recorded there is no first day", async () => {
  expect(await runStat(read, firstEarningDay, {})).toEqual([{ day: "1970-01-01" }]);
});

test("what impressions were sold for is summed by day, app, provider and campaign, as single events say it", async () => {
  const bid = { gross_micros: 2500, revenue_micros: 2000, cost_micros: 0 };
  const ofCampaign = {
    provider: "campaigns",
    campaign_id: 7,
    gross_micros: 3000,
    cost_micros: 3000,
    revenue_micros: 2400,
  };
  await keep(clickhouse, {
    events: [
      impression("2026-03-01T00:00:00Z", bid),
      impression("2026-03-01T23:59:59.999Z", bid),
      impression("2026-03-02T00:00:00Z", bid),
      impression("2026-03-01T10:00:00Z", { ...bid, app_id: 2 }),
      impression("2026-03-01T11:00:00Z", ofCampaign),
      impression("2026-03-01T12:00:00Z", { ...ofCampaign, campaign_id: 8 }),
      // Not sold: refused, clicked, shown for free.
      impression("2026-03-01T13:00:00Z", { invalid: "replayed", gross_micros: 0, revenue_micros: 0, cost_micros: 0 }),
      click("2026-03-01T13:00:00Z"),
      session("2026-03-01T13:00:00Z"),
      impression("2026-03-01T14:00:00Z", { provider: "inhouse", campaign_id: 9, revenue_micros: 0, cost_micros: 0 }),
      // From before prices were recorded.
      impression("2026-02-28T14:00:00Z", { revenue_micros: 800, cost_micros: 0 }),
    ],
  });
  const aurora = { day: "2026-03-01", appId: 1, provider: "aurora", campaignId: 0 };
  const campaigns = { ...aurora, provider: "campaigns", impressions: 1, grossMicros: 3000n, revenueMicros: 2400n };
  const rows = [
    { ...aurora, day: "2026-02-28", impressions: 1, grossMicros: 800n, revenueMicros: 800n },
    { ...aurora, impressions: 2, grossMicros: 5000n, revenueMicros: 4000n },
    { ...campaigns, campaignId: 7 },
    { ...campaigns, campaignId: 8 },
    { ...aurora, appId: 2, impressions: 1, grossMicros: 2500n, revenueMicros: 2000n },
  ];
  const range = { ds: "2026-02-28", de: "2026-03-01" };
  expect(await runStat(read, dailyEarnings, range)).toEqual(rows);
  expect(await runStat(read, countedEarnings, range)).toEqual(rows);
  expect(await runStat(read, firstEarningDay, {})).toEqual([{ day: "2026-02-28" }]);
});
