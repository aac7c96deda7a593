import type { DayRange } from "@millrace/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import type { BookedDays, DailyEarnings } from "../statistics/index.ts";
import { accrue, accrueAll } from "./accrual.ts";
import { campaignBalanceOf, publisherBalanceOf } from "./balances.ts";
import { closeMonth } from "./ledger.ts";
import { returnUnprovenSpend } from "./unproven-spend.ts";

const { pool } = await testPostgres();
const NOW = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => NOW };
const money = someMoney(pool);

/** What the events say now: rows by day. */
const events: DailyEarnings[] = [];
const books: BookedDays = {
  firstDay: async () => events.map(({ day }) => day).toSorted()[0],
  earnings: async ({ ds, de }) => events.filter(({ day }) => day >= ds && day <= de),
  counted: async () => [],
};
const deps = { pool, clock, log: silentLog, books };
const MONTH = { ds: "2026-11-01", de: "2026-11-30" };

const idOf = async (sql: string, values: unknown[]): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(`${sql} RETURNING id`, values);
  return rows[0]?.id ?? expect.fail();
};
const newAccount = () => idOf("INSERT INTO accounts (name) VALUES ($1)", ["Studio"]);
const newApp = (accountId: number, demo = false) =>
  idOf("INSERT INTO apps (account_id, name, bundle_id, platform, demo) VALUES ($1, 'App', 'a', 'ios', $2)", [
    accountId,
    demo,
  ]);
const sold = (appId: number, day: string, gross: number, revenue: number, row: Partial<DailyEarnings> = {}) => ({
  day,
  appId,
  provider: "aurora",
  campaignId: 0,
  impressions: 1,
  grossMicros: BigInt(gross),
  revenueMicros: BigInt(revenue),
  ...row,
});
const linesOf = async (accountId: number) =>
  (
    await pool.query<{ line: string }>(
      `SELECT concat_ws(' ', p.on_day, p.for_day, nullif(p.reason, ''), l.book, l.provider, l.amount_micros) AS line
       FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
       WHERE p.id IN (SELECT posting_id FROM ledger_lines WHERE account_id = $1) AND p.kind = 'accrual'
       ORDER BY p.id, l.line`,
      [accountId],
    )
  ).rows.map(({ line }) => line);

test("a day is booked once it is over: what the partner owes, the publisher's part and the fee", async () => {
  const account = await newAccount();
  const app = await newApp(account);
  events.splice(0, Infinity, sold(app, "2026-11-19", 1000, 800), sold(app, "2026-11-20", 5000, 4000));
  expect(await accrue(deps, MONTH)).toBe(1);
  expect(await linesOf(account)).toEqual([
    "2026-11-19 2026-11-19 partner_receivable aurora 1000",
    "2026-11-19 2026-11-19 publisher_balance aurora -800",
    "2026-11-19 2026-11-19 platform_fees aurora -200",
  ]);
  expect(await publisherBalanceOf(pool, account)).toBe(800);
});

test("running it again posts nothing; a day that changed posts its difference with the cause", async () => {
  const account = await newAccount();
  const app = await newApp(account);
  events.splice(0, Infinity, sold(app, "2026-11-18", 1000, 800));
  await Promise.all([accrue(deps, MONTH), accrue(deps, MONTH), accrue(deps, MONTH)]);
  expect(await linesOf(account)).toHaveLength(3);
  events.splice(
    0,
    Infinity,
    sold(app, "2026-11-18", 1100, 880),
    sold(app, "2026-11-18", 10, 10, { provider: "borealis" }),
  );
  expect(await accrue(deps, MONTH, "Aurora sent its statement again")).toBe(1);
  expect((await linesOf(account)).slice(3)).toEqual([
    "2026-11-18 2026-11-18 Aurora sent its statement again partner_receivable aurora 100",
    "2026-11-18 2026-11-18 Aurora sent its statement again publisher_balance aurora -80",
    "2026-11-18 2026-11-18 Aurora sent its statement again platform_fees aurora -20",
    "2026-11-18 2026-11-18 Aurora sent its statement again partner_receivable borealis 10",
    "2026-11-18 2026-11-18 Aurora sent its statement again publisher_balance borealis -10",
  ]);
  expect(await accrue(deps, MONTH)).toBe(0);
});

test("a run that has read older figures than the run before it takes nothing back", async () => {
  const account = await newAccount();
  const app = await newApp(account);
  const day = "2026-11-16";
  events.splice(0, Infinity, sold(app, day, 1000, 800));
  let questions = 0;
  const earnings = async (range: typeof MONTH) => {
    const rows = await books.earnings(range);
    if (questions++ > 0) return rows;
    // Another run is faster, and knows more.
    events.splice(0, Infinity, sold(app, day, 1100, 880));
    expect(await accrue(deps, { ds: day, de: day })).toBe(1);
    return rows;
  };
  expect(await accrue({ ...deps, books: { ...books, earnings } }, { ds: day, de: day })).toBe(0);
  expect(await publisherBalanceOf(pool, account)).toBe(880);
});

