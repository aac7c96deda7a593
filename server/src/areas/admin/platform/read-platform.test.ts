import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { CALLER_KINDS, newAccount } from "../../../testing/access-world.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { newPerson, testPlatform } from "../../../testing/test-platform.ts";
import { createApp } from "../../apps/index.ts";
import { upsertPartner } from "../../demand-partners/index.ts";
import { readPartnersOnDay } from "../../statistics/index.ts";
import { auction, impression, keep } from "../../statistics/testing/some-rows.ts";
import { readPlatform } from "./read-platform.ts";

const stores = await testStores();
const { pool } = await testPlatform(stores);
const NOW = Date.parse("2024-11-19T12:30:00Z");

const read = (nowMs = NOW) =>
  readPlatform({
    pool,
    clickhouse: stores.clickhouse.read,
    clock: { now: () => nowMs },
    look: async () => undefined,
    backlog: () => ({ segments: 2, bytes: 4096 }),
  });

test("a platform without any traffic has zeros, no partners and nothing that waits", async () => {
  const { figures, auctions, partners, waiting } = await read();
  expect(figures.requests).toEqual({ today: 0, yesterday: 0 });
  expect(figures.fee).toEqual({ today: 0, yesterday: 0 });
  expect(auctions).toBeNull();
  expect(partners).toEqual([]);
  expect(waiting).toMatchObject({ moderation: { count: 0, since: null }, support: { count: 0, since: null } });
});

test("the list of partners leaves sample apps out, as the platform's page does", async () => {
  const day = "2024-10-07";
  await keep(stores.clickhouse, {
    auctions: [auction(`${day}T10:00:00Z`), auction(`${day}T10:00:00Z`, { app_id: 77 })],
  });
  const asked = async (samples: number[]) =>
    (await readPartnersOnDay(stores.clickhouse.read, { day, samples })).find(({ provider }) => provider === "aurora")
      ?.asked;
  expect([await asked([]), await asked([77])]).toEqual([2, 1]);
});

test("today is compared with yesterday until the same time, for all accounts and each partner", async () => {
  await upsertPartner(pool, { ...somePartner({ id: "aurora" }), name: "Aurora" });
  await upsertPartner(pool, { ...somePartner({ id: "borealis" }), name: "Borealis", active: false });
  const beforeCut = "2024-11-18T12:10:00Z";
  const afterCut = "2024-11-18T12:40:00Z";
  await keep(stores.clickhouse, {
    auctions: [
      auction("2024-11-19T00:00:01Z"),
      auction("2024-11-19T12:20:00Z", {
        app_id: 2,
        duration_ms: 20,
        outcomes: ["timeout", "malformed_response"],
        latencies_ms: [100, 40],
      }),
      auction("2024-11-18T03:00:00Z"),
      auction(beforeCut, { outcomes: ["no_bid", "no_bid"], latencies_ms: [30, 20] }),
      auction(afterCut, { outcomes: ["timeout", "timeout"], latencies_ms: [100, 100] }),
      auction("2024-11-17T12:00:00Z"),
    ],
    events: [
      // Of publishers with different shares.
      impression("2024-11-19T11:00:00Z", { revenue_micros: 8000, gross_micros: 10_000 }),
      impression("2024-11-19T12:20:00Z", { revenue_micros: 4000, gross_micros: 8000, app_id: 2 }),
      impression("2024-11-19T12:20:00Z", { revenue_micros: 0, gross_micros: 0, invalid: "crawler" }),
      impression("2024-11-18T03:00:00Z", { revenue_micros: 1000, gross_micros: 1250 }),
      impression(beforeCut, { revenue_micros: 500, gross_micros: 501, provider: "borealis" }),
      impression(afterCut, { revenue_micros: 999_999, gross_micros: 1_999_999 }),
    ],
  });
  const { at, compared_until, figures, partners, auctions } = await read();
  expect([at, compared_until]).toEqual(["2024-11-19T12:30:00.000Z", "2024-11-18T12:30:00.000Z"]);
  expect(figures).toEqual({
    requests: { today: 2, yesterday: 2 },
    impressions: { today: 2, yesterday: 2 },
    invalid: { today: 1, yesterday: 0 },
    revenue: { today: 12_000, yesterday: 1500 },
    fee: { today: 6000, yesterday: 251 },
  });
  expect(auctions).toEqual({ count: 1, p50_ms: 20, p95_ms: 20 });
  // Sketched latencies are within 2%.
  const ms = (value: number) => expect.closeTo(value, 0) as number;
  const calls = {
    today: { asked: 2, bids: 1, timeouts: 1, errors: 0, p50_ms: ms(10), p95_ms: ms(10) },
    yesterday: { asked: 2, bids: 1, timeouts: 0, errors: 0, p50_ms: ms(10), p95_ms: ms(10) },
  };
  const base = {
    asked: 2,
    calls,
    impressions: { today: 2, yesterday: 1 },
    revenue: { today: 12_000, yesterday: 1000 },
  };
  expect(partners).toEqual([
    { id: "aurora", name: "Aurora", active: true, ...base },
    {
      id: "borealis",
      name: "Borealis",
      active: false,
      asked: 2,
      calls: {
        today: { asked: 2, bids: 0, timeouts: 0, errors: 1, p50_ms: ms(20), p95_ms: ms(20) },
        yesterday: { asked: 2, bids: 0, timeouts: 0, errors: 0, p50_ms: ms(20), p95_ms: ms(20) },
      },
      impressions: { today: 0, yesterday: 1 },
      revenue: { today: 0, yesterday: 500 },
    },
  ]);
});

