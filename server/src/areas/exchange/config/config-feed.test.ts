import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { connectPostgres } from "../../../platform/postgres/connect-postgres.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { keyReader, setPartnerKeys, upsertPartner } from "../../demand-partners/index.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { configFeed } from "./config-feed.ts";

const stores = await testStores();
const { pool } = stores.pg;

async function until(holds: () => boolean, withinMs = 5000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error("the condition was not met in time");
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

async function insertApp(bundleId: string): Promise<{ id: number; uuid: string; accountId: number }> {
  const account = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
  const accountId = account.rows[0]?.id ?? 0;
  const app = await pool.query<{ id: number; uuid: string }>(
    "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'Puzzle', $2, 'android') RETURNING id, uuid",
    [accountId, bundleId],
  );
  return { id: app.rows[0]?.id ?? 0, uuid: app.rows[0]?.uuid ?? "", accountId };
}

const source = { pool, partnerKeys: keyReader(testSealer, silentLog) };

const partner = somePartner({ id: "north", name: "North", media_types: ["banner", "video"], gvl_id: 12 });

test("a change takes effect within five seconds without a reload", async () => {
  const feed = configFeed(source, silentLog);
  await feed.start();
  try {
    const app = await insertApp("com.example.puzzle");
    await until(() => feed.current()?.byUuid.has(app.uuid) === true);
    await upsertPartner(pool, partner);
    expect(
      await setPartnerKeys(pool, testSealer, app.accountId, {
        app_id: app.id,
        partner_id: "north",
        format: "banner",
        keys: { placement: "p1" },
        enabled: true,
      }),
    ).toBe(true);
    await until(() => feed.current()?.byUuid.get(app.uuid)?.demand[0]?.banner !== undefined);
    await pool.query("INSERT INTO floors (app_id, country, format, floor_micros) VALUES ($1, 'DE', null, 1500000)", [
      app.id,
    ]);
    await pool.query("UPDATE apps SET kids = true, blocked_domains = '{bad.example}' WHERE id = $1", [app.id]);
    await until(() => feed.current()?.byUuid.get(app.uuid)?.facts.childDirected === true);
    await until(() => feed.current()?.byUuid.get(app.uuid)?.facts.floors.length === 1);
    expect(feed.current()?.byBundle.get("com.example.puzzle")?.[0]).toMatchObject({
      facts: { live: true, blockedAdvertisers: ["bad.example"], floors: [{ country: "DE", floorMicros: 1_500_000 }] },
      demand: [{ partner: { id: "north", gvlId: 12 }, banner: { placement: "p1" }, video: null, isOff: false }],
    });
    await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [app.id]);
    await until(() => feed.current()?.byUuid.has(app.uuid) === false);
  } finally {
    await feed.stop();
  }
});

test("keys are set for an account's own apps only", async () => {
  const [mine, theirs] = [await insertApp("com.example.mine"), await insertApp("com.example.theirs")];
  await upsertPartner(pool, partner);
  const keys = { app_id: theirs.id, partner_id: "north", format: "video", keys: {}, enabled: true } as const;
  expect(await setPartnerKeys(pool, testSealer, mine.accountId, keys)).toBe(false);
  expect(await setPartnerKeys(pool, testSealer, theirs.accountId, keys)).toBe(true);
});

test("the same configuration has the same version in every process", async () => {
  const [one, other] = [configFeed(source, silentLog), configFeed(source, silentLog)];
  await one.reload();
  await other.reload();
  expect(one.current()?.version).toBe(other.current()?.version);
  await Promise.all([one.stop(), other.stop()]);
});

test("a change that commits after a newer one is not missed", async () => {
  const feed = configFeed(source, silentLog);
  const slow = await insertApp("com.example.slow");
  const quick = await insertApp("com.example.quick");
  await feed.reload();
  const client = await pool.connect();
  await client.query("BEGIN");
  await client.query("UPDATE apps SET name = 'Slow' WHERE id = $1", [slow.id]);
  await pool.query("UPDATE apps SET name = 'Quick' WHERE id = $1", [quick.id]);
  await feed.reload();
  expect([slow, quick].map(({ id }) => feed.current()?.byId.get(id)?.name)).toEqual(["Puzzle", "Quick"]);
  await client.query("COMMIT");
  client.release();
  await feed.reload();
  expect(feed.current()?.byId.get(slow.id)?.name).toBe("Slow");
  await feed.stop();
});

