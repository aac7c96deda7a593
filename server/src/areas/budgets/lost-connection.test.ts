import { afterAll, expect, test } from "vitest";
import { connectPostgres } from "../../platform/postgres/connect-postgres.ts";
import { sleep } from "../../platform/waiting.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { stateOf } from "./budget-state.ts";
import type { Hold } from "./budgets.ts";
import { movableClock, someBudgets } from "./testing/some-budgets.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";

const pg = await testPostgres();
const { newAccount, newCampaign } = someMoney(pg.pool);
const clock = movableClock(Date.parse("2026-03-01T12:00:00Z"));
// The name by which the connections are found that are to be cut.
const url = new URL(pg.url);
url.searchParams.set("application_name", "cut");
const database = new URL(pg.url).pathname.slice(1);
const adminUrl = new URL(pg.url);
adminUrl.pathname = "/postgres";
const admin = connectPostgres(adminUrl.href, { max: 1 });
afterAll(() => admin.close());

const cutConnections = () =>
  admin.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'cut'",
    [database],
  );
const allowConnections = (allow: boolean) =>
  admin.pool.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${String(allow)}`);
const state = async (campaignId: number) =>
  (await stateOf(pg.pool, [campaignId], new Date(clock.now()))).get(campaignId);

test("impressions whose connection is cut are billed once each, and leases granted once", async () => {
  const campaign = await newCampaign(await newAccount(), { budgetMicros: 100_000 });
  const budgets = someBudgets(url.href, clock);
  const first = budgets.holdNow(campaign);
  await cutConnections();
  clock.offsetMs += 1000;
  await first;
  const holds = await budgets.holdAll(campaign);
  expect(holds).toHaveLength(99);
  const billed: boolean[] = [];
  for (let from = 0; from < 99; from += 3) {
    const billing = budgets.spendAll(holds.slice(from, from + 3));
    // Before, while and after PostgreSQL executes the batch.
    await sleep(from / 10);
    await cutConnections();
    billed.push(...(await billing));
  }
  expect(billed).toEqual(holds.map(() => true));
  expect(await state(campaign)).toMatchObject({ totalMicros: 99_000, leasedMicros: 1000 });
});

test("without PostgreSQL, holds go on until the lease is used, spends reject, and nothing is granted twice", async () => {
  const campaign = await newCampaign(await newAccount(), { budgetMicros: 30_000 });
  const budgets = someBudgets(url.href, clock);
  const holds: Hold[] = [];
  const hold = () => {
    const held = budgets.hold(campaign, 1000, clock.now() + 60_000);
    if (typeof held === "string") return held;
    holds.push(held);
    return "held";
  };
  await budgets.holdNow(campaign);
  await allowConnections(false);
  await cutConnections();
  await expect.poll(hold).toBe("lease_pending");
  expect(holds.length).toBeGreaterThan(2);
  await expect(budgets.spendAll(holds)).rejects.toThrow("not currently accepting connections");
  expect(hold()).toBe("lease_pending");
  await allowConnections(true);
  // Asked again after the pause, which the clock of the test skips.
  clock.offsetMs += 20_000;
  await expect.poll(hold).toBe("budget_spent");
  expect(holds).toHaveLength(29);
  expect(await budgets.spendAll(holds)).toEqual(holds.map(() => true));
  expect(await state(campaign)).toMatchObject({ totalMicros: 29_000, leasedMicros: 1000 });
});
