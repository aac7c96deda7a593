import { expect, test } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import { accrue } from "./accrual.ts";
import { campaignBalanceOf, publisherBalanceOf } from "./balances.ts";
import { publisherBooks } from "./testing/publisher-books.ts";
import { returnUnprovenSpend } from "./unproven-spend.ts";

const { pool } = await testPostgres();
const clock = { now: () => Date.UTC(2026, 10, 20, 12) };
const money = someMoney(pool);

test("ads of days of which a restored PostgreSQL knows no spend are charged after a week, once", async () => {
  const studio = publisherBooks(pool);
  const publisher = await studio.newAccount();
  const appId = await studio.newApp(publisher);
  const advertiser = await money.newAccount(10_000);
  // One campaign had spent before the copy was made, the other had not.
  const [known, fresh] = [await money.newCampaign(advertiser), await money.newCampaign(advertiser)];
  await pool.query("INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, 100)", [advertiser]);
  await pool.query("INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, 100)", [
    known,
    advertiser,
  ]);
  await pool.query("INSERT INTO campaign_days VALUES ($1, '2026-11-10', 100)", [known]);
  const sold = (campaignId: number, day: string, grossMicros: bigint) => ({
    day,
    appId,
    provider: "campaigns",
    campaignId,
    impressions: 1,
    grossMicros,
    revenueMicros: (grossMicros * 8n) / 10n,
  });
  const events = [
    sold(known, "2026-11-10", 100n),
    sold(known, "2026-11-11", 2000n),
    sold(fresh, "2026-11-11", 500n),
    // May still be spent.
    sold(fresh, "2026-11-19", 1000n),
  ];
  const books = {
    firstDay: async () => "2026-11-10",
    earnings: async ({ ds, de }: { ds: string; de: string }) => events.filter(({ day }) => day >= ds && day <= de),
  };
  await accrue({ pool, clock, log: silentLog, books }, { ds: "2026-11-01", de: "2026-11-19" });
  expect(await returnUnprovenSpend({ pool, clock })).toBe(2);
  expect(await returnUnprovenSpend({ pool, clock })).toBe(0);
  expect(await campaignBalanceOf(pool, advertiser)).toBe(7400);
  expect(await publisherBalanceOf(pool, publisher)).toBe(2880);
});
