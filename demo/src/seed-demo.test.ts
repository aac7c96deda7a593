import { FORMATS, PLATFORMS } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { testStores } from "../../server/src/platform/testing/stores.ts";
import { CATALOGUE } from "./catalogue.ts";
import { clearDemo } from "./clear-demo.ts";
import { fillHistory } from "./history/fill-history.ts";
import { PERSONALITIES } from "./lab/personalities.data.ts";
import { seedDemo } from "./seed-demo.ts";
import type { SeededDemo } from "./seed-demo.ts";

const stores = await testStores();
const { pool } = stores.pg;

const seed = (labUrl = "http://127.0.0.1:4100", password = "first password") =>
  seedDemo({ pool, labUrl, password, hashPassword: async (text) => `hash of ${text}` });

async function rowsOf<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await pool.query<T>(sql, values)).rows;
}
const countOf = async (table: string) =>
  Number((await rowsOf<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

/** Somebody who has nothing to do with the demo. */
async function insertStranger(): Promise<number> {
  await pool.query(`
    INSERT INTO users (email, name, password_hash) VALUES ('somebody@example.com', 'Somebody', 'x');
    INSERT INTO accounts (name) VALUES ('Somebody');
    INSERT INTO memberships SELECT u.id, a.id, 'owner' FROM users u, accounts a WHERE u.name = 'Somebody' AND a.name = 'Somebody';
    INSERT INTO partners (id, kind, name, endpoint, media_types) VALUES ('real', 'openrtb', 'Real', 'http://real.example/', '{banner}');
    INSERT INTO apps (account_id, name, bundle_id, platform) SELECT id, 'Own', 'com.example.own', 'ios' FROM accounts WHERE name = 'Somebody';
    INSERT INTO zones (app_id, zone, name, format) SELECT id, 'top', 'Top', 'banner' FROM apps WHERE name = 'Own';
    INSERT INTO partner_keys (app_id, partner_id, format, keys) SELECT id, 'real', 'banner', '{}' FROM apps WHERE name = 'Own'`);
  return (await rowsOf<{ id: number }>("SELECT id FROM apps WHERE name = 'Own'"))[0]?.id ?? expect.fail("no app");
}

let own: number;
let first: SeededDemo;
beforeAll(async () => {
  own = await insertStranger();
  first = await seed();
});

test("three logins, and the apps of every platform with their zones, floors and bidders", async () => {
  expect(first.logins.map(({ email }) => email)).toEqual([
    "publisher@demo.test",
    "advertiser@demo.test",
    "admin@demo.test",
  ]);
  expect(await rowsOf("SELECT DISTINCT password_hash AS h FROM users WHERE demo")).toEqual([
    { h: "hash of first password" },
  ]);
  expect(first.appIds.size).toBe(CATALOGUE.length);
  const platforms = await rowsOf<{ platform: string }>("SELECT DISTINCT platform FROM apps WHERE demo");
  expect(platforms.map(({ platform }) => platform).sort()).toEqual(
    PLATFORMS.filter((platform) => platform !== "others").sort(),
  );
  const formats = await rowsOf<{ format: string }>("SELECT DISTINCT format FROM zones");
  expect(formats.map(({ format }) => format).sort()).toEqual([...FORMATS].sort());
  expect(await countOf("partners WHERE demo")).toBe(PERSONALITIES.length);
  expect(await countOf("partners WHERE active AND demo")).toBe(14);
  expect(await countOf("partner_keys")).toBe(CATALOGUE.length * PERSONALITIES.length * 2 + 1);
  const [floor] = await rowsOf(
    `SELECT floor_micros FROM floors f JOIN apps a ON a.id = app_id WHERE a.platform = 'roku' AND country = 'US' AND format = 'video'`,
  );
  expect(floor).toEqual({ floor_micros: "3080000" });
});

test("seeding again changes the password and the bidders' addresses, and nothing else", async () => {
  await pool.query("UPDATE apps SET name = 'Renamed' WHERE id = $1", [first.appIds.get("word-orchard-ios")]);
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [first.appIds.get("small-kitchen-roku")]);
  await pool.query("UPDATE partners SET active = true WHERE id = 'lab-silent'");
  const tables = ["apps", "users", "accounts", "zones", "floors", "partners", "partner_keys", "memberships"];
  const before = await Promise.all(tables.map(countOf));

  const second = await seed("http://127.0.0.1:4200", "second password");

  expect(await Promise.all(tables.map(countOf))).toEqual(before);
  expect(second.sinceMs).toBe(first.sinceMs);
  expect(second.appKeys.has("small-kitchen-roku")).toBe(false);
  expect(second.appKeys.get("word-orchard-ios")).toBe(first.appKeys.get("word-orchard-ios"));
  expect(await rowsOf("SELECT DISTINCT password_hash AS h FROM users WHERE demo")).toEqual([
    { h: "hash of second password" },
  ]);
  expect(await rowsOf("SELECT endpoint, active FROM partners WHERE id IN ('lab-silent', 'real') ORDER BY id")).toEqual([
    { endpoint: "http://127.0.0.1:4200/bid/lab-silent", active: true },
    { endpoint: "http://real.example/", active: true },
  ]);
});

test("clearing removes the demo from both stores, rollups included, and nothing of anybody else", async () => {
  const { write, read } = stores.clickhouse;
  const at = (Date.now() / 1000).toFixed(3);
  await write.insert({
    table: "auctions",
    values: [
      { at, auction_id: crypto.randomUUID(), imp_id: "1", app_id: own, zone: "top", format: "banner", country: "DE" },
    ],
    format: "JSONEachRow",
    clickhouse_settings: { insert_deduplication_token: "own" },
  });
  const sums = async () => {
    const found = await read.query({
      query: `SELECT (SELECT count() FROM auctions) AS auctions, (SELECT count() FROM events) AS events,
        (SELECT sum(requests) FROM stats_hourly) AS hourly, (SELECT sum(requests) FROM stats_daily) AS daily,
        (SELECT uniqExact(app_id) FROM app_lifetime) AS apps, (SELECT count() FROM stats_daily WHERE app_id != {own:UInt32}) AS others`,
      query_params: { own },
      format: "JSONEachRow",
    });
    return (await found.json<Record<string, string>>())[0];
  };
  const before = await sums();
  const { appIds, sinceMs } = first;
  await fillHistory({ write, seed: "test", untilMs: sinceMs, days: 1, appIds, revenueSharePpm: 800_000, rest: 0 });
  expect(Number((await sums())?.["daily"])).toBeGreaterThan(Number(before?.["daily"]));

  expect(await clearDemo({ pool, write })).toEqual({ apps: CATALOGUE.length });

  expect(await sums()).toEqual(before);
  expect(before).toMatchObject({ auctions: "1", daily: "1", others: "0" });
  for (const table of ["users", "accounts", "partners", "apps", "zones", "partner_keys", "memberships"]) {
    expect([table, await countOf(table)]).toEqual([table, 1]);
  }
  const marks = await read.query({ query: "EXISTS TABLE demo_history", format: "JSONEachRow" });
  expect(await marks.json()).toEqual([{ result: 0 }]);
  expect(await clearDemo({ pool, write })).toEqual({ apps: 0 });
});
