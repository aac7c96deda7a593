import { expect, test } from "vitest";
import { testPostgres } from "../../platform/testing/stores.ts";
import { campaignBalanceOf } from "../payments/index.ts";
import { stateOf } from "./budget-state.ts";
import type { Hold } from "./budgets.ts";
import { movableClock, someBudgets } from "./testing/some-budgets.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";

const pg = await testPostgres();
const { pool } = pg;
const { newAccount, newCampaign, edit, refill } = someMoney(pool);
const MIDDAY = Date.parse("2026-03-01T12:00:00Z");
const MINUTE = 60_000;

const clock = movableClock(MIDDAY);
const one = someBudgets(pg.url, clock);
const other = someBudgets(pg.url, clock);

const state = async (campaignId: number) => (await stateOf(pool, [campaignId], new Date(clock.now()))).get(campaignId);
const asHold = (held: Hold | string): Hold => {
  if (typeof held === "string") throw new Error(held);
  return held;
};

test("the first hold asks for a lease, and the next ones are held in memory", async () => {
  const campaign = await newCampaign(await newAccount());
  expect(one.hold(campaign, 1000, clock.now() + MINUTE)).toBe("lease_pending");
  const hold = await one.holdNow(campaign);
  expect(hold).toMatchObject({ campaignId: campaign, micros: 1000, leaseId: expect.any(String) as string });
  expect(one.hold(campaign, 1000, clock.now() + MINUTE)).toMatchObject({ campaignId: campaign });
  expect(await state(campaign)).toMatchObject({ todayMicros: 0, totalMicros: 0, isBudgetSpent: false });
});

test.each([
  ["budget", { budgetMicros: 20_500 }, 1_000_000, "budget_spent"],
  ["daily budget", { dailyMicros: 20_500 }, 1_000_000, "daily_budget_spent"],
  ["balance", {}, 20_500, "balance_spent"],
])("two processes hold no more than the %s, and say that it is spent", async (_, limits, balance, lack) => {
  const campaign = await newCampaign(await newAccount(balance), limits);
  const holds = (await Promise.all([one.holdAll(campaign), other.holdAll(campaign)])).flat();
  expect(holds).toHaveLength(20);
  expect([await one.holdNow(campaign), await other.holdNow(campaign)]).toEqual([lack, lack]);
  expect(await one.spendAll(holds)).toEqual(holds.map(() => true));
  expect(await state(campaign)).toEqual({
    todayMicros: 20_000,
    totalMicros: 20_000,
    leasedMicros: expect.any(Number) as number,
    isBudgetSpent: lack === "budget_spent",
    isDailyBudgetSpent: lack === "daily_budget_spent",
    isBalanceSpent: lack === "balance_spent",
  });
  // The same ads again: nothing is held for them.
  expect((await other.spendAll(holds)).some(Boolean)).toBe(false);
});

test("campaigns of an account share its balance", async () => {
  const account = await newAccount(10_000);
  const campaigns = [await newCampaign(account), await newCampaign(account)];
  const holds = await Promise.all(campaigns.flatMap((campaign) => [one.holdAll(campaign), other.holdAll(campaign)]));
  expect(holds.flat()).toHaveLength(10);
});

test("a released hold can be held again, once", async () => {
  const campaign = await newCampaign(await newAccount(), { budgetMicros: 1000 });
  const hold = asHold(await one.holdNow(campaign));
  one.release(hold);
  one.release(hold);
  const again = asHold(await one.holdNow(campaign));
  expect(again.leaseId).toBe(hold.leaseId);
  expect(await one.holdNow(campaign)).toBe("budget_spent");
});

test("an impression is billed by whichever process gets it, and not for another campaign or lease", async () => {
  const account = await newAccount();
  const [campaign, stranger] = [await newCampaign(account), await newCampaign(account)];
  const { leaseId } = asHold(await one.holdNow(campaign));
  const atMs = clock.now();
  expect(
    await other.spend([
      { campaignId: stranger, leaseId, micros: 1000, atMs },
      { campaignId: campaign, leaseId: "nothing", micros: 1000, atMs },
      { campaignId: 2 ** 30, leaseId, micros: 1000, atMs },
      { campaignId: campaign, leaseId, micros: 1000, atMs },
    ]),
  ).toEqual([false, false, false, true]);
  await expect(other.spend([{ campaignId: campaign, leaseId, micros: -1, atMs }])).rejects.toThrow(RangeError);
});

