import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import { creditAdvertiser } from "./credit-advertiser.ts";
import { readDue } from "./invoices/due-documents.ts";
import { refillCampaignBalance } from "./refill.ts";
import { listRefills } from "./take-back-refill.ts";

const { pool } = await testPostgres();
const money = someMoney(pool);

test("a credit is no payment: it cannot be taken back as a refill, and only the refill is due to be invoiced", async () => {
  const accountId = await money.newAccount(0);
  const some = { accountId, reason: "Invalid traffic", actorUserId: 1, at: new Date() };
  await inTransaction(pool, async (client) => {
    await creditAdvertiser(client, { ...some, key: randomUUID(), amountMicros: 7_000_000 });
    await refillCampaignBalance(client, { ...some, key: randomUUID(), amountMicros: 2_000_000 });
  });
  const due = (await readDue(pool, "2000-01-01")).filter((one) => one.accountId === accountId);
  expect(due.map(({ amountMicros }) => amountMicros)).toEqual([2_000_000n]);
  expect((await listRefills(pool, accountId)).refills.map(({ amount }) => amount)).toEqual([2_000_000]);
});
