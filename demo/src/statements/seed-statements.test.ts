import type { AdminRevenue } from "@millrace/contract";
import { DAY_MS, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { upsertPartner } from "../../../server/src/areas/demand-partners/index.ts";
import { testStores } from "../../../server/src/platform/testing/stores.ts";
import { newApp } from "../../../server/src/testing/deductions/some-earnings.ts";
import { somePartner } from "../../../server/src/testing/some-partner.ts";
import { newPerson, sessionOf, testPlatform } from "../../../server/src/testing/test-platform.ts";
import { CATALOGUE } from "../catalogue.ts";
import { clearDemo } from "../clear-demo.ts";
import { fillHistory } from "../history/fill-history.ts";
import { PERSONALITIES } from "../lab/personalities.data.ts";
import { seedStatements } from "./seed-statements.ts";

const { pg, clickhouse } = await testStores();
const { pool } = pg;
const nowMs = Date.now();
const MONTH_START_MS = Date.parse(`${dayOf(nowMs).slice(0, 7)}-01`);
/** When the month before is over everywhere. */
const OVER_MS = Math.max(nowMs, MONTH_START_MS + DAY_MS / 2);
/** The whole month before this one, and some days. */
const LAST_MONTH = dayOf(MONTH_START_MS - DAY_MS).slice(0, 7);
const DAYS = Math.ceil((nowMs - Date.parse(`${LAST_MONTH}-01`)) / DAY_MS) + 3;

const { rows } = await pool.query<{ accountId: number; userId: number }>(
  `WITH account AS (INSERT INTO accounts (name, demo) VALUES ('Demo', true) RETURNING id),
     person AS (INSERT INTO users (email, name, demo) VALUES ('admin@demo.test', 'Demo', true) RETURNING id)
   SELECT account.id AS "accountId", person.id AS "userId" FROM account, person`,
);
const { accountId, userId } = rows[0] ?? expect.fail();
for (const { id, name } of PERSONALITIES) await upsertPartner(pool, somePartner({ id, name, demo: true }));
const slugs = ["tide-puzzle-android", "pocket-ledger-ios", "quiet-radio-android"].filter((slug) =>
  CATALOGUE.some((app) => app.slug === slug),
);
const apps = await Promise.all(slugs.map((slug) => newApp(pool, accountId, slug)));
await fillHistory({
  write: clickhouse.write,
  seed: "test",
  untilMs: nowMs,
  days: DAYS,
  appIds: new Map(slugs.map((slug, nth) => [slug, apps[nth]?.id ?? 0])),
  revenueSharePpm: 800_000,
  campaigns: [],
  inhouse: [],
  rest: 0,
});
const seed = (atMs: number, read = clickhouse.read) =>
  seedStatements({ pool, read }, { adminUserId: userId, nowMs: atMs });

/** A store that goes away after so many questions. */
function goingAway(questions: number): typeof clickhouse.read {
  const query = (...asked: Parameters<typeof clickhouse.read.query>) =>
    questions-- > 0 ? clickhouse.read.query(...asked) : Promise.reject(new Error("connection refused"));
  return Object.create(clickhouse.read, { query: { value: query } }) as typeof clickhouse.read;
}

const amountOf = ({ to_reported: steps }: Pick<AdminRevenue, "to_reported">, cause: string): number =>
  steps.find((step) => step.cause === cause)?.amount ?? 0;

// It books the history as it starts, which it does without a demo only.
await pool.query("UPDATE accounts SET demo = false");
const { ask } = await testPlatform({ pg, clickhouse });
await pool.query("UPDATE accounts SET demo = true");

test("each partner states the months of the history once they are booked, and once; at most a thousandth is unexplained", async () => {
  const admin = { cookie: await sessionOf(pool, await newPerson(pool, "admin@example.com", { role: "admin" })) };
  const halfWay = goingAway(20);
  await expect
    .poll(() => seed(OVER_MS, halfWay).catch(({ message }: Error) => message), { timeout: 200_000, interval: 1000 })
    .toBe("connection refused");
  const count = async () =>
    (await pool.query<{ n: number }>("SELECT count(*)::integer AS n FROM statements")).rows[0]?.n;
  // Half an hour into the month, the one before is not over in Los Angeles.
  expect(await seed(MONTH_START_MS + DAY_MS / 48)).toBe(false);
  const early = await count();
  expect(await seed(OVER_MS)).toBe(true);
  const before = await count();
  expect(before).toBeGreaterThan(PERSONALITIES.length / 2);
  expect(before).toBe((early ?? 0) + 1);
  expect(await seed(OVER_MS)).toBe(true);
  expect(await count()).toBe(before);

  const { body } = await ask(admin, "GET", `/admin/revenue.json?month=${LAST_MONTH}&by=partner`);
  const revenue = body as AdminRevenue;
  expect(revenue.estimated).toBeGreaterThan(0);
  expect(Math.abs(amountOf(revenue, "unexplained"))).toBeLessThanOrEqual(revenue.estimated / 1000);
  const of = (partner: string) => revenue.rows.find(({ id }) => id === partner) ?? expect.fail();
  expect(amountOf(of("lab-performance"), "discrepancy")).toBeLessThan(0);
  expect(amountOf(of("lab-performance"), "invalid_traffic")).toBeLessThan(0);
  expect(amountOf(of("lab-brand"), "currency")).toBeLessThan(0);
  expect(amountOf(of("lab-premium-video"), "time_zone")).not.toBe(0);
  expect(amountOf(of("lab-moody"), "not_reported")).toBeLessThan(0);
  expect(revenue.reported_partners).toBe(revenue.partners - 1);
}, 300_000);

test("clearing removes the statements with their postings", { timeout: 120_000 }, async () => {
  await clearDemo({ pool, write: clickhouse.write });
  const { rows: left } = await pool.query(
    "SELECT (SELECT count(*) FROM statements)::integer AS statements, (SELECT count(*) FROM ledger_postings)::integer AS postings",
  );
  expect(left).toEqual([{ statements: 0, postings: 0 }]);
});