test("at midnight nothing of yesterday is compared yet", async () => {
  const { figures } = await read(Date.parse("2024-11-19T00:00:00Z"));
  expect(figures.revenue.yesterday).toBe(0);
  expect(figures.requests.yesterday).toBe(0);
});

test("accounts, and what waits for whom and since when, are counted", async () => {
  const owner = await newPerson(pool, "waits@example.com");
  const app = await createApp(pool, owner.accountId, { name: "New", bundleId: "test.new", platform: "ios" });
  await pool.query(
    "UPDATE apps SET moderation = 'check', created_at = $2::timestamptz - interval '9 days', waiting_since = $2 WHERE id = $1",
    [app.id, new Date(NOW - 3_600_000)],
  );
  await pool.query(
    "INSERT INTO support_messages (user_id, account_id, message, page, created_at) VALUES ($1, $2, 'Hello', '/', $3)",
    [owner.userId, owner.accountId, new Date(NOW - 7_200_000)],
  );
  // One is disputed, and one only noted.
  await pool.query(
    `INSERT INTO deductions (key, account_id, app_id, provider, day, reason, amount_micros, explanation, auctions, state,
       noted_at, dispute_until, disputed_at)
     SELECT gen_random_uuid(), $1, $2, '', '2024-11-18', 'invalid_traffic', 1, 'A test', '{}', state, $3, '2024-12-03',
       CASE state WHEN 'disputed' THEN $3::timestamptz END FROM unnest(ARRAY['noted', 'disputed']) AS state`,
    [owner.accountId, app.id, new Date(NOW - 60_000)],
  );
  // One is to be paid by hand, one is paid, and one is at a provider that pays it.
  await pool.query(
    `INSERT INTO payouts (account_id, period, amount_micros, provider, payee_id, method, state, created_at, changed_at)
     SELECT $1, date '2024-08-01' + make_interval(months => nth::int), 70000000, provider, gen_random_uuid(), 'PayPal', state, $2, $2
     FROM unnest(ARRAY['sandbox', 'sandbox', 'tipalti'], ARRAY['sent', 'paid', 'sent']) WITH ORDINALITY AS p (provider, state, nth)`,
    [owner.accountId, new Date(NOW - 1_800_000)],
  );
  // One difference is accepted.
  await pool.query(
    `INSERT INTO ledger_drifts (day, account_id, what, counted_micros, booked_micros, found_at, accepted_at, accepted_reason)
     SELECT '2024-11-18', $1, what, 2, 1, $2, CASE what WHEN 'gross' THEN $2::timestamptz END, CASE what WHEN 'gross' THEN 'Known' END
     FROM unnest(ARRAY['revenue', 'gross']) AS what`,
    [owner.accountId, new Date(NOW - 120_000)],
  );
  await pool.query(
    "INSERT INTO failed_jobs (job_id, queue, failed_at) SELECT gen_random_uuid(), 'owner-mail', at FROM unnest($1::timestamptz[]) AS at",
    [[new Date(NOW - 180_000), new Date(NOW - 8 * 86_400_000)]],
  );
  const { accounts, waiting } = await read();
  expect(waiting.drifts).toEqual({ count: 1, since: "2024-11-19T12:28:00.000Z" });
  expect(waiting.failed_jobs).toEqual({ count: 1, since: "2024-11-19T12:27:00.000Z" });
  expect(waiting.excesses).toEqual({ count: 0, since: null });
  expect(waiting.payouts).toEqual({ count: 1, since: "2024-11-19T12:00:00.000Z" });
  expect(accounts).toMatchObject({ users: 1, apps: 1 });
  expect(waiting.moderation).toEqual({ count: 1, since: "2024-11-19T11:30:00.000Z" });
  expect(waiting.support).toEqual({ count: 1, since: "2024-11-19T10:30:00.000Z" });
  expect(waiting.disputes).toEqual({ count: 1, since: "2024-11-19T12:29:00.000Z" });
  expect(waiting.journal).toEqual({ segments: 2, bytes: 4096 });
  expect(waiting.jobs.retrying).toBe(0);
});

test("creatives that wait for a moderator are counted", async () => {
  const before = (await read()).waiting.creatives.count;
  const { ids } = await newAccount(pool, CALLER_KINDS.owner);
  await pool.query("UPDATE creatives SET waiting_since = $2 WHERE uuid = $1", [ids.creative, new Date(NOW - 60_000)]);
  const { waiting } = await read();
  expect(waiting.creatives).toEqual({ count: before + 1, since: "2024-11-19T12:29:00.000Z" });
});

test("figures of sample apps, which are made up, are in none of the platform's, also once such an app is deleted", async () => {
  // The rows above are of apps with the first ids.
  await pool.query("SELECT setval(pg_get_serial_sequence('apps', 'id'), 1000)");
  const before = await read();
  const owner = await newPerson(pool, "tries@example.com");
  for (const name of ["one", "two"]) {
    const sample = { name, bundleId: `test.sample.${name}`, platform: "ios", demo: true } as const;
    const { id } = await createApp(pool, owner.accountId, sample);
    if (name === "two") await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [id]);
    const row = { app_id: id };
    const money = { ...row, revenue_micros: 800, gross_micros: 1000 };
    const times = ["2024-11-19T12:10:00Z", "2024-11-18T03:00:00Z", "2024-11-18T12:10:00Z"];
    await keep(stores.clickhouse, {
      auctions: times.map((time) => auction(time, { ...row, duration_ms: 90 })),
      events: times.flatMap((time) => [impression(time, money), impression(time, { ...money, invalid: "crawler" })]),
    });
  }
  const { figures, auctions, partners } = await read();
  expect({ figures, auctions, partners }).toEqual({
    figures: before.figures,
    auctions: before.auctions,
    partners: before.partners,
  });
});
