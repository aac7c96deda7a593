import { expect, test } from "vitest";
import { z } from "zod";
import { connectClickHouse } from "../../platform/clickhouse/connect-clickhouse.ts";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { askStore } from "./ask-store.ts";

const clickhouse = await testClickHouse();
const clock = { now: () => Date.parse("2024-11-19T12:00:00Z") };

/** Tells apart two runs of the same query. */
const dice = defineStat({
  name: "dice",
  sql: "SELECT rand64() AS rolled, {de:Date} >= {de:Date} AS again",
  params: z.object({ de: z.iso.date() }),
  row: z.object({ rolled: z.string(), again: countColumn }),
});
const broken = defineStat({
  name: "broken",
  sql: "SELECT throwIf(number = 0, 'as asked') AS n FROM numbers(1)",
  params: z.object({}),
  row: z.object({ n: countColumn }),
});

const manyRows = defineStat({
  name: "many",
  sql: "SELECT number AS n FROM numbers({rows:UInt32}) WHERE number >= {from:UInt32}",
  params: z.object({ de: z.iso.date(), rows: z.int(), from: z.int() }),
  row: z.object({ n: countColumn }),
});

test("equal questions at the same time share one answer; a moment later today's numbers are read anew", async () => {
  const ask = askStore({ ...clickhouse, clock });
  const [one, other] = await Promise.all([ask(dice, { de: "2024-11-19" }), ask(dice, { de: "2024-11-19" })]);
  expect(other).toEqual(one);
  await expect.poll(() => ask(dice, { de: "2024-11-19" })).not.toEqual(one);
});

test("other values are another question, and past days are read less often", async () => {
  const ask = askStore({ ...clickhouse, clock });
  const past = await ask(dice, { de: "2024-11-18" });
  expect(await ask(dice, { de: "2024-11-17" })).not.toEqual(past);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await ask(dice, { de: "2024-11-18" })).toEqual(past);
});

test("after rows have come late, past days are read anew, and then kept again", async () => {
  const ask = askStore({ ...clickhouse, clock });
  const before = await ask(dice, { de: "2024-11-18" });
  ask.closed.reopen();
  const after = await ask(dice, { de: "2024-11-18" });
  expect(after).not.toEqual(before);
  expect(await ask(dice, { de: "2024-11-18" })).toEqual(after);
});

test("a day that ended a moment ago is still today", async () => {
  const midnight = { now: () => Date.parse("2024-11-19T00:00:30Z") };
  const ask = askStore({ ...clickhouse, clock: midnight });
  const one = await ask(dice, { de: "2024-11-18" });
  await expect.poll(() => ask(dice, { de: "2024-11-18" })).not.toEqual(one);
});

test("an answer may be kept for as long as its question allows", async () => {
  const ask = askStore({ ...clickhouse, clock });
  const one = await ask(dice, { de: "2024-11-19" }, 60_000);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await ask(dice, { de: "2024-11-19" }, 60_000)).toEqual(one);
  expect(await ask(dice, { de: "2024-11-19" })).not.toEqual(one);
});

test("answers of many rows push out those that were asked long ago, so that their number does not decide about memory", async () => {
  const ask = askStore({ ...clickhouse, clock });
  const first = await ask(dice, { de: "2024-11-18" });
  await ask(manyRows, { de: "2024-11-18", rows: 150_000, from: 0 });
  expect(await ask(dice, { de: "2024-11-18" })).toEqual(first);
  for (const from of [1, 2]) await ask(manyRows, { de: "2024-11-18", rows: 150_000, from });
  expect(await ask(dice, { de: "2024-11-18" })).not.toEqual(first);
});

test("a failed answer is not kept, and a fault of ours is no word about the store", async () => {
  const ask = askStore({ ...clickhouse, clock });
  await expect(ask(broken, {})).rejects.toThrow("as asked");
  await expect(ask(broken, {})).rejects.not.toMatchObject({ code: "unavailable" });
});

test("while the store is away a caller is told to come again", async () => {
  const away = connectClickHouse("http://127.0.0.1:1/none", { retryDeadlineMs: 50 });
  await expect(askStore({ ...away, clock })(dice, { de: "2024-11-19" })).rejects.toMatchObject({
    code: "unavailable",
    status: 503,
  });
  await away.close();
});
