import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { NAME_FILE } from "./exchange-processes.ts";
import { systemClock } from "./platform/clock.ts";
import { openDataDir } from "./platform/data-dir.ts";
import { openJournal } from "./platform/journal/journal.ts";
import { silentLog } from "./platform/log.ts";
import { testStores } from "./platform/testing/stores.ts";
import { ALL_ROLES } from "./roles.ts";
import { shipBeforeUpgrade, shipLeftovers } from "./ship-leftovers.ts";

const stores = await testStores();
const { pool } = stores.pg;
const dirs: string[] = [];
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))));

const away = () => Promise.reject(new Error("away"));

/** What a killed process leaves in a journal. */
async function left(dir: string, table: string, row: object): Promise<void> {
  const journal = await openJournal(dir, { ship: away, log: silentLog });
  await journal.append(table, row);
  await journal.close(0);
}

async function rowsIn(dir: string, table: string): Promise<unknown[]> {
  const journal = await openJournal(dir, { ship: away, log: silentLog });
  const rows = [];
  for await (const row of journal.leftovers(table)) rows.push(row);
  await journal.close(0);
  return rows;
}

async function dataDirWith(...folders: string[]): Promise<{ root: string; ids: string[] }> {
  const root = await mkdtemp(join(tmpdir(), "millrace-leftovers-"));
  dirs.push(root);
  const ids = [];
  for (const folder of folders) {
    const id = randomUUID();
    ids.push(id);
    await mkdir(join(root, folder), { recursive: true });
    await left(join(root, folder, "journal"), "events", { event_id: id, kind: "session", at: "2026-03-01 10:00:00" });
    await left(join(root, folder, "notices"), "notices", { id, url: "https://bidder.example/" });
    await left(join(root, folder, "notices", "answers"), "answers", { auctionId: id, ads: [] });
    await writeFile(join(root, folder, NAME_FILE), `${id}\n`);
    await pool.query("INSERT INTO exchange_processes (name) VALUES ($1)", [id]);
  }
  return { root, ids };
}

const ship = (root: string, inUse: string[], heir: string) =>
  shipLeftovers({
    root,
    roles: ALL_ROLES,
    inUse: inUse.map((folder) => join(root, folder)),
    heir: join(root, heir),
    stores: { clickhouse: stores.clickhouse, postgres: stores.pg },
    redisUrl: undefined,
    clock: systemClock,
    log: silentLog,
  });

async function stored(ids: readonly string[]): Promise<string[]> {
  const found = await stores.clickhouse.read.query({
    query: "SELECT event_id AS id FROM events WHERE event_id IN {ids: Array(String)}",
    query_params: { ids },
    format: "JSONEachRow",
  });
  return (await found.json<{ id: string }>()).map(({ id }) => id);
}

async function waitedFor(ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>("SELECT name FROM exchange_processes WHERE name = ANY($1)", [
    ids,
  ]);
  return rows.map(({ name }) => name);
}

test("a single process ships what several left, and sends their notices; nobody waits for them any more", async () => {
  const { root, ids } = await dataDirWith("exchange-1", "exchange-2", "dashboard", "worker");
  await ship(root, ["."], ".");
  expect((await stored(ids)).toSorted()).toEqual(ids.toSorted());
  expect(await waitedFor(ids)).toEqual([]);
  expect(await rowsIn(join(root, "notices"), "notices")).toHaveLength(4);
  expect(await rowsIn(join(root, "notices", "answers"), "answers")).toHaveLength(4);
  // Once.
  await ship(root, ["."], ".");
  expect(await stored(ids)).toHaveLength(4);
  expect(await rowsIn(join(root, "notices"), "notices")).toHaveLength(4);
});

test("fewer processes ship what more of them and a single one left, and leave those alone that run", async () => {
  const { root, ids } = await dataDirWith("exchange-1", "exchange-2", "exchange-3", ".");
  const [own = "", gone = "", running = "", single = ""] = ids;
  const other = await openDataDir(join(root, "exchange-3"));
  onTestFinished(() => other.release());
  await ship(root, ["exchange-1", "dashboard"], "exchange-1");
  expect((await stored(ids)).toSorted()).toEqual([gone, single].toSorted());
  expect((await waitedFor(ids)).toSorted()).toEqual([own, running].toSorted());
  const notices = (await rowsIn(join(root, "exchange-1", "notices"), "notices")) as { id: string }[];
  expect(notices.map(({ id }) => id).toSorted()).toEqual([own, gone, single].toSorted());
});

test("before an upgrade, the journals of killed processes are shipped, and nothing else of theirs is touched", async () => {
  const { root, ids } = await dataDirWith(".", "exchange-1", "exchange-2");
  const running = await openDataDir(join(root, "exchange-2"));
  onTestFinished(() => running.release());
  await shipBeforeUpgrade(root, { clickhouse: stores.clickhouse, clock: systemClock, log: silentLog });
  expect((await stored(ids)).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  expect(await waitedFor(ids)).toHaveLength(3);
  expect(await rowsIn(join(root, "exchange-1", "notices"), "notices")).toHaveLength(1);
});

test("a journal that cannot be opened before an upgrade leaves its folder to the process that runs there", async () => {
  const root = await mkdtemp(join(tmpdir(), "millrace-leftovers-"));
  dirs.push(root);
  await mkdir(join(root, "exchange-1"));
  await writeFile(join(root, "exchange-1", "journal"), "not a folder");
  const warned: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) };
  await shipBeforeUpgrade(root, { clickhouse: stores.clickhouse, clock: systemClock, log });
  expect(warned).toEqual(["a journal is not shipped before the upgrade; it is once that is done"]);
  const dir = await openDataDir(join(root, "exchange-1"));
  await dir.release();
});
