import { DAY_MS, addDays, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { publisherBalanceOf } from "../../../server/src/areas/payments/index.ts";
import { testStores } from "../../../server/src/platform/testing/stores.ts";
import { earn, newApp } from "../../../server/src/testing/deductions/some-earnings.ts";
import { CATALOGUE } from "../catalogue.ts";
import { clearDemo } from "../clear-demo.ts";
import { fillHistory } from "../history/fill-history.ts";
import { seedDeductions } from "./seed-deductions.ts";

const { pg, clickhouse } = await testStores();
const { pool } = pg;
const untilMs = Date.now();
const today = dayOf(untilMs);

const { rows } = await pool.query<{ accountId: number; userId: number }>(
  `WITH account AS (INSERT INTO accounts (name, demo) VALUES ('Demo', true) RETURNING id),
     person AS (INSERT INTO users (email, name, demo) VALUES ('publisher@demo.test', 'Demo', true) RETURNING id),
     member AS (INSERT INTO memberships (user_id, account_id, role) SELECT person.id, account.id, 'owner' FROM person, account)
   SELECT account.id AS "accountId", person.id AS "userId" FROM account, person`,
);
const publisher = rows[0] ?? expect.fail();
const { accountId } = publisher;
const slugs = ["tide-puzzle-android", "pocket-ledger-ios", "quiet-radio-android"].filter((slug) =>
  CATALOGUE.some((app) => app.slug === slug),
);
const apps = await Promise.all(slugs.map((slug) => newApp(pool, accountId, slug)));
await fillHistory({
  write: clickhouse.write,
  seed: "test",
  untilMs,
  days: 15,
  appIds: new Map(slugs.map((slug, nth) => [slug, apps[nth]?.id ?? 0])),
  revenueSharePpm: 800_000,
  campaigns: [],
  inhouse: [],
  rest: 0,
});

const seed = (nowMs = Date.now()) =>
  seedDeductions({ pool, read: clickhouse.read }, { publisher, adminUserId: publisher.userId, untilMs, nowMs });
const deductions = async () =>
  (
    await pool.query<Record<string, unknown>>(
      `SELECT d.state, d.reason, d.provider, d.day::text AS day, d.amount_micros::int AS amount, d.auctions::text[] AS auctions,
         d.app_id AS app, d.dispute IS NOT NULL AS disputed, d.answer IS NOT NULL AS answered FROM deductions d ORDER BY d.id`,
    )
  ).rows;

/** Books a day of the history as the job does, each app's partner with its real sum. */
async function book(daysBack: number): Promise<void> {
  const day = addDays(today, -daysBack);
  const found = await clickhouse.read.query({
    query: `SELECT app_id AS appId, provider, toFloat64(sum(revenue_micros)) AS revenueMicros FROM events
            WHERE kind = 'impression' AND invalid = '' AND toDate(at, 'UTC') = {day:Date} GROUP BY appId, provider HAVING revenueMicros > 0`,
    query_params: { day },
    format: "JSONEachRow",
  });
  const sales = await found.json<{ appId: number; provider: string; revenueMicros: number }>();
  for (const sale of sales) await earn(pool, { accountId, day, ...sale });
}

test("nothing is deducted before all days are booked; then one is noted, one disputed and one reversed, once", async () => {
  expect(await seed()).toBe(false);
  await book(5);
  await book(8);
  expect(await seed()).toBe(false);
  expect(await deductions()).toEqual([]);
  await book(12);
  const earned = await publisherBalanceOf(pool, accountId);
  expect(await seed()).toBe(true);
  expect(await seed()).toBe(true);
  const made = await deductions();
  const partner = expect.stringMatching(/^lab-/) as string;
  expect(made).toMatchObject([
    { state: "reversed", reason: "time_zone", provider: partner, day: addDays(today, -12), answered: true },
    { state: "disputed", reason: "invalid_traffic", provider: "", day: addDays(today, -8), disputed: true },
    { state: "noted", reason: "discrepancy", provider: partner, day: addDays(today, -5), disputed: false },
  ]);
  expect(new Set(made.map(({ app }) => app)).size).toBe(3);
  const held = Number(made[1]?.["amount"]) + Number(made[2]?.["amount"]);
  expect(held).toBeGreaterThan(0);
  expect(await publisherBalanceOf(pool, accountId)).toBe(earned - held);
  // Their samples are recorded auctions of the app.
  for (const { app, auctions } of made) {
    const found = await clickhouse.read.query({
      query:
        "SELECT uniqExact(auction_id)::Float64 AS n FROM auctions WHERE app_id = {app:UInt32} AND auction_id IN {auctions:Array(UUID)}",
      query_params: { app, auctions },
      format: "JSONEachRow",
    });
    expect(await found.json()).toEqual([{ n: 3 }]);
  }
});

test("on the first of a month nothing is booked in the month before, which may be closed", async () => {
  await pool.query("DELETE FROM deductions");
  const first = Date.parse(`${dayOf(untilMs + 32 * DAY_MS).slice(0, 7)}-01T00:30:00Z`);
  expect(await seed(first)).toBe(true);
  const { rows: booked } = await pool.query<{ day: string }>(
    "SELECT DISTINCT on_day::text AS day FROM ledger_postings WHERE kind = 'deduction' AND on_day > $1",
    [today],
  );
  expect(booked).toEqual([{ day: dayOf(first) }]);
});

test("clearing removes the deductions with their postings", async () => {
  await clearDemo({ pool, write: clickhouse.write });
  expect(await deductions()).toEqual([]);
  const { rowCount } = await pool.query("SELECT FROM ledger_postings");
  expect(rowCount).toBe(0);
});
