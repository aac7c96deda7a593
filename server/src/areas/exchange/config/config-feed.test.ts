import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { connectPostgres } from "../../../platform/postgres/connect-postgres.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { listAllKeys, setPartnerKeys, upsertPartner } from "../../demand-partners/index.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { configFeed } from "./config-feed.ts";

const stores = await testStores();
const { pool } = stores.pg;

async function until(holds: () => boolean, withinMs = 5000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error("it did not happen in time");
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

const source = { pool, partnerKeys: () => listAllKeys(pool, testSealer, silentLog) };

const partner = somePartner({ id: "north", name: "North", media_types: ["banner", "video"], gvl_id: 12 });

test("a change is in force within five seconds, without being asked for", async () => {
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

test("the last configuration stays in force while the store is away, and is caught up with after", async () => {
  const own = connectPostgres(stores.pg.url, { max: 3, connectDeadlineMs: 200 });
  const feed = configFeed({ ...source, pool: own.pool }, silentLog, { disconnectedPollMs: 100 });
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
