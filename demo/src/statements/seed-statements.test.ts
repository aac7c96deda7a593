import type { AdminRevenue } from "@millrace/contract";
import { DAY_MS, addDays, dayOf } from "@millrace/units";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { accrueAll } from "../../../server/src/areas/payments/accrual.ts";
import { readAdminRevenue } from "../../../server/src/areas/payments/revenue/read-revenue.ts";
import { settleStatements } from "../../../server/src/areas/payments/statements/settle-statements.ts";
import { upsertPartner } from "../../../server/src/areas/demand-partners/index.ts";
import { statisticsArea } from "../../../server/src/areas/statistics/index.ts";
import { systemClock } from "../../../server/src/platform/clock.ts";
import { silentLog } from "../../../server/src/platform/log.ts";
import { testStores } from "../../../server/src/platform/testing/stores.ts";
import { newApp } from "../../../server/src/testing/deductions/some-earnings.ts";
import { somePartner } from "../../../server/src/testing/some-partner.ts";
import { CATALOGUE } from "../catalogue.ts";
import { clearDemo } from "../clear-demo.ts";
import { fillHistory } from "../history/fill-history.ts";
import { PERSONALITIES } from "../lab/personalities.data.ts";
import { seedStatements } from "./seed-statements.ts";

const { pg, clickhouse } = await testStores();
const { pool } = pg;
const nowMs = Date.now();
/** The whole month before this one, and some days. */
const LAST_MONTH = addDays(`${dayOf(nowMs).slice(0, 7)}-01`, -1).slice(0, 7);
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
  rest: 0,
});
const journalDir = await mkdtemp(join(tmpdir(), "millrace-statements-"));
const statistics = await statisticsArea({ clickhouse, journalDir, clock: systemClock, log: silentLog });
afterAll(async () => {
  await statistics.stop?.();
  await rm(journalDir, { recursive: true });
});
const deps = {
  pool,
  clock: systemClock,
  log: silentLog,
  books: statistics.books,
  partnerHours: statistics.partnerHours,
  providerNames: async () => new Map<string, string>(),
};
const seed = () => seedStatements({ pool, read: clickhouse.read }, { adminUserId: userId, nowMs });
const month = async (by: "partner" | "day" = "partner"): Promise<AdminRevenue> =>
  readAdminRevenue({ ...deps, provider: {} as never, terms: { day: 15, minimumMicros: 0 } }, { month: LAST_MONTH, by });
const amountOf = ({ to_reported: steps }: Pick<AdminRevenue, "to_reported">, cause: string): number =>
  steps.find((step) => step.cause === cause)?.amount ?? 0;

test(
  "nothing is stated before the history is booked; then each partner states its months, once",
  { timeout: 120_000 },
  async () => {
    expect(await seed()).toBe(false);
    await accrueAll(deps);
    expect(await seed()).toBe(true);
    const count = async () =>
      (await pool.query<{ n: number }>("SELECT count(*)::integer AS n FROM statements")).rows[0]?.n;
    const before = await count();
    expect(before).toBeGreaterThan(PERSONALITIES.length / 2);
    expect(await seed()).toBe(true);
    expect(await count()).toBe(before);
    expect(await settleStatements(deps)).toBe(0);
  },
);

test("every difference has its cause, and at most a thousandth of the revenue is unexplained", async () => {
  const revenue = await month();
  expect(revenue.estimated).toBeGreaterThan(0);
  expect(Math.abs(amountOf(revenue, "unexplained"))).toBeLessThanOrEqual(revenue.estimated / 1000);
  const of = (partner: string) => revenue.rows.find(({ id }) => id === partner) ?? expect.fail();
  expect(amountOf(of("lab-performance"), "discrepancy")).toBeLessThan(0);
  expect(amountOf(of("lab-performance"), "invalid_traffic")).toBeLessThan(0);
  expect(amountOf(of("lab-brand"), "currency")).toBeLessThan(0);
  expect(amountOf(of("lab-premium-video"), "time_zone")).not.toBe(0);
  expect(amountOf(of("lab-moody"), "not_reported")).toBeLessThan(0);
  expect(revenue.reported_partners).toBe(revenue.partners - 1);
});

test("clearing removes the statements with their postings", { timeout: 120_000 }, async () => {
  await clearDemo({ pool, write: clickhouse.write });
  const { rows: left } = await pool.query(
    "SELECT (SELECT count(*) FROM statements)::integer AS statements, (SELECT count(*) FROM ledger_postings)::integer AS postings",
  );
  expect(left).toEqual([{ statements: 0, postings: 0 }]);
});
