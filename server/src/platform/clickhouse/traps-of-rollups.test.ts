import { describe, expect, test } from "vitest";
import { testClickHouse } from "../testing/stores.ts";

// The engine's traps for tables that are summed up, as `traps.test.ts` has those of the engine as a library.
const { read, write } = await testClickHouse();

describe("6. a batch that is sent again", () => {
  const table = (name: string, engine: string, columns: string, window: number): string =>
    `CREATE TABLE ${name} (${columns}) ENGINE = ${engine} ORDER BY k SETTINGS non_replicated_deduplication_window = ${window}`;
  const batch = Array.from({ length: 100 }, (_, n) => ({ k: n % 3, v: 1 }));

  async function count(prefix: string, window: { base: number; rollup: number }, token: (n: number) => string) {
    await write.command({ query: table(`${prefix}_base`, "MergeTree", "k UInt8, v UInt32", window.base) });
    const sums = table(`${prefix}_sum`, "SummingMergeTree", "k UInt8, n UInt64", window.rollup);
    const states = "k UInt8, n AggregateFunction(count), v AggregateFunction(sum, UInt32)";
    await write.command({ query: sums });
    await write.command({ query: table(`${prefix}_agg`, "AggregatingMergeTree", states, window.rollup) });
    const select = `FROM ${prefix}_base GROUP BY k`;
    await write.command({
      query: `CREATE MATERIALIZED VIEW ${prefix}_mv1 TO ${prefix}_sum AS SELECT k, count() AS n ${select}`,
    });
    await write.command({
      query: `CREATE MATERIALIZED VIEW ${prefix}_mv2 TO ${prefix}_agg AS SELECT k, countState() AS n, sumState(v) AS v ${select}`,
    });
    for (let n = 0; n < 3; n += 1) {
      await write.insert({
        table: `${prefix}_base`,
        values: batch,
        format: "JSONEachRow",
        clickhouse_settings: token(n) === "" ? {} : { insert_deduplication_token: token(n) },
      });
    }
    const found = await read.query({
      query: `SELECT (SELECT toUInt32(count()) FROM ${prefix}_base) AS base,
      (SELECT toUInt32(sum(n)) FROM ${prefix}_sum) AS sum, (SELECT toUInt32(countMerge(n)) FROM ${prefix}_agg) AS agg`,
      format: "JSONEachRow",
    });
    return (await found.json<object>())[0];
  }

  test("counts again in the rollup where the window is on the base table alone", async () => {
    expect(await count("half", { base: 100, rollup: 0 }, () => "t")).toEqual({ base: 100, sum: 300, agg: 300 });
  });

  test("counts once everywhere with the window on both and its token", async () => {
    expect(await count("whole", { base: 100, rollup: 100 }, () => "t")).toEqual({ base: 100, sum: 100, agg: 100 });
  });

  test("is not taken for another batch with the same rows, which has its own token", async () => {
    const each = await count("twins", { base: 100, rollup: 100 }, (n) => `t${n}`);
    expect(each).toEqual({ base: 300, sum: 300, agg: 300 });
  });

  test("without a token is taken for one: identical batches are dropped", async () => {
    expect(await count("bare", { base: 100, rollup: 100 }, () => "")).toMatchObject({ base: 100 });
  });
});

test("9. an AggregatingMergeTree refuses plain columns beside its states", async () => {
  const columns = "k UInt8, n UInt64, states AggregateFunction(count)";
  const plain = write.command({ query: `CREATE TABLE plain (${columns}) ENGINE = AggregatingMergeTree ORDER BY k` });
  await expect(plain).rejects.toMatchObject({ code: "36", message: expect.stringContaining("Column(s) n") });
});
