import { expect, test } from "vitest";
import { z } from "zod";
import { testClickHouse } from "../testing/stores.ts";
import { countColumn, defineStat, microsColumn, runStat } from "./define-stat.ts";

const { read } = await testClickHouse();

const revenue = defineStat({
  name: "revenue by app",
  sql: `SELECT number AS app, toUInt64(number * 2) AS impressions, toInt64(number) * 4611686018427387904 AS micros
        FROM numbers({apps:UInt32}) WHERE has({only:Array(String)}, toString(number))`,
  params: z.object({ apps: z.number().int().max(100), only: z.array(z.string()) }),
  row: z.object({ app: countColumn, impressions: countColumn, micros: microsColumn }),
});

test("rows come typed: counts as numbers, money past 2^53 to the micro-dollar", async () => {
  expect(await runStat(read, revenue, { apps: 10, only: ["1", "') OR 1 --"] })).toEqual([
    { app: 1, impressions: 2, micros: 4_611_686_018_427_387_904n },
  ]);
  expect(await runStat(read, revenue, { apps: 10, only: [] })).toEqual([]);
});

test("wrong parameters never reach the store", async () => {
  const attempt = runStat(read, revenue, { apps: 1_000, only: [] });
  await expect(attempt).rejects.toThrow("In the parameters of revenue by app, apps:");
});

test("a row that is not as declared is an error that names query and column", async () => {
  const counted = {
    ...revenue,
    name: "overflowing",
    row: z.object({ app: countColumn, impressions: countColumn, micros: countColumn }),
  };
  await expect(runStat(read, counted, { apps: 2, only: ["1"] })).rejects.toThrow(
    "In a row of overflowing, micros: is past 2^53",
  );
  const narrow = defineStat({ ...revenue, name: "narrow", row: z.object({ app: countColumn }) });
  await expect(runStat(read, narrow, { apps: 2, only: ["1"] })).rejects.toThrow(/In a row of narrow.*impressions/);
});

test("the store's refusal keeps its code", async () => {
  const wrong = defineStat({ ...revenue, name: "wrong", sql: "SELECT nope FROM numbers({apps:UInt32})" });
  await expect(runStat(read, wrong, { apps: 1, only: [] })).rejects.toMatchObject({ type: "UNKNOWN_IDENTIFIER" });
});