test("the difference of a day in a closed month counts today, and the month stays as it was", async () => {
  const account = await newAccount();
  const app = await newApp(account);
  const range = { ds: "2026-09-01", de: "2026-09-30" };
  events.splice(0, Infinity, sold(app, "2026-09-30", 1000, 800));
  await accrue(deps, range);
  await inTransaction(pool, (client) => closeMonth(client, "2026-09", new Date(NOW)));
  events.splice(0, Infinity, sold(app, "2026-09-30", 1100, 880));
  expect(await accrue(deps, range)).toBe(1);
  expect((await linesOf(account)).slice(3)).toEqual([
    "2026-11-20 2026-09-30 Events of this day arrived later partner_receivable aurora 100",
    "2026-11-20 2026-09-30 Events of this day arrived later publisher_balance aurora -80",
    "2026-11-20 2026-09-30 Events of this day arrived later platform_fees aurora -20",
  ]);
});

test.each([
  ["all its rows", () => []],
  ["a day", (app: number) => [sold(app, "2026-11-13", 500, 400)]],
  ["a part of a day", (app: number) => [sold(app, "2026-11-13", 500, 400), sold(app, "2026-11-14", 50, 40)]],
])("a store that has lost %s takes back nothing that is booked, and still books what is new", async (_what, left) => {
  const account = await newAccount();
  const app = await newApp(account);
  const range = { ds: "2026-11-13", de: "2026-11-14" };
  events.splice(0, Infinity, sold(app, range.ds, 500, 400), sold(app, range.de, 500, 400));
  await accrue(deps, range);
  events.splice(0, Infinity, ...left(app));
  expect([await accrue(deps, range), await accrueAll(deps)]).toEqual([0, 0]);
  expect(await publisherBalanceOf(pool, account)).toBe(800);
  events.push(sold(app, range.de, 10, 8, { provider: "borealis" }));
  expect(await accrue(deps, range)).toBe(1);
  expect(await publisherBalanceOf(pool, account)).toBe(808);
});

test("the made-up figures of a sample app are nobody's money, and an unknown app's stop nothing", async () => {
  const account = await newAccount();
  const [sample, app] = [await newApp(account, true), await newApp(account)];
  events.splice(
    0,
    Infinity,
    sold(987_654, "2026-11-17", 5, 4),
    sold(sample, "2026-11-17", 7, 7),
    sold(app, "2026-11-17", 5, 4),
  );
  expect(await accrue(deps, { ds: "2026-11-17", de: "2026-11-17" })).toBe(1);
  expect(await publisherBalanceOf(pool, account)).toBe(4);
});

test("a day with nothing but a sample app's figures takes no lock and warns of nothing, however often it is looked at", async () => {
  const sample = await newApp(await newAccount(), true);
  events.splice(
    0,
    Infinity,
    sold(sample, "2026-08-05", 7, 7),
    sold(sample, "2026-08-05", 5, 4, { provider: "borealis" }),
  );
  const warnings: unknown[] = [];
  const asked: unknown[] = [];
  const watched = {
    ...deps,
    log: { ...silentLog, warn: (...args: unknown[]) => void warnings.push(args) },
    books: { ...books, earnings: (range: DayRange) => (asked.push(range), books.earnings(range)) },
  };
  const day = { ds: "2026-08-05", de: "2026-08-05" };
  for (let nth = 0; nth < 2; nth++) expect(await accrue(watched, day)).toBe(0);
  // What a day was sold for is asked again under the lock.
  expect([asked, warnings]).toEqual([[day, day], []]);
});

test("ads that nobody owns, as after a restore, are told in one line for each day", async () => {
  const day = { ds: "2026-08-06", de: "2026-08-06" };
  const lost = ["aurora", "borealis"].map((provider) => sold(999_998, day.ds, 7, 5, { provider }));
  const byCampaign = sold(999_999, day.ds, 3, 2, { provider: "campaigns", campaignId: 999_997 });
  events.splice(0, Infinity, ...lost, byCampaign);
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (...args: unknown[]) => void warnings.push(args) };
  expect(await accrue({ ...deps, log }, day)).toBe(0);
  expect(warnings).toEqual([
    [
      { day: day.ds, sums: 3, apps: [999_998, 999_999], campaigns: [999_997], grossMicros: "17" },
      "ads are not booked, as nobody owns their app or campaign",
    ],
  ]);
});

