import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keyringOf, signDebugPass } from "./areas/exchange/index.ts";
import { newToken } from "./platform/secrets/token.ts";
import { testRedis } from "./platform/testing/test-redis.ts";
import { testStores } from "./platform/testing/stores.ts";
import { millraceCommands } from "./testing/millrace-commands.ts";

const DEVICE = { os: "android", osv: "14", make: "Google", model: "Pixel 8", w: 1080, h: 2400, pxratio: 3 };
const stores = await testStores();
const redis = await testRedis();
const secret = newToken();
const { run, dirOf } = await millraceCommands({
  DATABASE_URL: stores.pg.url,
  CLICKHOUSE_URL: stores.clickhouse.url,
  MILLRACE_SECRET: secret,
});
const start = (folder: string, args: string[], env: Record<string, string> = {}) =>
  run(folder, ["start", ...args], env);

test("what a start with several processes or one role lacks is said in a sentence", { timeout: 120_000 }, async () => {
  const several = start("several", [], { EXCHANGES: "2" });
  const role = start("role", ["--role", "dashboard"], { DATABASE_URL: "", MILLRACE_SECRET: "" });
  const unknown = start("unknown", ["--role", "seller"]);
  expect(await Promise.all([several, role, unknown].map(({ ended }) => ended()))).toEqual([1, 1, 1]);
  expect(several.text.err).toMatch(/^EXCHANGES=2 needs REDIS_URL: .*\n$/);
  expect(role.text.err).toMatch(/^The role dashboard needs DATABASE_URL and MILLRACE_SECRET: .*\n$/);
  expect(unknown.text.err).toMatch(/^There is no role "seller"; .*\n$/);
});

test(
  "without REDIS_URL a second exchange process refuses to start, and a dashboard may",
  { timeout: 120_000 },
  async () => {
    const first = start("first", ["--role", "exchange"]);
    const address = await first.ready();
    const second = start("second", ["--role", "exchange"]);
    const dashboard = start("dashboard", ["--role", "dashboard"]);
    expect(await second.ended()).toBe(1);
    expect(second.text.err).toMatch(/^Another exchange process uses this database: set the same REDIS_URL .*\n$/);
    const other = await dashboard.ready();
    const statusOf = async (url: string) => (await fetch(url, { method: "POST" })).status;
    // Each has the routes of its role.
    const paths = ["/sdk/v1/ad", "/login.json"];
    expect(await Promise.all(paths.map((path) => statusOf(`${address}${path}`)))).toEqual([400, 404]);
    expect((await Promise.all(paths.map((path) => statusOf(`${other}${path}`))))[0]).toBe(404);
    expect(await Promise.all([first.stop(), dashboard.stop()])).toEqual([0, 0]);
  },
);

test("a process of either role tells the SDK's debugger of its app", { timeout: 120_000 }, async () => {
  const uuid = await someApp();
  const { rows } = await stores.pg.pool.query<{ id: number }>("SELECT id FROM apps WHERE uuid = $1", [uuid]);
  const expiresAt = Math.floor(Date.now() / 1000) + 600;
  const token = signDebugPass(keyringOf([secret]), { appId: rows[0]?.id ?? 0, expiresAt });
  const processes = [start("selling", ["--role", "exchange"]), start("showing", ["--role", "dashboard"])];
  for (const address of await Promise.all(processes.map((each) => each.ready()))) {
    const headers = { "content-type": "application/json" };
    const reply = await fetch(`${address}/sdk/v1/debug`, { method: "POST", headers, body: JSON.stringify({ token }) });
    // The account has no developer site yet.
    expect([reply.status, await reply.json()]).toMatchObject([
      200,
      { app: { uuid, is_live: true }, app_ads: "no_site" },
    ]);
  }
  expect(await Promise.all(processes.map((each) => each.stop()))).toEqual([0, 0]);
});

describe.skipIf(!redis)("EXCHANGES=2", () => {
  test(
    "two processes serve one port with the dashboard behind them; a killed one starts again and its journal is shipped",
    { timeout: 180_000 },
    async () => {
      const platform = start("two", [], { EXCHANGES: "2", REDIS_URL: redis?.url ?? "" });
      const address = await platform.ready();
      const uuid = await someApp();
      const session = async () => {
        const body = {
          app: uuid,
          platform: "android",
          sdk_version: "1.0.0",
          install_id: crypto.randomUUID(),
          device: DEVICE,
        };
        const headers = { "content-type": "application/json", connection: "close" };
        // A connection on its way to a process that is killed is never answered: Node's primary process keeps it.
        const signal = AbortSignal.timeout(10_000);
        const init = { method: "POST", body: JSON.stringify(body), headers, signal };
        return (await fetch(`${address}/sdk/v1/init`, init)).status;
      };
      const pids = async () =>
        Promise.all(
          ["exchange-1", "exchange-2"].map(async (name) =>
            Number(await readFile(join(dirOf("two"), name, "platform.pid"), "utf8")),
          ),
        );
      await expect.poll(session, { timeout: 20_000 }).toBe(200);
      let sessions = 1;
      for (let nth = 0; nth < 10; nth++) if ((await session()) === 200) sessions++;
      // Neither is an exchange's own.
      expect((await fetch(`${address}/docs`)).status).toBe(200);
      expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({ ok: true, parts: { redis: "ok" } });
      const before = await pids();
      process.kill(before[0] ?? 0, "SIGKILL");
      // The other one sells on.
      for (let nth = 0; nth < 5; nth++) if ((await session().catch(() => 0)) === 200) sessions++;
      await expect.poll(async () => (await pids())[0], { timeout: 30_000 }).not.toBe(before[0]);
      for (let nth = 0; nth < 5; nth++) if ((await session().catch(() => 0)) === 200) sessions++;
      expect(sessions).toBeGreaterThan(15);
      // The one that is started again ships what the killed one left, the other within some seconds.
      await expect.poll(counted, { timeout: 60_000, interval: 500 }).toEqual([sessions, sessions]);
      expect(await platform.stop()).toBe(0);
    },
  );
});

/** Sessions, and how many of them are different. */
async function counted(): Promise<number[]> {
  const found = await stores.clickhouse.read.query({
    query: "SELECT count() AS all, uniqExact(event_id) AS ids FROM events WHERE kind = 'session'",
    format: "JSONEachRow",
  });
  const [row] = await found.json<{ all: string; ids: string }>();
  return [Number(row?.all), Number(row?.ids)];
}

async function someApp(): Promise<string> {
  const account = await stores.pg.pool.query<{ id: number }>(
    "INSERT INTO accounts (name) VALUES ('Studio') RETURNING id",
  );
  const { rows } = await stores.pg.pool.query<{ uuid: string }>(
    "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'Puzzle', 'com.example.puzzle', 'android') RETURNING uuid",
    [account.rows[0]?.id],
  );
  return rows[0]?.uuid ?? "";
}
