import { afterAll, expect, test } from "vitest";
import { openJobs } from "../../platform/jobs/index.ts";
import { silentLog } from "../../platform/log.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { newPerson } from "../../testing/test-platform.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import { defineBalanceAlerts } from "./balance-alerts.ts";
import { daysLeftOf, readCampaignFunds } from "./campaign-funds.ts";
import { bookPosting } from "./ledger.ts";

const DAY_MS = 86_400_000;
const { pool } = await testPostgres();
const nowMs = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => nowMs };
const sent: { to: string; subject: string; text: string }[] = [];
const jobs = openJobs({ pool, log: silentLog, timing: { pollMs: 50 } });
defineBalanceAlerts({
  pool,
  clock,
  mailer: { send: async (mail) => void sent.push(mail), forget: async () => 0, close: async () => undefined },
  jobs,
  publicUrl: "https://millrace.example",
  operatorName: "Example Ads",
});
await jobs.start();
afterAll(() => jobs.stop(200));

/** Checks the balances once, and waits until the mails are sent. */
async function look(): Promise<void> {
  await jobs.send("look-at-balances", {});
  const left = () => pool.query("SELECT FROM pgboss.job WHERE name IN ('look-at-balances', 'balance-alert-mail')");
  await expect.poll(async () => (await left()).rowCount).toBe(0);
}

let references = 0;
const book = (accountId: number, amountMicros: bigint, daysAgo: number, kind: "refill" | "return" = "refill") =>
  inTransaction(pool, (client) =>
    bookPosting(client, {
      reference: `test ${++references}`,
      kind,
      reason: "a test",
      actorUserId: null,
      at: new Date(nowMs - daysAgo * DAY_MS),
      lines: [
        { book: "cash", accountId: null, amountMicros },
        { book: "campaign_balance", accountId, amountMicros: -amountMicros },
      ],
    }),
  );
/** What a campaign has spent on a day, as the budgets area writes it. */
async function spend(accountId: number, micros: number, atMs: number): Promise<void> {
  const campaignId = await someMoney(pool).newCampaign(accountId);
  await pool.query("INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, $2)", [accountId, micros]);
  await pool.query("INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, $3)", [
    campaignId,
    accountId,
    micros,
  ]);
  await pool.query("INSERT INTO campaign_days (campaign_id, day, spent_micros) VALUES ($1, $2, $3)", [
    campaignId,
    new Date(atMs).toISOString().slice(0, 10),
    micros,
  ]);
}
const mailsTo = (email: string) => sent.filter(({ to }) => to === email);

/** An advertiser of a month with 100 dollars who spent 7 of them last week, so about 86 days are left: half of today is over. */
async function advertiser(email: string, alertDays: number | null) {
  const person = await newPerson(pool, email, { canApps: false });
  await pool.query("UPDATE users SET balance_alert_days = $2 WHERE id = $1", [person.userId, alertDays]);
  await book(person.accountId, 100_000_001n, 30);
  await book(person.accountId, -1n, 20);
  await book(person.accountId, -7_000_000n, 2);
  return person;
}

test.each([
  [70_000_000, 7_000_000, 70],
  [1_000_000, 14_000_000, 0.5],
  [0, 7_000_000, 0],
  [-5_000_000, 7_000_000, 0],
  [70_000_000, 0, null],
])("a balance of %i micros with %i spent in a week lasts %j days", (balance, spent, days) => {
  expect(daysLeftOf(balance, spent, 7)).toBe(days);
});

test("what campaigns spent counts as spend", async () => {
  const { email, accountId } = await advertiser("buys@example.com", 7);
  await spend(accountId, 86_000_000, nowMs);
  await look();
  expect(mailsTo(email)[0]?.text).toContain("Your campaign balance is $7.00");
  const early = await advertiser("bought@example.com", 7);
  await spend(early.accountId, 80_000_000, nowMs - 8 * DAY_MS);
  await look();
  expect(mailsTo(early.email)).toEqual([]);
});

test("an owner is alerted once when the balance lasts fewer days than chosen, and again after it recovered", async () => {
  const { email, accountId } = await advertiser("told@example.com", 7);
  await look();
  expect(mailsTo(email)).toEqual([]);
  // 86 of 93 dollars go: 7 are left, at 93 in a week.
  await book(accountId, -86_000_000n, 0);
  await look();
  await look();
  expect(mailsTo(email)).toMatchObject([{ subject: "Your campaign balance is running out" }]);
  expect(mailsTo(email)[0]?.text).toContain("$7.00");
  expect(mailsTo(email)[0]?.text).toContain("less than a day");
  expect(mailsTo(email)[0]?.text).toContain("https://millrace.example/support");
  // A refill ends the alert without a mail; the next crossing sends one again.
  await book(accountId, 500_000_000n, 0);
  await look();
  expect(mailsTo(email)).toHaveLength(1);
  await book(accountId, -490_000_000n, 0);
  await look();
  expect(mailsTo(email)).toHaveLength(2);
});

