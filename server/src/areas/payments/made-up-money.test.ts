import { randomUUID } from "node:crypto";
import { addDays, dayOf } from "@millrace/units";
import { beforeEach, expect, test } from "vitest";
import { adjustPublisherBalance } from "./adjust-balance.ts";
import { creditAdvertiser } from "./credit-advertiser.ts";
import { noteDeduction } from "./deductions/note-deduction.ts";
import { refillCampaignBalance } from "./refill.ts";
import { accrueAll } from "./accrual.ts";
import { campaignBalanceOf, publisherBalanceOf } from "./balances.ts";
import { addDemoMoney } from "./demo-money.ts";
import { issueDue } from "./invoices/issue-documents.ts";
import { AN_ISSUER, someInvoices } from "./invoices/testing/some-invoices.ts";
import { bookNew } from "./ledger.ts";
import { reconcile } from "./reconcile.ts";
import { eventsInStore } from "./testing/model/events-in-store.ts";
import { returnUnprovenSpend } from "./unproven-spend.ts";
import { upsertPartner } from "../demand-partners/index.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { silentLog } from "../../platform/log.ts";
import { someCaller } from "../../platform/testing/some-caller.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import { newApp } from "../../testing/deductions/some-earnings.ts";
import { somePartner } from "../../testing/some-partner.ts";
import { clearDemo } from "../../../../demo/src/index.ts";

const { pg, clickhouse } = await testStores();
const { pool } = pg;
const { books, happen } = await eventsInStore(clickhouse);
const clock = { now: () => Date.now() };
const today = dayOf(clock.now());
const daysAgo = (days: number): string => addDays(today, -days);
const money = someMoney(pool);
const documents = someInvoices(pool, new Date(clock.now()).toISOString());
const deps = { pool, clock, log: silentLog, books, keptDays: 31, tellAdmins: async () => {} };

beforeEach(async () => {
  await upsertPartner(pool, somePartner({ id: "lab-one", demo: true }));
  await upsertPartner(pool, somePartner({ id: "real-one" }));
});

const demoMoney = (accountId: number, days = 5) =>
  addDemoMoney({ pool, clock: { now: () => Date.parse(daysAgo(days)) }, demo: true }, {
    caller: someCaller({ accountId, role: "owner" }),
    request: { ip: "192.0.2.7" },
  } as Parameters<typeof addDemoMoney>[1]);
const sell = (appId: number, day: string, provider: string, grossMicros: number, campaignId = 0) =>
  happen({
    day,
    appId,
    provider,
    campaignId,
    grossMicros: BigInt(grossMicros),
    revenueMicros: BigInt(grossMicros * 0.8),
  });

/** Sells an ad of a campaign, whose budgets know of it. */
async function spend(accountId: number, campaignId: number, appId: number, day: string, micros: number) {
  await sell(appId, day, "campaigns", micros, campaignId);
  await pool.query(
    `INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET spent_micros = account_budgets.spent_micros + $2`,
    [accountId, micros],
  );
  await pool.query(
    `INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, $3)
     ON CONFLICT (campaign_id) DO UPDATE SET spent_micros = campaign_budgets.spent_micros + $3`,
    [campaignId, accountId, micros],
  );
  await pool.query("INSERT INTO campaign_days VALUES ($1, $2, $3)", [campaignId, day, micros]);
}

/** Pays a publisher as the demo does, without anybody's word. */
async function payout(accountId: number, micros: number): Promise<string> {
  const id = await documents.payout(accountId, daysAgo(35).slice(0, 7), micros / 1_000_000);
  const [balance, due, cash] = [
    { book: "publisher_balance", accountId, amountMicros: BigInt(micros) },
    { book: "payouts_due", accountId, amountMicros: BigInt(-micros) },
    { book: "cash", accountId: null, amountMicros: BigInt(-micros) },
  ] as const;
  const posting = { reason: "", actorUserId: null, at: new Date(clock.now()) };
  await inTransaction(pool, async (client) => {
    await bookNew(client, { ...posting, reference: `payout ${id}`, kind: "payout", lines: [balance, due] });
    const back = { ...due, amountMicros: -due.amountMicros };
    await bookNew(client, { ...posting, reference: `payout ${id} paid`, kind: "payout_sent", lines: [back, cash] });
  });
  return id;
}

