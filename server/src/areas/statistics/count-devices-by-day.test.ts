import { expect, test } from "vitest";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { askStore } from "./ask-store.ts";
import { countDevicesByDay } from "./count-devices.ts";
import { auction, keep, scopeOf } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const clock = { now: () => Date.parse("2024-11-20T12:00:00Z") };
const ask = askStore({ ...clickhouse, clock });

const count = async (ds: string, de: string) =>
  [...(await countDevicesByDay(ask, scopeOf(ds, de)))].toSorted(([a], [b]) => a.localeCompare(b));
const asksAt = (moment: string, device: string) => keep(clickhouse, { auctions: [auction(moment, { device })] });

test("days that are over are counted once, in whichever range, until rows of them come late; today is counted anew", async () => {
  for (const day of [16, 17, 18, 20]) await asksAt(`2024-11-${day}T10:00:00Z`, "1");
  expect(await count("2024-11-17", "2024-11-18")).toEqual([
    ["2024-11-17", 1],
    ["2024-11-18", 1],
  ]);
  // The area would tell of it; as it does not, what is known of the 17th and 18th is given again.
  await asksAt("2024-11-17T11:00:00Z", "2");
  await asksAt("2024-11-16T11:00:00Z", "2");
  expect(await count("2024-11-15", "2024-11-20")).toEqual([
    ["2024-11-16", 2],
    ["2024-11-17", 1],
    ["2024-11-18", 1],
    ["2024-11-20", 1],
  ]);
  await asksAt("2024-11-20T11:00:00Z", "2");
  await expect
    .poll(() => count("2024-11-16", "2024-11-20"))
    .toEqual([
      ["2024-11-16", 2],
      ["2024-11-17", 1],
      ["2024-11-18", 1],
      ["2024-11-20", 2],
    ]);
  ask.closed.reopen();
  expect((await count("2024-11-17", "2024-11-18"))[0]).toEqual(["2024-11-17", 2]);
});
