import { expect, test } from "vitest";
import { runStat } from "../../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../../platform/testing/stores.ts";
import { hourlySums } from "../hourly-sums.stat.ts";
import { bindScope } from "../scope.ts";
import { auction, keep, scopeOf } from "../testing/some-rows.ts";
import { retireRawRows } from "./retire-raw-rows.ts";

const clickhouse = await testClickHouse();
const { read, write } = clickhouse;
const NOW = Date.parse("2025-06-01T00:00:00Z");
const retire = (store: Parameters<typeof retireRawRows>[0] = clickhouse) =>
  // What was just written counts as quiet.
  retireRawRows(store, NOW, { days: { auctions: 30, events: 30 }, quietMs: NOW - Date.now() - 5000 });

/** The process dies before the rows are dropped, or right after. */
async function cutOff(when: "before" | "after"): Promise<void> {
  const dying = Object.create(write) as typeof write;
  dying.command = async (params) => {
    const isDrop = params.query.includes("DROP PARTITION");
    if (isDrop && when === "before") throw new Error("cut off");
    const done = await write.command(params);
    if (isDrop) throw new Error("cut off");
    return done;
  };
  await expect(retire({ read, write: dying })).rejects.toThrow("cut off");
}

const scope = scopeOf("2024-04-09", "2024-04-09", { providers: ["aurora"] });
const sent = async () =>
  (await runStat(read, hourlySums(scope), bindScope(scope)))
    .filter(({ requests }) => requests > 0)
    .map(({ id, requests }) => `${id.slice(11, 13)}: ${requests}`);
const ask = (...times: string[]) =>
  keep(clickhouse, { auctions: times.map((time) => auction(`2024-04-09T${time}:00Z`)) });

test("runs that are cut off before or after a month is dropped change no number, however often, nor do late rows", async () => {
  await ask("10:00", "10:10");
  expect(await sent()).toEqual(["10: 2"]);
  for (let nth = 0; nth < 3; nth++) {
    await cutOff("before");
    expect(await sent()).toEqual(["10: 2"]);
  }
  // Late rows lie beside those that were not dropped, and then take their place.
  await ask("10:20");
  await cutOff("before");
  expect(await sent()).toEqual(["10: 3"]);
  await write.command({ query: "OPTIMIZE TABLE auctions FINAL" });
  await cutOff("after");
  expect(await sent()).toEqual(["10: 3"]);
  expect(await retire()).toEqual([]);
  await ask("10:30", "11:00");
  for (const when of ["before", "before", "after"] as const) {
    await cutOff(when);
    expect(await sent()).toEqual(["10: 4", "11: 1"]);
  }
  await ask("11:10");
  expect(await retire()).toEqual([{ table: "auctions", month: "202404" }]);
  expect(await sent()).toEqual(["10: 4", "11: 2"]);
  await ask("11:20");
  expect(await retire()).toEqual([{ table: "auctions", month: "202404" }]);
  expect(await retire()).toEqual([]);
  expect(await sent()).toEqual(["10: 4", "11: 3"]);
  // What is kept of it stays the same when the store merges it.
  for (const table of ["sent_hourly", "retired_months"])
    await write.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  expect(await sent()).toEqual(["10: 4", "11: 3"]);
});

test("a month that is larger than a server drops by itself is dropped", async () => {
  await keep(clickhouse, { auctions: [auction("2024-02-01T10:00:00Z")] });
  const small = { max_partition_size_to_drop: "1" } as const;
  const strict = Object.create(write) as typeof write;
  strict.command = ({ clickhouse_settings, ...params }) =>
    write.command({ ...params, clickhouse_settings: { ...small, ...clickhouse_settings } });
  await expect(strict.command({ query: "ALTER TABLE auctions DROP PARTITION ID '202402'" })).rejects.toThrow(/size/i);
  expect(await retire({ read, write: strict })).toEqual([{ table: "auctions", month: "202402" }]);
});
