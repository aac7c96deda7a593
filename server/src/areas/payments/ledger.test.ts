import { expect, test } from "vitest";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { campaignBalanceOf } from "./balances.ts";
import { type Posting, bookPosting } from "./ledger.ts";

const { pg } = await testStores();
const { rows } = await pg.pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
const accountId = rows[0]?.id ?? 0;

const refill = (reference: string, debit: bigint, credit: bigint): Posting => ({
  reference,
  kind: "refill",
  reason: "a test",
  actorUserId: null,
  at: new Date(),
  lines: [
    { book: "cash", accountId: null, amountMicros: debit },
    { book: "campaign_balance", accountId, amountMicros: -credit },
  ],
});
const book = (posting: Posting) => inTransaction(pg.pool, (client) => bookPosting(client, posting));

test("a posting is booked once for its reference, even with repeated and concurrent requests", async () => {
  const booked = await Promise.all(Array.from({ length: 4 }, () => book(refill("once", 5_000_000n, 5_000_000n))));
  expect(booked.filter(Boolean)).toHaveLength(1);
  expect(await campaignBalanceOf(pg.pool, accountId)).toBe(5_000_000);
});

test("an unbalanced posting is refused by the rule and by the store", async () => {
  await expect(book(refill("crooked", 5n, 4n))).rejects.toThrow("out of balance");
  const { rows: postings } = await pg.pool.query<{ id: string }>("SELECT id FROM ledger_postings LIMIT 1");
  const line =
    "INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros) VALUES ($1, 9, 'cash', NULL, 1)";
  await expect(pg.pool.query(line, [postings[0]?.id])).rejects.toThrow("does not balance");
});

test("postings cannot be changed", async () => {
  for (const sql of [
    "UPDATE ledger_lines SET amount_micros = 1",
    "DELETE FROM ledger_lines",
    "DELETE FROM ledger_postings",
  ])
    await expect(pg.pool.query(sql)).rejects.toThrow("is only added to");
  expect(await campaignBalanceOf(pg.pool, accountId)).toBe(5_000_000);
});