test("a change without rows is read once, however long an older transaction stays open", async () => {
  const client = await pool.connect();
  await client.query("BEGIN");
  await client.query("SELECT pg_current_xact_id()");
  let timesRead = 0;
  const feed = configFeed(
    { ...source, campaigns: [{ renewAll: async () => void (timesRead += 1), renew: async () => undefined }] },
    silentLog,
  );
  await feed.reload();
  await pool.query("TRUNCATE floors");
  await feed.reload();
  expect(timesRead).toBe(2);
  await feed.reload();
  await client.query("COMMIT");
  client.release();
  await feed.reload();
  expect(timesRead).toBe(2);
  await feed.stop();
});

test("a change only reads and replaces the changed app", async () => {
  const [changed, other] = [await insertApp("com.example.changed"), await insertApp("com.example.other")];
  const read: number[] = [];
  const feed = configFeed(
    {
      ...source,
      partnerKeys: Object.assign(
        (...[db, ids]: Parameters<typeof source.partnerKeys>) => {
          read.push(...ids);
          return source.partnerKeys(db, ids);
        },
        { partners: source.partnerKeys.partners },
      ),
    },
    silentLog,
  );
  await feed.reload();
  const before = feed.current();
  read.length = 0;
  await pool.query("INSERT INTO floors (app_id, floor_micros) VALUES ($1, 100)", [changed.id]);
  await feed.reload();
  expect(read).toEqual([changed.id]);
  expect(feed.current()?.byId.get(changed.id)?.facts.floors).toEqual([{ floorMicros: 100 }]);
  expect(feed.current()?.byId.get(other.id)).toBe(before?.byId.get(other.id));
  await feed.reload();
  expect(read).toEqual([changed.id]);
  await feed.stop();
});

test("a running SDK causes no change of the configuration", async () => {
  const app = await insertApp("com.example.seen");
  const versions = async () => (await pool.query("SELECT * FROM config_versions ORDER BY kind, id")).rows;
  const before = await versions();
  await pool.query("UPDATE apps SET sdk_version = '1.0.0', sdk_seen_at = now() WHERE id = $1", [app.id]);
  expect(await versions()).toEqual(before);
});

test("an app that awaits moderation takes no memory, and serves with its floors, blocks and keys once approved", async () => {
  const feed = configFeed(source, silentLog);
  const app = await insertApp("com.example.waiting");
  await upsertPartner(pool, partner);
  const keys = { app_id: app.id, partner_id: "north", format: "banner", keys: { placement: "p" } } as const;
  await setPartnerKeys(pool, testSealer, app.accountId, keys);
  await pool.query(
    `UPDATE apps SET moderation = 'check', test_devices = '{6f9619ff-8b86-4d01-b42d-00cf4fc964ff}', kids = true,
       blocked_categories = ARRAY(SELECT 'IAB7-' || n FROM generate_series(1, 45) n),
       blocked_domains = ARRAY(SELECT 'shop' || n || '.example' FROM generate_series(1, 500) n) WHERE id = $1`,
    [app.id],
  );
  await pool.query(
    `INSERT INTO floors (app_id, country, floor_micros)
     SELECT $1, chr(65 + n / 26) || chr(65 + n % 26), 1 FROM generate_series(0, 675) n`,
    [app.id],
  );
  await feed.reload();
  const [waiting] = feed.current()?.byBundle.get("com.example.waiting") ?? [];
  expect(waiting?.facts).toMatchObject({
    live: false,
    floors: [],
    blockedAdvertisers: [],
    childDirected: true,
  });
  expect([...(waiting?.testDevices ?? [])]).toEqual(["6f9619ff-8b86-4d01-b42d-00cf4fc964ff"]);
  expect(waiting?.facts.blockedCategories).not.toContain("IAB7-1");
  // All partners are present, so that the auction can report why one was not asked.
  expect(waiting?.demand).toMatchObject([{ partner: { id: "north" }, banner: null, video: null }]);
  await pool.query("UPDATE apps SET moderation = 'live' WHERE id = $1", [app.id]);
  await feed.reload();
  const live = feed.current()?.byId.get(app.id);
  expect([live?.facts.floors.length, live?.facts.blockedAdvertisers.length]).toEqual([676, 500]);
  expect(live?.demandByPartner.get("north")?.banner).toEqual({ placement: "p" });
  await feed.stop();
});

