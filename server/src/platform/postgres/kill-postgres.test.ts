import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { retryOnConnectionLoss } from "../retry-on-connection-loss.ts";
import { sleep } from "../waiting.ts";
import { connectPostgres } from "./connect-postgres.ts";
import { startPostgres } from "./start-postgres.ts";

const dir = mkdtempSync(join(tmpdir(), "millrace-kill-pg-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const rounds = 5;

test(`${rounds} kills of the server under load lose no acknowledged posting and post none twice`, async () => {
  const lines: string[] = [];
  const server = await startPostgres({ dir, log: (line) => void lines.push(line) });
  const { pool, close } = connectPostgres(server.url, { max: 4 });
  await pool.query("create table postings (id int primary key, micros bigint not null)");
  await pool.query("create table balance (micros bigint not null)");
  await pool.query("insert into balance values (0)");

  /** A posting that counts once however often it is sent: only a new row changes the balance. */
  const post = (id: number): Promise<unknown> =>
    pool.query(
      `with new as (insert into postings values ($1, 5) on conflict do nothing returning micros)
       update balance set micros = balance.micros + new.micros from new`,
      [id],
    );
  let next = 0;
  let loading = true;
  let retried = 0;
  const acknowledged: number[] = [];
  async function writer(): Promise<void> {
    while (loading) {
      const id = (next += 1);
      let attempts = 0;
      const attempt = (): Promise<unknown> => {
        attempts += 1;
        return post(id);
      };
      await retryOnConnectionLoss(attempt, { deadlineMs: 10_000 });
      acknowledged.push(id);
      if (attempts > 1) retried += 1;
    }
  }
  const writers = Promise.all([writer(), writer(), writer()]);
  const outagesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await sleep(150 + round * 37);
    const killed = performance.now();
    process.kill(Number.parseInt(readFileSync(join(dir, "cluster", "postmaster.pid"), "utf8"), 10), "SIGKILL");
    await expect.poll(() => lines.filter((line) => line.includes("ended unexpectedly")).length).toBe(round + 1);
    const known = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(known + 3);
    outagesMs.push(performance.now() - killed);
  }
  loading = false;
  await writers;

  const { rows } = await pool.query<{ id: number }>("select id from postings order by id");
  expect(rows.map((row) => row.id)).toEqual(acknowledged.sort((a, b) => a - b));
  const { rows: sums } = await pool.query("select micros from balance");
  expect(sums).toEqual([{ micros: String(acknowledged.length * 5) }]);
  expect(retried).toBeGreaterThan(0);
  expect(Math.max(...outagesMs)).toBeLessThan(10_000);
  await close();
  await server.stop();
}, 60_000);
