import { expect, test } from "vitest";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { countDevices, countLargest } from "./count-devices.ts";
import { listeningAskStore } from "./testing/listening-ask-store.ts";
import { scopeOf } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();

/** Each of the countries has so many devices that ask for an ad, within two days. */
async function crowds(appId: number, sizes: Record<string, number>): Promise<void> {
  for (const [country, size] of Object.entries(sizes)) {
    await clickhouse.write.command({
      query: `INSERT INTO auctions (at, app_id, country, device, zone, format)
              SELECT toDateTime64('2024-11-18 06:00:00', 3, 'UTC') + toIntervalDay(number % 2), ${appId}, '${country}',
                cityHash64(number, ${appId}, '${country}'), 'main', 'banner' FROM numbers(${size})`,
      clickhouse_settings: { insert_deduplication_token: `${appId} ${country}` },
    });
  }
}

const scope = (appId: number) => scopeOf("2024-11-18", "2024-11-19", { appIds: [appId] });

test("the largest groups are as they are among all, and what cannot be among them is not counted", async () => {
  const sizes = { US: 40_000, DE: 30_000, BR: 20_000, FR: 4000, GB: 400, JP: 300, IN: 1 };
  await crowds(1, sizes);
  const { ask, asked } = listeningAskStore(clickhouse);
  const all = await countDevices(ask, scope(1), "country");
  asked.length = 0;
  const most = await countLargest(ask, scope(1), "country", 3);
  expect([...most.keys()].toSorted()).toEqual(["BR", "DE", "US"]);
  for (const [country, devices] of most) {
    expect(devices).toBe(all.get(country));
    expect(Math.abs(devices - sizes[country as "US"]) / sizes[country as "US"]).toBeLessThan(0.02);
  }
  expect(asked).toHaveLength(2);
});

test("where groups are few or small, or about as large as each other, all that can be among the first are counted exactly", async () => {
  await crowds(2, { US: 500, DE: 499, BR: 498, FR: 3 });
  const { ask } = listeningAskStore(clickhouse);
  for (const many of [1, 2, 3, 5]) {
    const most = await countLargest(ask, scope(2), "country", many);
    const first = [...most].toSorted(([, a], [, b]) => b - a).slice(0, many);
    expect(first).toEqual(
      [
        ["US", 500],
        ["DE", 499],
        ["BR", 498],
        ["FR", 3],
      ].slice(0, many),
    );
  }
});