const newAccount = () => money.newAccount(0);
const clear = () => clearDemo({ pool, write: clickhouse.write });
const figuresOf = async (sql: string) =>
  (await clickhouse.read.query({ query: sql, format: "JSONEachRow" })).json<Record<string, string>>();

/** Where books and events disagree, what would be booked again, and postings that are out of balance. */
async function faults() {
  const { rows } = await pool.query("SELECT posting_id FROM ledger_lines GROUP BY 1 HAVING sum(amount_micros) <> 0");
  const booked = (await accrueAll(deps)) + (await returnUnprovenSpend(deps));
  return { drifts: await reconcile(deps), booked, crooked: rows };
}
const NONE = { drifts: [], booked: 0, crooked: [] };

test("what the demo's partners paid for an app goes with the demo, and what others paid stays", async () => {
  const publisher = await newAccount();
  const app = await newApp(pool, publisher);
  await sell(app.id, daysAgo(3), "lab-one", 5_000_000);
  await sell(app.id, daysAgo(3), "real-one", 1_000_000);
  await sell(app.id, daysAgo(2), "lab-one", 5_000_000);
  await accrueAll(deps);
  // Both days have a second posting, of the real partner alone.
  await sell(app.id, daysAgo(3), "real-one", 500_000);
  await sell(app.id, daysAgo(2), "real-one", 100_000);
  await accrueAll(deps);
  expect(await publisherBalanceOf(pool, publisher)).toBe(9_280_000);
  await clear();
  expect(await faults()).toEqual(NONE);
  expect(await publisherBalanceOf(pool, publisher)).toBe(1_280_000);
  // Of the second day, the first posting is gone. A later one gets a number of its own.
  await sell(app.id, daysAgo(2), "real-one", 100_000);
  await accrueAll(deps);
  expect(await publisherBalanceOf(pool, publisher)).toBe(1_360_000);
  expect(
    await figuresOf(
      `SELECT toString(dimension) AS by, key, toString(sum(revenue_micros)) AS revenue, toString(sum(impressions)) AS impressions
       FROM sums_daily WHERE app_id = ${app.id} GROUP BY by, key HAVING revenue != '0' OR impressions != '0' ORDER BY by`,
    ),
  ).toEqual([
    { by: "country", key: "US", revenue: "1360000", impressions: "4" },
    { by: "format", key: "banner", revenue: "1360000", impressions: "4" },
    { by: "provider", key: "real-one", revenue: "1360000", impressions: "4" },
    { by: "total", key: "", revenue: "1360000", impressions: "4" },
    { by: "zone", key: "main", revenue: "1360000", impressions: "4" },
  ]);
  expect(await figuresOf(`SELECT sum(revenue_micros) AS sum FROM app_lifetime WHERE app_id = ${app.id}`)).toEqual([
    { sum: "1360000" },
  ]);
});

