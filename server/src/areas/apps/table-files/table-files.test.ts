import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TABLE_ORDERS, TableFileStatus } from "@millrace/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Jobs, openJobs } from "../../../platform/jobs/index.ts";
import { silentLog } from "../../../platform/log.ts";
import { readPdf } from "../../../platform/pdf/testing/read-pdf.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";
import { twoApps } from "../testing/two-apps.ts";

const { stores, owner, other, tide, chess } = await twoApps();
const filesDir = await mkdtemp(join(tmpdir(), "table-files-"));
let now = Date.parse("2024-11-19T12:00:00Z");
const LONG = "ds=2019-01-01&de=2024-11-19";

const newJobs = () => openJobs({ pool: stores.pg.pool, log: silentLog, timing: { pollMs: 50 } });
const serverWith = (jobs: Jobs, role?: "SDEV") =>
  appsServer(stores, { now: () => now, jobs, filesDir, ...(role && { role }) });
const jobs = newJobs();
const at = await serverWith(jobs);
beforeAll(() => jobs.start());
afterAll(async () => {
  await jobs.stop();
  await at.stop();
  await rm(filesDir, { recursive: true });
});

type Server = Awaited<ReturnType<typeof serverWith>>;

async function make(account: number, path: string, kind = "pdf", server: Server = at): Promise<TableFileStatus> {
  const { status, body } = await server.send("POST", account, `${path}?${LONG}`, { kind });
  expect(status).toBe(200);
  return TableFileStatus.parse(body);
}
const ofTide = (kind?: string) => make(owner, `/apps/${tide.uuid}/stats_files`, kind);
const statusOf = (account: number, id: string) => at.get(account, `/stats_files/${id}.json`);

async function made(account: number, id: string): Promise<TableFileStatus> {
  for (let tries = 0; tries < 1500; tries++) {
    const status = TableFileStatus.parse((await statusOf(account, id)).body);
    if (status.state === "ready" || status.state === "failed") return status;
    await sleep(20);
  }
  throw new Error("The file was not made in time");
}

const download = (account: number, id: string) =>
  at.server.inject({ url: `/stats_files/${id}`, headers: { "x-account": String(account) } });

test("a file of more than a year is made by a job and kept for a day", async () => {
  const direct = await at.get(owner, `/apps/${tide.uuid}/stats.pdf?${LONG}`);
  expect(direct.status).toBe(422);
  const { id } = await ofTide();
  expect(await made(owner, id)).toEqual({ id, state: "ready", percent: 100, expires_at: "2024-11-20T12:00:00.000Z" });
  const file = await download(owner, id);
  expect(file.headers["content-type"]).toBe("application/pdf");
  expect(file.headers["content-disposition"]).toBe('attachment; filename="Tide-Puzzle-date-2019-01-01-2024-11-19.pdf"');
  const lines = (await readPdf(file.rawPayload)).flat();
  expect(lines[0]).toBe("Tide Puzzle | Millrace at ads.example.com");
  expect(lines.at(-2)).toMatch(/^Total \| 4 \| 3 \| 6 \|/);
});

test("a member of chosen apps gets a file of these, and never one that was made of all apps", async () => {
  const path = "/apps/performance/stats_files";
  const { id: whole } = await make(owner, path, "csv");
  const headers = { "x-account": String(owner), "x-apps": String(chess.id), "content-type": "application/json" };
  const payload = JSON.stringify({ kind: "csv" });
  const asked = await at.server.inject({ method: "POST", url: `${path}?${LONG}`, headers, payload });
  const { id } = TableFileStatus.parse(asked.json());
  expect(id).not.toBe(whole);
  await made(owner, whole);
  const stateOf = async (file: string) => at.server.inject({ url: `/stats_files/${file}.json`, headers });
  await expect.poll(async () => (await stateOf(id)).json<TableFileStatus>().state).toBe("ready");
  // Chess had one request, of the five of both apps.
  const { body } = await at.server.inject({ url: `/stats_files/${id}`, headers });
  expect(body.trimEnd().split("\r\n").at(-1)?.split(",")[3]).toBe("1");
  expect((await stateOf(whole)).statusCode).toBe(404);
});

test("a long CSV file of all apps has the numbers of the table", async () => {
  const { id } = await make(owner, "/apps/performance/stats_files", "csv");
  await made(owner, id);
  const file = await download(owner, id);
  expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8");
  const { body } = await at.get(owner, `/apps/performance/stats?${LONG}&func=stats`);
  const { stats } = (body as { stats: { stats: { id: string; requests: number }[] } }).stats;
  const rows = file.body.trimEnd().split("\r\n").slice(1, -1);
  expect(rows.map((row) => [row.split(",")[0], Number(row.split(",")[3])])).toEqual(
    stats.map(({ id: day, requests }) => [day, requests]),
  );
});

