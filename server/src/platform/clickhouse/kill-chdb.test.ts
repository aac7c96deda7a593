import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { retryOnConnectionLoss } from "../retry-on-connection-loss.ts";
import { sleep } from "../waiting.ts";
import { connectClickHouse } from "./connect-clickhouse.ts";
import { startChdb } from "./start-chdb.ts";

const dir = mkdtempSync(join(tmpdir(), "millrace-kill-chdb-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const rounds = 5;
const batchRows = 200;

test(`${rounds} kills of the child under load lose no acknowledged batch and count none twice`, async () => {
  const lines: string[] = [];
  const store = await startChdb({ dir, log: (line) => void lines.push(line) });
  const { write, read, close } = connectClickHouse(store.url);
  const window = "SETTINGS non_replicated_deduplication_window = 10000";
  for (const query of [
    `CREATE TABLE base (batch UInt32, n UInt32) ENGINE = MergeTree ORDER BY batch ${window}`,
    `CREATE TABLE sums (batch UInt32, rows UInt64) ENGINE = SummingMergeTree ORDER BY batch ${window}`,
    `CREATE TABLE states (batch UInt32, rows AggregateFunction(count)) ENGINE = AggregatingMergeTree ORDER BY batch ${window}`,
    "CREATE MATERIALIZED VIEW to_sums TO sums AS SELECT batch, count() AS rows FROM base GROUP BY batch",
    "CREATE MATERIALIZED VIEW to_states TO states AS SELECT batch, countState() AS rows FROM base GROUP BY batch",
  ]) {
    await write.command({ query });
  }

  let next = 0;
  let loading = true;
  let retried = 0;
  const acknowledged: number[] = [];
  async function writer(): Promise<void> {
    while (loading) {
      const batch = (next += 1);
      let attempts = 0;
      const insert = (): Promise<unknown> => {
        attempts += 1;
        return write.insert({
          table: "base",
          values: Array.from({ length: batchRows }, (_, n) => ({ batch, n })),
          format: "JSONEachRow",
          clickhouse_settings: { insert_deduplication_token: `batch-${batch}` },
        });
      };
      await retryOnConnectionLoss(insert, { deadlineMs: 10_000 });
      acknowledged.push(batch);
      if (attempts > 1) retried += 1;
    }
  }
  const writers = Promise.all([writer(), writer(), writer()]);
  const outagesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await sleep(150 + round * 37);
    const killed = performance.now();
    process.kill(store.pid() ?? 0, "SIGKILL");
    // A reader that asks now is answered by the next child.
    const during = await read.query({ query: "SELECT count() AS n FROM base", format: "JSONEachRow" });
    await during.json();
    outagesMs.push(performance.now() - killed);
    const known = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(known);
  }
  loading = false;
  await writers;

  const counted = async (query: string): Promise<Map<number, number>> => {
    const result = await read.query({ query, format: "JSONEachRow" });
    return new Map((await result.json<{ batch: number; rows: string }>()).map((row) => [row.batch, Number(row.rows)]));
  };
  const expected = new Map(acknowledged.sort((a, b) => a - b).map((batch) => [batch, batchRows]));
  expect(await counted("SELECT batch, count() AS rows FROM base GROUP BY batch ORDER BY batch")).toEqual(expected);
  expect(await counted("SELECT batch, sum(rows) AS rows FROM sums GROUP BY batch ORDER BY batch")).toEqual(expected);
  expect(await counted("SELECT batch, countMerge(rows) AS rows FROM states GROUP BY batch ORDER BY batch")).toEqual(
    expected,
  );
  expect(lines.filter((line) => line.includes("ended unexpectedly"))).toHaveLength(rounds);
  expect(retried).toBeGreaterThan(0);
  expect(Math.max(...outagesMs)).toBeLessThan(10_000);
  await close();
  await store.stop();
}, 60_000);
