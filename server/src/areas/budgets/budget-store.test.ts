import { expect, test } from "vitest";
import { testPostgres } from "../../platform/testing/stores.ts";
import { stateOf } from "./budget-state.ts";
import { budgetStore } from "./budget-store.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";

const { pool } = await testPostgres();
const { newAccount, newCampaign } = someMoney(pool);
const store = budgetStore(pool, "one");
const MINUTE = 60_000;
const DAY = "2026-03-01";

const stateAt = async (campaignId: number) => (await stateOf(pool, [campaignId], new Date())).get(campaignId);

test("a lease that is asked for again is granted once", async () => {
  const campaignId = await newCampaign(await newAccount(), { budgetMicros: 10_000 });
  const ask = { leaseId: "again", campaignId, micros: 2000, leastMicros: 1000 };
  const twice = [await store.lease([ask], MINUTE), await store.lease([ask], MINUTE)];
  expect(twice.flat().map(({ grantedMicros }) => grantedMicros)).toEqual([2000, 2000]);
  expect(await stateAt(campaignId)).toMatchObject({ leasedMicros: 2000 });
});

test("a batch that is sent again counts once, and one that comes after its successor does not count", async () => {
  const campaignId = await newCampaign(await newAccount());
  await store.lease([{ leaseId: "batches", campaignId, micros: 8000, leastMicros: 1000 }], MINUTE);
  const group = { campaignId, leaseId: "batches", micros: 1000, count: 5 };
  for (let twice = 0; twice < 2; twice++)
    expect(await store.spend(1, DAY, [group])).toEqual([{ billed: 5, todayMicros: 5000, totalMicros: 5000 }]);
  expect(await store.spend(2, DAY, [group])).toEqual([{ billed: 3, todayMicros: 8000, totalMicros: 8000 }]);
  await expect(store.spend(1, DAY, [group])).rejects.toThrow("batch 1 comes after batch 2");
  // The numbers of another process are its own.
  expect(await budgetStore(pool, "other").spend(1, DAY, [group])).toMatchObject([{ billed: 0 }]);
});

test("a batch bills as much of each group as there is, in order, and takes back no more than was billed", async () => {
  const account = await newAccount();
  const [first, second] = [await newCampaign(account), await newCampaign(account)];
  const asks = [
    { leaseId: "a", campaignId: first, micros: 8000, leastMicros: 1000 },
    { leaseId: "b", campaignId: first, micros: 3000, leastMicros: 1000 },
    { leaseId: "c", campaignId: second, micros: 3000, leastMicros: 1000 },
  ];
  for (const ask of asks) await store.lease([ask], MINUTE);
  const answers = await store.spend(3, DAY, [
    { campaignId: second, leaseId: "c", micros: 700, count: 5 },
    { campaignId: first, leaseId: "a", micros: 3000, count: 3 },
    { campaignId: first, leaseId: "b", micros: 1000, count: 2 },
    { campaignId: first, leaseId: "a", micros: 500, count: 9 },
    { campaignId: first, leaseId: "a", micros: 500, count: -9 },
    { campaignId: first, leaseId: "c", micros: 1, count: 1 },
    { campaignId: first, leaseId: "b", micros: 1000, count: -1 },
  ]);
  expect(answers.map(({ billed }) => billed)).toEqual([4, 2, 2, 4, -9, 0, -1]);
  expect([await stateAt(first), await stateAt(second)]).toMatchObject([
    { totalMicros: 6000 + 2000 + 2000 - 4500 - 1000, leasedMicros: 11_000 - 4500 },
    { totalMicros: 2800, leasedMicros: 200 },
  ]);
});

test("an unknown campaign gets no lease", async () => {
  expect(
    await store.lease([{ leaseId: "none", campaignId: 2 ** 30, micros: 1, leastMicros: 1 }], MINUTE),
  ).toMatchObject([{ grantedMicros: 0, lack: "budget_spent", accountId: null }]);
});