test("an existing file is reused", async () => {
  const first = await ofTide("csv");
  await made(owner, first.id);
  expect((await ofTide("csv")).id).toBe(first.id);
});

test("another account's file is not found, and an unfinished file cannot be downloaded", async () => {
  const { id } = await ofTide();
  await made(owner, id);
  expect((await statusOf(other, id)).status).toBe(404);
  expect((await download(other, id)).statusCode).toBe(404);
  const { rows } = await stores.pg.pool.query<{ uuid: string }>(
    `INSERT INTO table_files (account_id, wish, created_at, expires_at)
     VALUES ($1, '{"app": "x"}', now(), now() + interval '1 day') RETURNING uuid`,
    [other],
  );
  const waiting = rows[0]?.uuid ?? "";
  expect((await download(other, waiting)).statusCode).toBe(409);
  await stores.pg.pool.query("DELETE FROM table_files WHERE uuid = $1", [waiting]);
});

test("a file of all apps is not found by a developer, who may see single apps only", async () => {
  const developer = await serverWith(newJobs(), "SDEV");
  try {
    const all = await make(owner, "/apps/performance/stats_files");
    const one = await ofTide();
    expect((await developer.get(owner, `/stats_files/${all.id}.json`)).status).toBe(404);
    expect((await developer.get(owner, `/stats_files/${one.id}.json`)).status).toBe(200);
  } finally {
    await developer.stop();
  }
});

test("the file of a deleted app fails, and the account's next file is made", async () => {
  const account = await newAccount(stores, "Deleting");
  const { pool } = stores.pg;
  const app = async (name: string) =>
    createApp(pool, account, { name, bundleId: `com.example.${name}`, platform: "ios" });
  const [gone, kept] = [await app("gone"), await app("kept")];
  const first = await make(account, `/apps/${gone.uuid}/stats_files`);
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [gone.id]);
  const second = await make(account, `/apps/${kept.uuid}/stats_files`);
  expect((await made(account, second.id)).state).toBe("ready");
  // The job may have read the app just before it was deleted.
  expect(["failed", "ready"]).toContain((await made(account, first.id)).state);
});

test("accounts take turns: a file does not wait for ten files of another account", async () => {
  const [many, few] = [await newAccount(stores, "Many"), await newAccount(stores, "Few")];
  const bundleId = "com.example.turns";
  const app = await createApp(stores.pg.pool, many, { name: "Many", bundleId, platform: "ios" });
  const ten = await Promise.all(
    TABLE_ORDERS.map((order) =>
      at.send("POST", many, `/apps/${app.uuid}/stats_files?${LONG}&order=${order}`, { kind: "pdf" }),
    ),
  );
  expect(ten.map(({ status }) => status)).toEqual(TABLE_ORDERS.map(() => 200));
  await made(few, (await make(few, "/apps/performance/stats_files")).id);
  const unfinished = await stores.pg.pool.query(
    "SELECT 1 FROM table_files WHERE account_id = $1 AND state IN ('waiting', 'working')",
    [many],
  );
  expect(unfinished.rowCount).toBeGreaterThanOrEqual(5);
  for (const { body } of ten) await made(many, TableFileStatus.parse(body).id);
});

test("an account with twenty pending files is refused, and others are not", async () => {
  const account = await newAccount(stores, "Greedy");
  await stores.pg.pool.query(
    `INSERT INTO table_files (account_id, wish, created_at, expires_at)
     SELECT $1, jsonb_build_object('nth', nth), $2, $3 FROM generate_series(1, 20) AS nth`,
    [account, new Date(now), new Date(now + 1000)],
  );
  const refused = await at.send("POST", account, `/apps/performance/stats_files?${LONG}`, { kind: "pdf" });
  expect(refused.status).toBe(429);
  await stores.pg.pool.query("DELETE FROM table_files WHERE account_id = $1", [account]);
  await ofTide();
});

test("a file is deleted after a day, also from the disk", async () => {
  const { id } = await ofTide();
  await made(owner, id);
  expect(await readdir(filesDir)).toContain(id);
  now += 86_400_000;
  try {
    expect((await download(owner, id)).statusCode).toBe(404);
    await at.apps.start?.();
    expect(await readdir(filesDir)).toEqual([]);
  } finally {
    now -= 86_400_000;
  }
});

test("a pending file is made by the next process if this one ends", { timeout: 60_000 }, async () => {
  const account = await newAccount(stores, "Restarted");
  const { id } = await make(account, "/apps/performance/stats_files");
  await jobs.stop(0);
  const later = newJobs();
  const next = await serverWith(later);
  await later.start();
  try {
    expect((await made(account, id)).state).toBe("ready");
    const file = await next.server.inject({ url: `/stats_files/${id}`, headers: { "x-account": String(account) } });
    expect(file.statusCode).toBe(200);
  } finally {
    await later.stop();
    await next.stop();
  }
});