test("the last configuration stays in force while the store is down, and catches up afterwards", async () => {
  const own = connectPostgres(stores.pg.url, { max: 3, connectDeadlineMs: 200 });
  const feed = configFeed({ ...source, pool: own.pool }, silentLog, { retryMs: 100 });
  await feed.start();
  const before = feed.current();
  expect(before).not.toBeNull();
  const address = new URL(stores.pg.url);
  const database = address.pathname.slice(1);
  address.pathname = "/postgres";
  const admin = connectPostgres(address.href, { max: 1 });
  await admin.pool.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  await admin.pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [database]);
  await new Promise((resolve) => {
    setTimeout(resolve, 400);
  });
  expect(feed.current()).toBe(before);
  await admin.pool.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
  const account = await pool.query<{ id: number }>("SELECT id FROM accounts LIMIT 1");
  await pool.query(
    "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'New', 'com.example.while-away', 'ios')",
    [account.rows[0]?.id],
  );
  await until(() => feed.current()?.byBundle.has("com.example.while-away") === true);
  await feed.stop();
  await Promise.all([own.close(), admin.close()]);
});

test("a feed that is stopped while it waits for a connection gives it back", async () => {
  const own = connectPostgres(stores.pg.url, { max: 1 });
  const client = await own.pool.connect();
  const feed = configFeed({ ...source, pool: own.pool }, silentLog);
  const started = feed.start();
  await expect.poll(() => own.pool.waitingCount).toBe(2);
  const stopped = feed.stop();
  client.release();
  await Promise.all([stopped, started]);
  expect([own.pool.totalCount, own.pool.idleCount]).toEqual([1, 1]);
  await own.close();
});

test("nothing is sold until the kill switches are read once, and their failure is logged once", async () => {
  const failures: string[] = [];
  const log = { ...silentLog, warn: (_: object, text: string) => failures.push(text) } as unknown as typeof silentLog;
  await pool.query("ALTER TABLE kill_switches RENAME TO kill_switches_away");
  const feed = configFeed(source, log);
  await feed.start();
  try {
    await feed.reload();
    expect(feed.current()).toBeNull();
    expect(failures).toEqual(["the kill switches could not be read; the last ones stay in force"]);
    await pool.query("ALTER TABLE kill_switches_away RENAME TO kill_switches");
    await until(() => feed.current() !== null, 30_000);
  } finally {
    await feed.stop();
  }
});

test("a learned table of a form that this version does not know costs neither the rates nor the other tables", async () => {
  const today = new Date().toISOString().slice(0, 10);
  await pool.query(
    "INSERT INTO currency_rates (currency, day, usd, source, noted_at) VALUES ('EUR', $1, 1.1, 'hand', now())",
    [today],
  );
  const published = { partner_skips: { north: [1] }, line_fills: { "line-items-1": { "": true } } };
  for (const [name, content] of Object.entries(published)) {
    await pool.query("INSERT INTO learned_tables (name, version, content, fitted_at) VALUES ($1, 'next', $2, now())", [
      name,
      JSON.stringify(content),
    ]);
  }
  const feed = configFeed(source, silentLog);
  await feed.start();
  try {
    expect(feed.inForce.rates.toUsd(Date.now())).toEqual({ EUR: 1.1 });
    expect(feed.learned.lineFills.of("line-items-1")).toEqual({ "": true });
    expect(feed.learned.skips.of("north")).toBeUndefined();
  } finally {
    await feed.stop();
  }
});