test("a taken-back impression can be billed again", async () => {
  const campaign = await newCampaign(await newAccount(), { budgetMicros: 1000 });
  const hold = asHold(await one.holdNow(campaign));
  const spend = { ...hold, atMs: clock.now() };
  expect(await one.spend([spend])).toEqual([true]);
  await one.takeBack([spend]);
  expect(await state(campaign)).toMatchObject({ todayMicros: 0, totalMicros: 0, isBudgetSpent: false });
  // More than was billed cannot be taken back.
  await one.takeBack([spend]);
  await one.tick(2 * MINUTE);
  expect(await one.spend([spend])).toEqual([true]);
  expect(await state(campaign)).toMatchObject({ todayMicros: 1000, totalMicros: 1000, isBudgetSpent: true });
});

test.each([
  ["budget", (id: number, micros: number) => edit(id, { budgetMicros: micros })],
  ["daily budget", (id: number, micros: number) => edit(id, { dailyMicros: micros })],
  ["balance", (_: number, micros: number, account: number) => refill(account, micros - 10_000)],
])("a cut %s holds at once, for impressions of earlier ads too", async (_, cutTo) => {
  const account = await newAccount(10_000);
  const campaign = await newCampaign(account, { budgetMicros: 10_000, dailyMicros: 10_000 });
  const holds = await one.holdAll(campaign);
  expect(await one.spendAll(holds.slice(0, 4))).toEqual([true, true, true, true]);
  await cutTo(campaign, 6000, account);
  expect(await one.spendAll(holds.slice(4))).toEqual([true, true, false, false, false, false]);
  expect(await state(campaign)).toMatchObject({ totalMicros: 6000 });
});

test("a raised budget is used at once", async () => {
  const campaign = await newCampaign(await newAccount(), { budgetMicros: 10_000 });
  const holds = await one.holdAll(campaign);
  await one.spendAll(holds.slice(0, 6));
  for (const hold of holds.slice(6)) one.release(hold);
  await edit(campaign, { budgetMicros: 20_000 });
  one.changed(campaign);
  expect(one.hold(campaign, 1000, clock.now() + MINUTE)).toBe("lease_pending");
  expect(await one.holdAll(campaign)).toHaveLength(14);
});

test("a refill is used at once", async () => {
  const account = await newAccount(0);
  const campaign = await newCampaign(account);
  expect(await one.holdNow(campaign)).toBe("balance_spent");
  await refill(account, 2000);
  one.accountChanged(account);
  expect(await one.holdAll(campaign)).toHaveLength(2);
});

test("edits and refills are heard from the store", async () => {
  const hearing = someBudgets(pg.url, clock);
  await hearing.start?.();
  const account = await newAccount(1000);
  const campaign = await newCampaign(account, { budgetMicros: 1000 });
  expect(await hearing.holdAll(campaign)).toHaveLength(1);
  const lack = () => hearing.hold(campaign, 1000, clock.now() + MINUTE);
  expect(lack()).toBe("budget_spent");
  await edit(campaign, { budgetMicros: 2000 });
  await expect.poll(lack, { timeout: 200, interval: 5 }).toBe("balance_spent");
  await refill(account, 1000);
  await expect.poll(lack, { timeout: 200, interval: 5 }).toMatchObject({ campaignId: campaign });
});

test("unused money returns when a lease stops giving holds, and held money when its hold ends", async () => {
  const campaign = await newCampaign(await newAccount(), { budgetMicros: 100_000 });
  const hold = asHold(await one.holdNow(campaign, 1000, 10 * MINUTE));
  expect((await state(campaign))?.leasedMicros).toBeGreaterThan(1000);
  await one.tick(MINUTE);
  expect((await state(campaign))?.leasedMicros).toBe(1000);
  await one.tick(8 * MINUTE);
  expect(await other.spendAll([hold])).toEqual([true]);
  const late = asHold(await one.holdNow(campaign, 1000, 10 * MINUTE));
  await one.tick(12 * MINUTE);
  expect((await state(campaign))?.leasedMicros).toBe(0);
  expect(await other.spendAll([late])).toEqual([false]);
});

test("a stopped process returns what is not held", async () => {
  const campaign = await newCampaign(await newAccount(), { budgetMicros: 100_000 });
  const ending = someBudgets(pg.url, clock);
  const hold = asHold(await ending.holdNow(campaign));
  await ending.stop?.();
  expect((await state(campaign))?.leasedMicros).toBe(1000);
  expect(await other.spendAll([hold])).toEqual([true]);
  expect((await state(campaign))?.leasedMicros).toBe(0);
});