test("demo money goes with its invoice and with what it bought, and real money of the same account stays", async () => {
  const [publisher, advertiser, other] = [await newAccount(), await newAccount(), await money.newAccount(50_000_000)];
  const app = await newApp(pool, publisher);
  await documents.bill(advertiser);
  await money.refill(advertiser, 20_000_000);
  await demoMoney(advertiser);
  await issueDue(documents.deps, AN_ISSUER);
  const [bought, own] = [await money.newCampaign(advertiser), await money.newCampaign(other)];
  await spend(advertiser, bought, app.id, daysAgo(2), 3_000_000);
  await spend(advertiser, bought, app.id, today, 1_000_000);
  await spend(other, own, app.id, daysAgo(1), 2_000_000);
  await accrueAll(deps);
  await pool.query(
    `INSERT INTO budget_leases (id, campaign_id, account_id, amount_micros, expires_at) VALUES ('one', $1, $2, 5, now())`,
    [bought, advertiser],
  );
  await pool.query("UPDATE account_budgets SET leased_micros = 5 WHERE account_id = $1", [advertiser]);
  expect(await publisherBalanceOf(pool, publisher)).toBe(4_000_000);
  await clickhouse.write.insert({
    table: "invoice_numbers",
    values: [{ series: "invoice", year: 2026, last: 12 }],
    format: "JSONEachRow",
  });
  await clear();
  expect(await faults()).toEqual(NONE);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(20_000_000);
  expect(await campaignBalanceOf(pool, other)).toBe(48_000_000);
  expect(await publisherBalanceOf(pool, publisher)).toBe(1_600_000);
  const { rows } = await pool.query<{ micros: string }>(
    "SELECT amount_micros AS micros FROM invoices WHERE account_id = $1",
    [advertiser],
  );
  expect(rows).toEqual([{ micros: "20000000" }]);
  expect(await figuresOf("SELECT count() AS n FROM invoice_numbers")).toEqual([{ n: "0" }]);
  const budgets = await pool.query<{ account: string; campaign: string; leased: string }>(
    `SELECT a.spent_micros AS account, c.spent_micros AS campaign, a.leased_micros AS leased
     FROM account_budgets a JOIN campaign_budgets c USING (account_id) WHERE account_id = $1`,
    [advertiser],
  );
  expect(budgets.rows).toEqual([{ account: "0", campaign: "0", leased: "0" }]);
  expect(await figuresOf("SELECT campaign_id AS id FROM campaign_hourly GROUP BY id")).toEqual([{ id: own }]);
  expect(await figuresOf(`SELECT sum(revenue_micros) AS sum FROM stats_daily WHERE app_id = ${app.id}`)).toEqual([
    { sum: "1600000" },
  ]);
});

test("an account spends its demo money first: what it bought before and after that stays", async () => {
  const [publisher, advertiser] = [await newAccount(), await newAccount()];
  const app = await newApp(pool, publisher);
  await money.refill(advertiser, 500_000_000);
  await demoMoney(advertiser, 8);
  const campaign = await money.newCampaign(advertiser);
  const days = [
    [9, 10_000_000],
    [7, 400_000_000],
    [6, 200_000_000],
    [5, 30_000_000],
  ] as const;
  for (const [day, micros] of days) await spend(advertiser, campaign, app.id, daysAgo(day), micros);
  await accrueAll(deps);
  await clear();
  expect(await faults()).toEqual(NONE);
  expect(await publisherBalanceOf(pool, publisher)).toBe(32_000_000);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(460_000_000);
});

const demoAdmin = async (): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(
    "INSERT INTO users (email, name, demo) VALUES ('admin@demo.test', 'Demo Admin', true) RETURNING id",
  );
  return rows[0]?.id ?? expect.fail();
};
const given = (actorUserId: number, amountMicros: number) => {
  return { key: randomUUID(), amountMicros, reason: "A gift", actorUserId, at: new Date() };
};