test("a campaign's ads are booked against its advertiser, and spend that no impression proves goes back", async () => {
  const publisher = await newAccount();
  const app = await newApp(publisher);
  const advertiser = await money.newAccount(10_000);
  const campaignId = await money.newCampaign(advertiser);
  await pool.query("INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, 3000)", [advertiser]);
  await pool.query("INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, 3000)", [
    campaignId,
    advertiser,
  ]);
  await pool.query(
    "INSERT INTO campaign_days VALUES ($1, '2026-11-12', 2000), ($1, '2026-11-13', 500), ($1, '2026-11-19', 500)",
    [campaignId],
  );
  const ofCampaign = { provider: "campaigns", campaignId };
  events.splice(
    0,
    Infinity,
    sold(app, "2026-11-12", 1990, 1592, ofCampaign),
    sold(app, "2026-11-13", 500, 400, ofCampaign),
  );
  await accrue(deps, MONTH);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(7000);
  // Those of the 12th, which is more than a week ago; those of the 19th may still arrive.
  expect(await returnUnprovenSpend(deps)).toBe(1);
  expect(await returnUnprovenSpend(deps)).toBe(0);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(7010);
  events.splice(0, 1, sold(app, "2026-11-12", 2000, 1600, ofCampaign));
  await accrue(deps, MONTH);
  expect(await returnUnprovenSpend(deps)).toBe(1);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(7000);
  expect(await publisherBalanceOf(pool, publisher)).toBe(2000);
});

test("what was given back is taken again however late the impressions arrive", async () => {
  const app = await newApp(await newAccount());
  const advertiser = await money.newAccount(10_000);
  const campaignId = await money.newCampaign(advertiser);
  await pool.query("INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, 2000)", [advertiser]);
  await pool.query("INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, 2000)", [
    campaignId,
    advertiser,
  ]);
  await pool.query("INSERT INTO campaign_days VALUES ($1, '2026-11-11', 2000)", [campaignId]);
  events.splice(0, Infinity);
  expect(await returnUnprovenSpend(deps)).toBe(1);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(10_000);
  const later = { ...deps, clock: { now: () => Date.UTC(2027, 2, 1) } };
  events.push(sold(app, "2026-11-11", 1500, 1200, { provider: "campaigns", campaignId }));
  await accrue(later, { ds: "2026-11-11", de: "2026-11-11" });
  expect(await returnUnprovenSpend(later)).toBe(1);
  expect(await returnUnprovenSpend(later)).toBe(0);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(8500);
});

test("whatever the events say, and however often, the books say the most of it and debits equal credits", async () => {
  const accounts = [await newAccount(), await newAccount()];
  const apps = await Promise.all(accounts.flatMap((account) => [newApp(account), newApp(account)]));
  const row = fc
    .record({
      app: fc.nat(3),
      day: fc.constantFrom("2026-10-01", "2026-10-02", "2026-10-03"),
      provider: fc.constantFrom("aurora", "borealis", "cirrus"),
      gross: fc.integer({ min: 0, max: 1e9 }),
      share: fc.nat(100),
    })
    .map(({ app, day, provider, gross, share }) =>
      sold(apps[app] ?? 0, day, gross, Math.floor((gross * share) / 100), { provider }),
    );
  const days = fc.uniqueArray(row, { selector: (one) => `${one.day} ${one.appId} ${one.provider}`, maxLength: 12 });
  const booked = new Map<string, DailyEarnings>();
  await fc.assert(
    fc.asyncProperty(days, async (said) => {
      events.splice(0, Infinity, ...said);
      await accrue(deps, { ds: "2026-10-01", de: "2026-10-03" });
      for (const one of said) {
        const key = `${one.day} ${one.appId} ${one.provider}`;
        const was = booked.get(key) ?? { grossMicros: 0n, revenueMicros: 0n };
        if (one.grossMicros >= was.grossMicros && one.revenueMicros >= was.revenueMicros) booked.set(key, one);
      }
      const rows = [...booked.values()];
      for (const [nth, account] of accounts.entries()) {
        const own = rows.filter(({ appId }) => apps.indexOf(appId) >> 1 === nth);
        expect(BigInt(await publisherBalanceOf(pool, account))).toBe(
          own.reduce((sum, one) => sum + one.revenueMicros, 0n),
        );
      }
      const { rows: sums } = await pool.query<{ total: string; gross: string }>(
        `SELECT sum(amount_micros) AS total,
                coalesce(sum(amount_micros) FILTER (WHERE book = 'partner_receivable' AND app_id = ANY($1)), 0) AS gross
         FROM ledger_lines`,
        [apps],
      );
      expect(sums[0]?.total).toBe("0");
      expect(BigInt(sums[0]?.gross ?? -1)).toBe(rows.reduce((sum, one) => sum + one.grossMicros, 0n));
    }),
    { numRuns: 40 },
  );
});