test("leases of a process that ended without a word expire, and others get the money", async () => {
  const campaign = await newCampaign(await newAccount(), { budgetMicros: 10_000 });
  const lost = someBudgets(pg.url, clock);
  const holds = await lost.holdAll(campaign, 1000, 30 * MINUTE);
  expect(holds).toHaveLength(10);
  clock.offsetMs += 31 * MINUTE;
  expect(await other.spendAll(holds.slice(0, 3))).toEqual([true, true, true]);
  expect(await other.holdNow(campaign)).toBe("budget_spent");
  clock.offsetMs += 3 * MINUTE;
  expect((await state(campaign))?.leasedMicros).toBe(0);
  const again = await other.heldInTheEnd(campaign);
  expect([again, ...(await other.holdAll(campaign))]).toHaveLength(7);
  expect((await other.spendAll(holds.slice(3))).some(Boolean)).toBe(false);
});

test("the daily budget is there again with the next UTC day, and yesterday's leases count against it", async () => {
  const campaign = await newCampaign(await newAccount(), { dailyMicros: 10_000 });
  clock.offsetMs = Date.parse("2026-03-04T23:59:00Z") - MIDDAY;
  const evening = await one.holdAll(campaign, 1000, 5 * MINUTE);
  expect(evening).toHaveLength(10);
  expect(await one.spendAll(evening.slice(0, 8))).toEqual(evening.slice(0, 8).map(() => true));
  expect(await state(campaign)).toMatchObject({ isDailyBudgetSpent: false });
  clock.offsetMs += 2 * MINUTE;
  expect(one.spentOf(campaign)).toEqual({ todayMicros: 0, totalMicros: 8000 });
  const next = await one.heldInTheEnd(campaign);
  expect([next, ...(await one.holdAll(campaign))]).toHaveLength(8);
  expect(await one.spendAll(evening.slice(8))).toEqual([true, true]);
  expect(await state(campaign)).toMatchObject({ todayMicros: 2000, totalMicros: 10_000 });
});

test("a process that has held nothing knows what is spent, and goes on knowing it", async () => {
  const campaign = await newCampaign(await newAccount());
  expect(await one.spendAll([asHold(await one.holdNow(campaign))])).toEqual([true]);
  const fresh = someBudgets(pg.url, clock);
  expect(fresh.spentOf(campaign)).toBeUndefined();
  await expect.poll(() => fresh.spentOf(campaign)).toEqual({ todayMicros: 1000, totalMicros: 1000 });
  await one.spendAll([asHold(await one.holdNow(campaign))]);
  clock.offsetMs += MINUTE;
  await expect.poll(() => fresh.spentOf(campaign)).toEqual({ todayMicros: 2000, totalMicros: 2000 });
});

test("a process knows that the balance is spent without asking for money, and forgets it with a refill", async () => {
  const account = await newAccount(1000);
  const campaign = await newCampaign(account);
  expect(await one.spendAll([asHold(await one.holdNow(campaign))])).toEqual([true]);
  const fresh = someBudgets(pg.url, clock);
  const spent = { todayMicros: 1000, totalMicros: 1000 };
  await expect.poll(() => fresh.spentOf(campaign)).toEqual({ ...spent, isBalanceSpent: true });
  await refill(account, 5000);
  clock.offsetMs += MINUTE;
  await expect.poll(() => fresh.spentOf(campaign)).toEqual(spent);
});

test("what is spent leaves the account's balance, and a refill adds to what is left", async () => {
  const account = await newAccount(10_000);
  const campaign = await newCampaign(account);
  await one.spendAll([asHold(await one.holdNow(campaign)), asHold(await one.holdNow(campaign))]);
  expect(await campaignBalanceOf(pool, account)).toBe(8000);
  expect(await refill(account, 500)).toMatchObject({ balanceMicros: 8500 });
});

test("a deleted campaign buys nothing more, and its ads are still billed", async () => {
  const campaign = await newCampaign(await newAccount());
  const hold = asHold(await one.holdNow(campaign));
  await pool.query("UPDATE campaigns SET deleted_at = now() WHERE id = $1", [campaign]);
  one.changed(campaign);
  expect(await one.holdNow(campaign)).toBe("budget_spent");
  expect(await one.spendAll([hold])).toEqual([true]);
  await expect(pool.query("DELETE FROM campaigns WHERE id = $1", [campaign])).rejects.toThrow("campaign_budgets");
});