test("a credit of the demo's admin goes with what it bought and with deductions of that, and so does a share", async () => {
  const [publisher, advertiser, actor] = [await newAccount(), await newAccount(), await demoAdmin()];
  const app = await newApp(pool, publisher);
  await inTransaction(pool, (client) =>
    creditAdvertiser(client, { ...given(actor, 5_000_000), accountId: advertiser, at: new Date(daysAgo(5)) }),
  );
  const day = daysAgo(3);
  await spend(advertiser, await money.newCampaign(advertiser), app.id, day, 1_000_000);
  await sell(app.id, day, "real-one", 100_000);
  await accrueAll(deps);
  await inTransaction(pool, async (client) => {
    const what = { day, reason: "invalid_traffic", explanation: "Found by us", auctions: [] } as const;
    const of = { ...given(0, 500_000), ...what, accountId: publisher, appId: app.id };
    await noteDeduction(client, { ...of, provider: null, actorUserId: actor });
    const one = { key: randomUUID(), provider: "real-one", amountMicros: 50_000, actorUserId: actor };
    await noteDeduction(client, { ...of, ...one });
  });
  const share = { from: "2030-01-01", share_ppm: 1_000_000 };
  await pool.query(
    "INSERT INTO revenue_shares (account_id, from_day, share_ppm, reason, set_at) VALUES ($1, $2, $3, 'A gift', now())",
    [publisher, share.from, share.share_ppm],
  );
  await pool.query(
    "INSERT INTO audit_log (at, actor_user_id, account_id, action, subject, details) VALUES (now(), $1, $2, 'share_set', '', $3)",
    [actor, publisher, share],
  );
  await clear();
  expect(await faults()).toEqual(NONE);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(0);
  expect(await publisherBalanceOf(pool, publisher)).toBe(30_000);
  expect((await pool.query("SELECT FROM revenue_shares WHERE account_id = $1", [publisher])).rowCount).toBe(0);
});

test("a payout that nobody was shown where to pay is taken back, and one that an admin was shown stays", async () => {
  const [first, second, actor] = [await newAccount(), await newAccount(), await demoAdmin()];
  const [one, other] = [await newApp(pool, first), await newApp(pool, second)];
  for (const { id } of [one, other]) await sell(id, daysAgo(20), "real-one", 5_000_000);
  await accrueAll(deps);
  await inTransaction(pool, (client) =>
    adjustPublisherBalance(client, { ...given(actor, 1_000_000), kind: "bonus", accountId: first }),
  );
  const [unseen, seen] = [await payout(first, 5_000_000), await payout(second, 4_000_000)];
  const { rows } = await pool.query<{ id: number }>(
    "INSERT INTO users (email, name) VALUES ('operator@example.com', 'Operator') RETURNING id",
  );
  await pool.query(
    "INSERT INTO audit_log (at, actor_user_id, action, subject) VALUES (now(), $1, 'payout_details_shown', $2)",
    [rows[0]?.id, seen],
  );
  await clear();
  expect([await publisherBalanceOf(pool, first), await publisherBalanceOf(pool, second)]).toEqual([4_000_000, 0]);
  const left = await pool.query<{ id: string }>("SELECT id FROM payouts WHERE id = ANY($1)", [[unseen, seen]]);
  expect(left.rows).toEqual([{ id: seen }]);
});

test("what the demo's admin gave goes, and payouts of made-up earnings that the demo settled by itself", async () => {
  const [publisher, advertiser] = [await newAccount(), await newAccount()];
  const app = await newApp(pool, publisher);
  const actor = await demoAdmin();
  const [day, gift] = [daysAgo(4), given(actor, 7_000_000)];
  await sell(app.id, day, "lab-one", 5_000_000);
  await sell(app.id, day, "real-one", 1_000_000);
  await accrueAll(deps);
  await inTransaction(pool, async (client) => {
    await refillCampaignBalance(client, { ...gift, accountId: advertiser });
    await adjustPublisherBalance(client, { ...gift, kind: "bonus", accountId: publisher });
    const what = { day, provider: "lab-one", reason: "discrepancy", explanation: "Not paid", auctions: [] } as const;
    await noteDeduction(client, { ...given(actor, 1_000_000), ...what, accountId: publisher, appId: app.id });
  });
  await documents.bill(publisher, { country: "FR", vatId: "FR40303265045" });
  const paid = await payout(publisher, 4_000_000);
  await issueDue(documents.deps, AN_ISSUER);
  expect((await documents.documentsOf(publisher)).length).toBe(1);
  expect(await publisherBalanceOf(pool, publisher)).toBe(6_800_000);
  await clear();
  expect(await faults()).toEqual(NONE);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(0);
  expect(await publisherBalanceOf(pool, publisher)).toBe(800_000);
  expect(await documents.documentsOf(publisher)).toEqual([]);
  expect((await pool.query("SELECT FROM payouts WHERE id = $1", [paid])).rowCount).toBe(0);
});
