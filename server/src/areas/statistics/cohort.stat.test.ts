import { expect, test } from "vitest";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { askStore } from "./ask-store.ts";
import { cohort } from "./cohort.stat.ts";
import { impression, keep, scopeOf, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const nowMs = Date.parse("2024-11-19T12:00:00Z");
const ask = askStore({ ...clickhouse, clock: { now: () => nowMs } });
const of = (ds: string, de: string, appIds = [1]) => cohort({ ask, nowMs }, scopeOf(ds, de, { appIds }));

test("the devices of a first day are followed by their age, up to the last age that all have reached", async () => {
  const first_day = "2024-11-10";
  await keep(clickhouse, {
    events: [
      session("2024-11-10T08:00:00Z", { device: "1", first_day }),
      session("2024-11-12T08:00:00Z", { device: "1", first_day }),
      session("2024-11-10T09:00:00Z", { device: "2", first_day }),
      session("2024-11-11T09:00:00Z", { device: "3", first_day: "2024-11-11" }),
      session("2024-11-11T09:00:00Z", { device: "4" }),
      impression("2024-11-10T08:01:00Z", { device: "1", first_day, revenue_micros: 1000 }),
      impression("2024-11-12T08:01:00Z", { device: "1", first_day, revenue_micros: 3000 }),
      impression("2024-11-12T08:02:00Z", { device: "2", first_day, revenue_micros: 500 }),
      impression("2024-11-12T08:02:00Z", { device: "3", first_day: "2024-11-11", revenue_micros: 9000 }),
      impression("2024-11-12T08:03:00Z", { device: "2", first_day, revenue_micros: 777, invalid: "crawler" }),
      impression("2024-11-12T08:03:00Z", { device: "9", revenue_micros: 888 }),
    ],
  });
  const one = await of("2024-11-10", "2024-11-10");
  expect(one.devices).toBe(2);
  expect(one.curve.slice(0, 4)).toEqual([
    { age: 0, value: 500 },
    { age: 1, value: 500 },
    { age: 2, value: 2250 },
    { age: 3, value: 2250 },
  ]);
  // The tenth of November has been over for eight whole days on the nineteenth.
  expect(one.curve.at(-1)?.age).toBe(8);
  const both = await of("2024-11-10", "2024-11-11");
  expect([both.devices, both.curve.at(-1)?.age]).toEqual([3, 7]);
});

test("a device that is not known to be new joins no cohort, nor does one whose clock is wrong", async () => {
  await keep(clickhouse, {
    events: [session("2024-11-10T08:00:00Z", { app_id: 2, device: "7", first_day: "2024-11-11" })],
  });
  expect(await of("2024-11-01", "2024-11-19", [2])).toEqual({ devices: 0, curve: [] });
});

test("a device from before its app's first counted day joins no cohort, since its first days are not known", async () => {
  await keep(clickhouse, {
    events: [
      // An app can tell first days that are older than its use of the SDK.
      session("2024-11-05T08:00:00Z", { app_id: 3, device: "31", first_day: "2024-11-03" }),
      session("2024-11-05T08:00:00Z", { app_id: 3, device: "32", first_day: "2024-11-04" }),
      session("2024-11-05T09:00:00Z", { app_id: 3, device: "33", first_day: "2024-11-05" }),
      session("2024-11-06T09:00:00Z", { app_id: 3, device: "34", first_day: "2024-11-06" }),
      impression("2024-11-05T08:01:00Z", { app_id: 3, device: "31", first_day: "2024-11-03", revenue_micros: 70 }),
      impression("2024-11-05T09:01:00Z", { app_id: 3, device: "33", first_day: "2024-11-05", revenue_micros: 1000 }),
      impression("2024-11-07T09:01:00Z", { app_id: 3, device: "34", first_day: "2024-11-06", revenue_micros: 500 }),
      // Another app has been counted for longer.
      session("2024-11-03T08:00:00Z", { app_id: 4, device: "41", first_day: "2024-11-03" }),
      impression("2024-11-04T08:01:00Z", { app_id: 4, device: "41", first_day: "2024-11-03", revenue_micros: 300 }),
    ],
  });
  const sinceBefore = await of("2024-11-01", "2024-11-06", [3]);
  expect(sinceBefore).toEqual(await of("2024-11-05", "2024-11-06", [3]));
  expect(sinceBefore.devices).toBe(2);
  expect(sinceBefore.curve.slice(0, 2).map(({ value }) => value)).toEqual([500, 750]);
  expect(await of("2024-11-01", "2024-11-04", [3])).toEqual({ devices: 0, curve: [] });
  const both = await of("2024-11-01", "2024-11-06", [3, 4]);
  expect([both.devices, both.curve[0]?.value, both.curve[1]?.value]).toEqual([3, 333, 600]);
});
