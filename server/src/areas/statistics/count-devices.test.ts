import { expect, test } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { askStore } from "./ask-store.ts";
import { countDevices, countDevicesByDay, countLargest } from "./count-devices.ts";
import { listeningAskStore } from "./testing/listening-ask-store.ts";
import { scopeOf } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();

/** So many devices of an app ask for an ad on a day. */
async function crowd(appId: number, day: string, count: number): Promise<void> {
  await clickhouse.write.command({
    query: `INSERT INTO auctions (at, app_id, country, device, zone, format)
            SELECT toDateTime64('${day} 06:00:00', 3, 'UTC'), ${appId}, 'US', cityHash64(number, ${appId}), 'main', 'banner'
            FROM numbers(${count})`,
    clickhouse_settings: { insert_deduplication_token: `${appId} ${day}` },
  });
}

const DAY = "2024-11-18";
const of = (appIds: number[], day = DAY, countries: string[] = []) => scopeOf(day, day, { appIds, countries });

test("a figure is the same wherever it stands, whatever was counted before it", async () => {
  await crowd(41, DAY, 25_500);
  await crowd(41, "2024-11-19", 30_000);
  await crowd(42, DAY, 40_000);
  const [untouched] = (await countDevices(askStore({ ...clickhouse, clock: systemClock }), of([41]), "total")).values();

  const ask = askStore({ ...clickhouse, clock: systemClock });
  // So many devices that fewer of the buckets are enough, which would just do for the day before, too.
  for (const group of ["total", "country"] as const) await countDevices(ask, of([41], "2024-11-19"), group);
  await countDevicesByDay(ask, of([41], "2024-11-19"));
  const figures = {
    total: (await countDevices(ask, of([41]), "total")).get(""),
    amongApps: (await countDevices(ask, of([41, 42]), "app")).get("41"),
    country: (await countDevices(ask, of([41]), "country")).get("US"),
    largest: (await countLargest(ask, of([41]), "country", 1)).get("US"),
    ofCountry: (await countDevices(ask, of([41], DAY, ["US"]), "total")).get(""),
    day: (await countDevicesByDay(ask, of([41]))).get(DAY),
    dayOfMany: (await countDevicesByDay(ask, scopeOf("2024-11-15", "2024-11-20", { appIds: [41] }))).get(DAY),
  };
  expect(untouched).toBeGreaterThan(25_000);
  expect(figures).toEqual(Object.fromEntries(Object.keys(figures).map((place) => [place, untouched])));
});

test("a large group is counted by one query where a similar one was counted before, though it has more devices or fewer", async () => {
  for (const [day, devices] of [
    ["2024-11-20", 40_000],
    ["2024-11-21", 43_000],
    ["2024-11-22", 39_000],
  ] as const) {
    await crowd(43, day, devices);
  }
  const { ask, asked } = listeningAskStore(clickhouse);
  await countDevices(ask, of([43], "2024-11-20"), "total");
  for (const [day, devices] of [
    ["2024-11-21", 43_000],
    ["2024-11-22", 39_000],
  ] as const) {
    asked.length = 0;
    const [found = 0] = (await countDevices(ask, of([43], day), "total")).values();
    expect(Math.abs(found - devices) / devices).toBeLessThan(0.02);
    expect(asked.map(({ name }) => name)).toEqual([expect.stringMatching(/^uniques-by-total-of-day-in-\d+-buckets$/)]);
  }
});
