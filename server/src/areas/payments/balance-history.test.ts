import type { BalanceEntry } from "@millrace/contract";
import { addDays } from "@millrace/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import { readBalanceHistory } from "./balance-history.ts";
import { campaignBalanceOf } from "./balances.ts";
import { type PostingKind, bookPosting } from "./ledger.ts";

const { pool } = await testPostgres();
const NOW = Date.UTC(2026, 10, 20, 12);
const deps = { pool, clock: { now: () => NOW } };
const money = someMoney(pool);

let references = 0;
const book = (accountId: number, micros: number, at: string, kind: PostingKind = "refill", forDay?: string) =>
  inTransaction(pool, (client) =>
    bookPosting(client, {
      reference: `test ${++references}`,
      kind,
      reason: kind === "refill" ? "Invoice 7" : "Spend that no impression proves",
      actorUserId: null,
      at: new Date(at),
      ...(forDay !== undefined && { forDay }),
      lines: [
        { book: kind === "refill" ? "cash" : "campaign_costs", accountId: null, amountMicros: BigInt(micros) },
        { book: "campaign_balance", accountId, amountMicros: BigInt(-micros) },
      ],
    }),
  );

/** What campaigns have spent by day, as the budgets area writes it. */
async function spend(accountId: number, campaignId: number, days: Record<string, number>): Promise<void> {
  const total = Object.values(days).reduce((sum, micros) => sum + micros, 0);
  await pool.query(
    `INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET spent_micros = account_budgets.spent_micros + $2`,
    [accountId, total],
  );
  await pool.query("INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, $3)", [
    campaignId,
    accountId,
    total,
  ]);
  for (const [day, micros] of Object.entries(days))
    await pool.query("INSERT INTO campaign_days VALUES ($1, $2, $3)", [campaignId, day, micros]);
}

const short = ({ ctime, type, amount, balance, comment }: BalanceEntry) =>
  `${ctime.slice(0, 16)} ${type} ${amount} = ${balance} ${comment}`;

test("refills, each day's spend with its campaigns, and what is given back are entries with the balance after them", async () => {
  const account = await money.newAccount(0);
  const [autumn, winter] = [await money.newCampaign(account), await money.newCampaign(account)];
  await pool.query("UPDATE campaigns SET name = CASE id WHEN $1 THEN 'Autumn' ELSE 'Winter' END WHERE id IN ($1, $2)", [
    autumn,
    winter,
  ]);
  await book(account, 10_000, "2026-11-01T10:00:00Z");
  await spend(account, autumn, { "2026-11-02": 1000, "2026-11-20": 300 });
  await spend(account, winter, { "2026-11-02": 1500 });
  await book(account, 40, "2026-11-10T00:10:00Z", "return", "2026-11-02");
  const { history } = await readBalanceHistory(deps, account, 0);
  expect(history.map(short)).toEqual([
    "2026-11-20T12:00 spend -300 = 7240 Autumn",
    "2026-11-10T00:10 return 40 = 7540 Spend that no impression proves",
    "2026-11-02T23:59 spend -2500 = 7500 Winter, Autumn",
    "2026-11-01T10:00 refill 10000 = 10000 Invoice 7",
  ]);
  expect(history.map(({ day }) => day)).toEqual(["2026-11-20", "2026-11-02", "2026-11-02", null]);
  expect((await readBalanceHistory(deps, await money.newAccount(0), 0)).history).toEqual([]);
});

test("a page has ten entries, the newest first, and a page past the end is the last one", async () => {
  const account = await money.newAccount(0);
  for (let nth = 0; nth < 12; nth++) await book(account, 1 + nth, `2026-10-${10 + nth}T10:00:00Z`);
  const amounts = async (p: number) => (await readBalanceHistory(deps, account, p)).history.map(({ amount }) => amount);
  expect(await amounts(0)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(await amounts(1)).toEqual([2, 1]);
  const { pager } = await readBalanceHistory(deps, account, 99);
  expect(pager).toEqual({ current_page: 2, entries_per_page: 10, first_page: 1, last_page: 2 });
});

test("the whole history adds up to the balance in the header, whatever happened", async () => {
  const day = fc.nat(40).map((days) => addDays("2026-10-11", days));
  const entry = fc.record({ day, micros: fc.integer({ min: 1, max: 1e9 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 6 }), fc.array(entry, { maxLength: 6 }), async (refills, spent) => {
      const account = await money.newAccount(0);
      for (const one of refills) await book(account, one.micros, `${one.day}T09:00:00Z`);
      await spend(
        account,
        await money.newCampaign(account),
        Object.fromEntries(spent.map((one) => [one.day, one.micros])),
      );
      if (spent[0]) await book(account, 1, "2026-11-19T00:10:00Z", "return", spent[0].day);
      const entries: BalanceEntry[] = [];
      let last = 1;
      for (let p = 0; p < last; p++) {
        const { history, pager } = await readBalanceHistory(deps, account, p);
        entries.push(...history);
        last = pager.last_page;
      }
      const balance = await campaignBalanceOf(pool, account);
      expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
      expect(entries[0]?.balance ?? 0).toBe(balance);
    }),
    { numRuns: 25 },
  );
});