test("the balance, its spend and the days that it lasts are those of the alert", async () => {
  const { accountId } = await advertiser("reads@example.com", null);
  expect(await readCampaignFunds({ pool, clock }, accountId)).toEqual({
    balance: 93_000_000,
    spent_today: 0,
    daily_spend: 1_076_923,
    days_left: (93 * 6.5) / 7,
  });
  await spend(accountId, 14_000_000, nowMs);
  expect(await readCampaignFunds({ pool, clock }, accountId)).toEqual({
    balance: 79_000_000,
    spent_today: 14_000_000,
    daily_spend: 3_230_769,
    days_left: (79 * 6.5) / 21,
  });
  const { accountId: none } = await newPerson(pool, "none@example.com", { canApps: false });
  const nothing = { balance: 0, spent_today: 0, daily_spend: 0, days_left: null };
  expect(await readCampaignFunds({ pool, clock }, none)).toEqual(nothing);
});

test("an advertiser's first days are judged by themselves, and none of them by less than a day", async () => {
  const { accountId, email, userId } = await newPerson(pool, "new@example.com", { canApps: false });
  await pool.query("UPDATE users SET balance_alert_days = 3 WHERE id = $1", [userId]);
  await book(accountId, 100_000_000n, 3);
  await spend(accountId, 40_000_000, nowMs - DAY_MS);
  await book(accountId, -20_000_000n, 0);
  // 60 dollars in a day and a half.
  expect(await readCampaignFunds({ pool, clock }, accountId)).toEqual({
    balance: 40_000_000,
    spent_today: 0,
    daily_spend: 40_000_000,
    days_left: 1,
    since: "2026-11-19",
  });
  await look();
  expect(mailsTo(email)[0]?.text).toContain("At the spend since Nov 19th, 2026 (UTC) it lasts about one day.");
  const { accountId: first } = await newPerson(pool, "first-day@example.com", { canApps: false });
  await book(first, 100_000_000n, 3);
  await spend(first, 20_000_000, nowMs);
  expect(await readCampaignFunds({ pool, clock }, first)).toMatchObject({ days_left: 4, since: "2026-11-20" });
});

test("money given back for an old day and charged again is no spend of these days", async () => {
  const { accountId } = await advertiser("proven@example.com", 7);
  const before = await readCampaignFunds({ pool, clock }, accountId);
  await book(accountId, 60_000_000n, 1, "return");
  await book(accountId, -60_000_000n, 0, "return");
  expect(await readCampaignFunds({ pool, clock }, accountId)).toEqual(before);
});

test("a day that has just begun does not lower the average", async () => {
  const { accountId } = await newPerson(pool, "steady@example.com", { canApps: false });
  await book(accountId, 100_000_000n, 30);
  for (let days = 1; days < 7; days++) await book(accountId, -2_000_000n, days);
  const early = { now: () => Date.UTC(2026, 10, 20) };
  expect(await readCampaignFunds({ pool, clock: early }, accountId)).toMatchObject({ daily_spend: 2_000_000 });
});

test("owners without an alert, blocked owners and accounts without spend get no alert", async () => {
  const never = await advertiser("never@example.com", null);
  const blocked = await advertiser("blocked@example.com", 14);
  await pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [blocked.userId]);
  const idle = await newPerson(pool, "idle@example.com", { canApps: false });
  await pool.query("UPDATE users SET balance_alert_days = 14 WHERE id = $1", [idle.userId]);
  await book(idle.accountId, 1_000_000n, 30);
  for (const { accountId } of [never, blocked]) await book(accountId, -92_000_000n, 0);
  await look();
  for (const { email } of [never, blocked, idle]) expect(mailsTo(email)).toEqual([]);
});

test("spend from before the last seven days does not count", async () => {
  const { email, accountId } = await advertiser("long-ago@example.com", 7);
  await book(accountId, -90_000_000n, 8);
  await look();
  // 3 dollars at one a day last 3 days.
  expect(mailsTo(email)).toHaveLength(1);
  const quiet = await newPerson(pool, "quiet@example.com", { canApps: false });
  await pool.query("UPDATE users SET balance_alert_days = 14 WHERE id = $1", [quiet.userId]);
  await book(quiet.accountId, 100_000_000n, 30);
  await book(quiet.accountId, -99_000_000n, 8);
  await look();
  expect(mailsTo(quiet.email)).toEqual([]);
});
