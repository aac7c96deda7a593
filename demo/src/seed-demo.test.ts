import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CampaignBody, FORMATS, PLATFORMS } from "@millrace/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { creativesOf, listCampaigns } from "../../server/src/areas/campaigns/index.ts";
import { filesOnDisk } from "../../server/src/platform/files/stored-files.ts";
import { testStores } from "../../server/src/platform/testing/stores.ts";
import { CATALOGUE } from "./catalogue.ts";
import { clearDemo } from "./clear-demo.ts";
import { fillHistory } from "./history/fill-history.ts";
import { PERSONALITIES } from "./lab/personalities.data.ts";
import { seedDemo } from "./seed-demo.ts";
import type { SeededDemo } from "./seed-demo.ts";

const stores = await testStores();
const filesDir = await mkdtemp(join(tmpdir(), "demo-files-"));
const files = filesOnDisk(filesDir);
afterAll(() => rm(filesDir, { recursive: true }));
const { pool } = stores.pg;

const seed = (labUrl = "http://127.0.0.1:4100", password = "first password") =>
  seedDemo({
    pool,
    files,
    labUrl,
    password,
    hashPassword: async (text) => `hash of ${text}`,
    revenueSharePpm: 800_000,
  });

async function rowsOf<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await pool.query<T>(sql, values)).rows;
}
const countOf = async (table: string) =>
  Number((await rowsOf<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

/** A user, an app and a partner outside the demo. */
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

/** One bidder buys in two regions only, and one has addresses of its own. */
const regionalAt = (lab: string) => [
  { id: "lab-moody", regions: ["americas", "emea"], address: null },
  { id: "lab-performance", regions: null, address: `${lab}/bid/lab-performance/emea` },
];
const REGIONAL = `SELECT id, regions, region_endpoints->>'emea' AS address FROM partners
  WHERE regions IS NOT NULL OR region_endpoints <> '{}' ORDER BY id`;

let own: number;
let first: SeededDemo;
beforeAll(async () => {
  own = await insertStranger();
  first = await seed();
});

test("the publisher has the history's share from its first day on, and a higher one from the next month on", async () => {
  await seed();
  const shares = await rowsOf<{ ppm: number; is_in_history: boolean; is_first_of_month: boolean }>(
    `SELECT s.share_ppm AS ppm, s.from_day < a.created_at::date - 80 AS is_in_history,
       s.from_day > a.created_at::date AND extract(day FROM s.from_day) = 1 AS is_first_of_month
     FROM revenue_shares s JOIN accounts a ON a.id = s.account_id ORDER BY s.from_day`,
  );
  expect(shares).toEqual([
    { ppm: 800_000, is_in_history: true, is_first_of_month: false },
    { ppm: 820_000, is_in_history: false, is_first_of_month: true },
  ]);
});

test("seeding creates three logins, and apps of every platform with zones, floors and bidders", async () => {
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
  // European consent strings refer to a partner by its vendor id.
  const vendors = await rowsOf<{ gvl_id: number }>("SELECT DISTINCT gvl_id FROM partners WHERE active AND demo");
  expect(vendors.map(({ gvl_id: id }) => id >= 4001 && id <= 4014)).toEqual(Array.from({ length: 14 }, () => true));
  expect(await rowsOf(REGIONAL)).toEqual(regionalAt("http://127.0.0.1:4100"));
  expect(await countOf("partner_keys")).toBe(CATALOGUE.length * PERSONALITIES.length * 2 + 1);
  const [floor] = await rowsOf(
    `SELECT floor_micros FROM floors f JOIN apps a ON a.id = app_id WHERE a.platform = 'roku' AND country = 'US' AND format = 'video'`,
  );
  expect(floor).toEqual({ floor_micros: "3080000" });
  // Two zones have rewards of their own.
  expect(await countOf("zones WHERE reward_amount IN (3, 50)")).toBe(2);
});

test("the advertiser has a balance and campaigns: frozen, before its start, with a waiting creative, and three that deliver", async () => {
  const [account] = await rowsOf<{ id: number }>("SELECT id FROM accounts WHERE name = 'Demo Advertiser'");
  const balance = await rowsOf("SELECT -sum(amount_micros)::float8 AS n FROM ledger_lines WHERE account_id = $1", [
    account?.id,
  ]);
  expect(balance).toEqual([{ n: 5_000_000_000 }]);
  const campaigns = await rowsOf(
    `SELECT c.frozen, c.starts_at > now() AS waits, array_agg(r.moderation ORDER BY r.id) AS creatives
     FROM campaigns c JOIN creatives r ON r.campaign_id = c.id WHERE c.account_id = $1 GROUP BY c.id ORDER BY c.id`,
    [account?.id],
  );
  expect(campaigns).toEqual([
    { frozen: true, waits: false, creatives: ["approved", "approved"] },
    { frozen: false, waits: true, creatives: ["approved"] },
    { frozen: false, waits: false, creatives: ["new", "blocked"] },
    { frozen: false, waits: false, creatives: ["approved", "approved", "approved", "approved"] },
    { frozen: false, waits: false, creatives: ["approved"] },
    { frozen: false, waits: false, creatives: ["approved", "approved"] },
  ]);
  const stored = await rowsOf<{ file: string }>("SELECT file FROM uploads ORDER BY file");
  expect(stored.map(({ file }) => file)).toEqual((await readdir(filesDir)).toSorted());
});

test("every campaign passes the form's rules, so that its owner can save it again", async () => {
  const campaigns = await listCampaigns(pool, first.advertiserId, "");
  expect(campaigns).toHaveLength(6);
  for (const { id, fields } of campaigns) {
    const creatives = (await creativesOf(pool, [id])).map((creative) => creative.fields);
    expect([fields.name, CampaignBody.safeParse({ ...fields, creatives }).error?.issues]).toEqual([
      fields.name,
      undefined,
    ]);
  }
});

test("the publisher has three cross promotions of the demo's own apps: one competes, one fills, one is a video", async () => {
  const shown = await rowsOf(
    `SELECT a.name AS promoted, c.price_micros::int AS price, cardinality(c.app_ids) AS apps, c.frozen, c.format,
       (SELECT v.video->>'codecs' FROM uploads v WHERE v.id = c.video_id) AS codecs,
       l.width > l.height AND p.height > p.width AS "fitsScreens"
     FROM inhouse_campaigns c JOIN apps a ON a.id = c.ad_app_id JOIN accounts o ON o.id = c.account_id
       JOIN uploads l ON l.id = c.landscape_id JOIN uploads p ON p.id = c.portrait_id
     WHERE o.name = 'Demo Publisher' ORDER BY c.id`,
  );
  const any = { frozen: false, fitsScreens: true };
  expect(shown).toEqual([
    { promoted: "Tide Puzzle", price: 2_000_000, apps: 2, format: "image", codecs: null, ...any },
    { promoted: "Lantern Runner", price: 0, apps: 4, format: "image", codecs: null, ...any },
    { promoted: "Star Lanes", price: 0, apps: 1, format: "reward", codecs: "H.264", ...any },
  ]);
});

test("seeding again changes only the password and the bidders' addresses", async () => {
  await pool.query("UPDATE apps SET name = 'Renamed' WHERE id = $1", [first.appIds.get("word-orchard-ios")]);
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [first.appIds.get("small-kitchen-roku")]);
  await pool.query("UPDATE partners SET active = true WHERE id = 'lab-silent'");
  await pool.query("UPDATE campaigns SET deleted_at = now() WHERE name LIKE 'Night%'");
  const tables = ["apps", "users", "accounts", "zones", "floors", "partners", "partner_keys", "memberships"];
  tables.push("campaigns", "creatives", "inhouse_campaigns", "uploads", "ledger_postings");
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
  expect(await rowsOf(REGIONAL)).toEqual(regionalAt("http://127.0.0.1:4200"));
});

/** Books a refill in the ledger as an admin's refill does. */
const refill = (reference: string, account: string) =>
  pool.query(
    `WITH posting AS (
       INSERT INTO ledger_postings (reference, kind, at, on_day) VALUES ($1, 'refill', now(), now()) RETURNING id
     ), line AS (SELECT * FROM (VALUES (0, 'cash', 1), (1, 'campaign_balance', -1)) AS v(line, book, sign))
     INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros)
     SELECT posting.id, line, book, CASE book WHEN 'cash' THEN NULL ELSE a.id END, sign * 5000000
     FROM posting, line, accounts a WHERE a.name = $2`,
    [reference, account],
  );

test("clearing deletes the demo's postings, and the rest of the ledger stays append-only", async () => {
  await refill("refill demo", "Demo Advertiser");
  await refill("refill other", "Somebody");
  await pool.query(`
    INSERT INTO users (email, name) VALUES ('gst-1@users.millrace.invalid', 'Guest'), ('signed-up@example.com', 'Signed up');
    INSERT INTO memberships SELECT u.id, a.id, 'GST' FROM users u, accounts a WHERE u.name = 'Guest' AND a.name = 'Demo Publisher';
    INSERT INTO accounts (name) VALUES ('Signed up');
    INSERT INTO memberships SELECT u.id, a.id, 'owner' FROM users u, accounts a WHERE u.name = 'Signed up' AND a.name = 'Signed up';
    INSERT INTO memberships SELECT u.id, a.id, 'manager' FROM users u, accounts a WHERE u.name = 'Signed up' AND a.name = 'Demo Publisher'`);

  await pool.query(`
    INSERT INTO billing_details (account_id, legal_name, address, country, is_business, changed_at)
      SELECT id, name, 'x', 'DE', true, now() FROM accounts WHERE name IN ('Demo Advertiser', 'Somebody');
    INSERT INTO invoice_numbers VALUES ('invoice', 2026, 1), ('invoice', 2025, 1);
    INSERT INTO invoices (kind, series, year, serial, number, account_id, issued_at, supplied_on, posting_id, amount_micros,
      carried_in_micros, carried_out_micros, net_cents, vat_cents, treatment, vat_country, rate_basis_points, platform, party)
    SELECT 'invoice', 'invoice', v.year, 1, v.year, l.account_id, now(), '2026-10-31', l.posting_id, 0, 0, 0, 0, 0, 'domestic', 'DE', 1900,
      '{}', '{}'
    FROM (VALUES (2026, 'Demo Advertiser'), (2025, 'Somebody')) AS v(year, account)
      JOIN accounts a ON a.name = v.account
      JOIN LATERAL (SELECT * FROM ledger_lines WHERE account_id = a.id ORDER BY posting_id DESC LIMIT 1) l ON true`);

  await clearDemo({ pool, write: stores.clickhouse.write });

  expect(await rowsOf("SELECT number FROM invoices")).toEqual([{ number: "2025" }]);
  expect(await rowsOf("SELECT year FROM invoice_numbers")).toEqual([{ year: 2025 }]);
  expect(await rowsOf("SELECT legal_name FROM billing_details")).toEqual([{ legal_name: "Somebody" }]);
  await expect(pool.query("DELETE FROM invoices")).rejects.toThrow("is only added to");
  expect(await rowsOf("SELECT reference FROM ledger_postings")).toEqual([{ reference: "refill other" }]);
  expect(await rowsOf("SELECT count(*)::int AS n, sum(amount_micros)::int AS sum FROM ledger_lines")).toEqual([
    { n: 2, sum: 0 },
  ]);
  expect(await rowsOf("SELECT name FROM users ORDER BY name")).toEqual([{ name: "Signed up" }, { name: "Somebody" }]);
  for (const statement of ["DELETE FROM ledger_lines", "UPDATE ledger_postings SET reason = 'x'"]) {
    await expect(pool.query(statement)).rejects.toThrow("is only added to");
  }

  await pool.query("DELETE FROM users WHERE name = 'Signed up'; DELETE FROM accounts WHERE name = 'Signed up'");
  first = await seed();
});

test("clearing removes the demo from both stores, rollups included, and nothing else", async () => {
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
        (SELECT uniqExact(app_id) FROM app_lifetime) AS apps, (SELECT count() FROM campaign_hourly) AS campaigns, (SELECT count() FROM stats_daily WHERE app_id != {own:UInt32}) AS others`,
      query_params: { own },
      format: "JSONEachRow",
    });
    return (await found.json<Record<string, string>>())[0];
  };
  const before = await sums();
  const { appIds, campaigns, inhouse, sinceMs } = first;
  await fillHistory({
    write,
    seed: "test",
    untilMs: sinceMs,
    days: 1,
    appIds,
    campaigns,
    inhouse,
    revenueSharePpm: 800_000,
    rest: 0,
  });
  const written = await sums();
  expect(Number(written?.["daily"])).toBeGreaterThan(Number(before?.["daily"]));
  expect(Number(written?.["campaigns"])).toBeGreaterThan(0);

  // What its campaigns have spent.
  await pool.query(`
    INSERT INTO account_budgets (account_id, spent_micros, leased_micros) SELECT id, 5, 5 FROM accounts WHERE demo;
    INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros, leased_micros) SELECT id, account_id, 5, 5 FROM campaigns;
    INSERT INTO campaign_days (campaign_id, day, spent_micros) SELECT id, now(), 5 FROM campaigns;
    INSERT INTO budget_leases (id, campaign_id, account_id, amount_micros, expires_at)
    SELECT 'demo ' || id, id, account_id, 5, now() FROM campaigns`);
  const cleared = await clearDemo({ pool, write });
  expect(cleared.apps).toBe(CATALOGUE.length);
  expect(cleared.files.toSorted()).toEqual((await readdir(filesDir)).toSorted());

  expect(await sums()).toEqual(before);
  expect(before).toMatchObject({ auctions: "1", daily: "1", others: "0", campaigns: "0" });
  const budgets = ["account_budgets", "campaign_budgets", "campaign_days", "budget_leases"];
  for (const table of ["campaigns", "creatives", "inhouse_campaigns", "uploads", "revenue_shares", ...budgets])
    expect([table, await countOf(table)]).toEqual([table, 0]);
  for (const table of ["users", "accounts", "partners", "apps", "zones", "partner_keys", "memberships"]) {
    expect([table, await countOf(table)]).toEqual([table, 1]);
  }
  const marks = await read.query({ query: "EXISTS TABLE demo_history", format: "JSONEachRow" });
  expect(await marks.json()).toEqual([{ result: 0 }]);
  expect(await clearDemo({ pool, write })).toEqual({ apps: 0, files: [] });
});
