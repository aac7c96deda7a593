import { CAMPAIGN_LIMITS, type CampaignFormat, CAMPAIGN_FORMATS } from "@millrace/contract";
import { expect, test } from "vitest";
import { runStat } from "../../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../../platform/testing/stores.ts";
import { type CampaignGroup, campaignSums } from "./campaign-sums.stat.ts";
import { bindCampaigns } from "./campaign-scope.ts";

const clickhouse = await testClickHouse();
const ROWS = 1_000_000;
/** Smaller times are noise. */
const NOISE_MS = 100;
/** How many times as long as by campaign, without looking up anything. */
const MOST_RATIO = 4;

test("as many campaigns as an account may have are grouped by format about as fast as by campaign", async () => {
  await clickhouse.write.command({
    query: `INSERT INTO campaign_hourly (campaign_id, hour, creative_id, format, country, requests, impressions)
      SELECT 1 + number % ${CAMPAIGN_LIMITS.campaigns}, toDateTime('2026-03-01 00:00:00') + 3600 * intDiv(number, 5000),
        intDiv(number, ${CAMPAIGN_LIMITS.campaigns}) % 10, 'banner', 'DE', 2, 1 FROM numbers(${ROWS})`,
  });
  const campaignIds = Array.from({ length: CAMPAIGN_LIMITS.campaigns }, (_, nth) => nth + 1);
  const formatOf = (id: number): CampaignFormat => CAMPAIGN_FORMATS[id % CAMPAIGN_FORMATS.length] ?? "image";
  const params = bindCampaigns({
    campaignIds,
    campaignFormats: campaignIds.map(formatOf),
    range: { ds: "2026-03-01", de: "2026-03-31" },
    countries: [],
  });
  const ask = async (group: CampaignGroup) => {
    const since = performance.now();
    const rows = await runStat(clickhouse.read, campaignSums[group], params);
    return { rows, ms: performance.now() - since };
  };
  const [byCampaign, byFormat] = [await ask("campaign"), await ask("format")];
  expect(byFormat.rows.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(ROWS);
  expect(byFormat.rows.map(({ id }) => id)).toEqual([...CAMPAIGN_FORMATS].toSorted());
  expect(byFormat.ms).toBeLessThan(MOST_RATIO * Math.max(byCampaign.ms, NOISE_MS));
});
