import { expect, test } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import { ACCRUE_ALL, type PaymentsDeps, paymentsArea } from "./index.ts";
import { publisherBooks } from "./testing/publisher-books.ts";

const { pool } = await testPostgres();

test("a demo's past ads are not taken for unpaid ones before their cost is booked", async () => {
  const money = someMoney(pool);
  const studio = publisherBooks(pool);
  const appId = await studio.newApp(await studio.newAccount());
  const advertiser = await money.newAccount(10_000);
  const campaignId = await money.newCampaign(advertiser);
  const day = "2026-11-10";
  const sold = {
    day,
    appId,
    provider: "campaigns",
    campaignId,
    impressions: 1,
    grossMicros: 2000n,
    revenueMicros: 1600n,
  };
  const works = new Map<string, (input: object) => Promise<void>>();
  let progress = 0.5;
  paymentsArea({
    pool,
    clock: { now: () => Date.UTC(2026, 10, 20, 12) },
    log: silentLog,
    jobs: {
      define: (name: string, _: unknown, work: (input: object) => Promise<void>) => void works.set(name, work),
      repeat() {},
    },
    books: { firstDay: async () => day, earnings: async () => [sold], counted: async () => [sold] },
    keptDays: 30,
    payouts: { day: 15, minimumMicros: 100_000_000 },
    invoices: {},
    secrets: ["a secret of at least 32 characters"],
    publicUrl: "http://127.0.0.1:1",
    demo: false,
    isComplete: () => progress === 1,
  } as unknown as PaymentsDeps);
  const postings = async () => {
    await works.get(ACCRUE_ALL)?.({});
    const { rows } = await pool.query<{ kind: string; drifts: number }>(
      `SELECT kind, (SELECT count(*)::int FROM ledger_drifts) AS drifts FROM ledger_postings
       WHERE for_day = $1 ORDER BY id`,
      [day],
    );
    return rows;
  };
  expect(await postings()).toEqual([{ kind: "accrual", drifts: 0 }]);
  // Its booking ends the history.
  await pool.query("INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, 2000)", [advertiser]);
  await pool.query("INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, 2000)", [
    campaignId,
    advertiser,
  ]);
  await pool.query("INSERT INTO campaign_days VALUES ($1, $2, 2000)", [campaignId, day]);
  progress = 1;
  expect(await postings()).toEqual([{ kind: "accrual", drifts: 0 }]);
});
