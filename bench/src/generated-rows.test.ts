import { dayOf, dayStartMs } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../server/src/platform/testing/stores.ts";
import { statementsOfDay } from "./generated-rows.ts";

const DAY = "2026-11-19";
const stores = await testStores();

test("a generated day fills the tables and their rollups with the same rows, all of them on that day", async () => {
  const rules = { appIds: [7, 8], events: 90_000, day: 3, startsAt: dayStartMs(DAY) / 1000 };
  for (const query of statementsOfDay(rules, "max_threads = 1")) await stores.clickhouse.write.command({ query });
  const reply = await stores.clickhouse.read.query({
    query: `
      SELECT
        (SELECT count() FROM auctions) AS requests,
        (SELECT sum(requests) FROM stats_daily WHERE provider = '') AS counted,
        (SELECT countIf(winner != '') FROM auctions) AS sold,
        (SELECT countIf(kind = 'impression' AND invalid = '') FROM events) AS impressions,
        (SELECT sum(impressions) FROM stats_daily) AS shown,
        (SELECT groupUniqArray(toString(toDate(at))) FROM auctions) AS days,
        (SELECT countIf(toDate(at) != '${DAY}') FROM events) AS elsewhere`,
    format: "JSONEachRow",
  });
  const [row] = await reply.json<Record<string, string | string[]>>();
  const { requests, counted, sold, impressions, shown, days, elsewhere } = row ?? {};
  expect(days).toEqual([dayOf(dayStartMs(DAY))]);
  expect(Number(elsewhere)).toBe(0);
  expect(Number(requests)).toBeGreaterThan(500);
  expect(counted).toBe(requests);
  expect(Number(sold)).toBeLessThan(Number(requests));
  expect(Number(impressions)).toBeGreaterThan(Number(sold) / 2);
  expect(shown).toBe(impressions);
});
