import { expect, test } from "vitest";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { campaignBalanceOf } from "./balances.ts";
import { type Line, PAST_DAYS_LOCK, type Posting, bookOnce, bookPosting, closeMonth } from "./ledger.ts";

const pg = await testPostgres();
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

test("a posting that a person asks for is booked once, and its key cannot book another amount, account, reason or kind", async () => {
  const asked = refill("asked for", 3n, 3n);
  const ask = (posting: Posting) => inTransaction(pg.pool, (client) => bookOnce(client, "refill", posting));
  const before = await campaignBalanceOf(pg.pool, accountId);
  expect(await ask(asked)).toBe(true);
  expect(await ask(asked)).toBe(false);
  const ofNobody = asked.lines.map((line) => ({ ...line, accountId: null })) as [Line, Line];
  for (const other of [
    refill("asked for", 4n, 4n),
    { ...asked, lines: ofNobody },
    { ...asked, reason: "another" },
    { ...asked, kind: "advertiser_credit" as const },
  ])
    await expect(ask(other)).rejects.toThrow("Another refill has been booked with this key");
  expect(await campaignBalanceOf(pg.pool, accountId)).toBe(before + 3);
});

test("an unbalanced posting is refused by the rule and by the store", async () => {
  await expect(book(refill("crooked", 5n, 4n))).rejects.toThrow("out of balance");
  const { rows: postings } = await pg.pool.query<{ id: string }>("SELECT id FROM ledger_postings LIMIT 1");
  const line =
    "INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros) VALUES ($1, 9, 'cash', NULL, 1)";
  await expect(pg.pool.query(line, [postings[0]?.id])).rejects.toThrow("does not balance");
});

test("postings cannot be changed", async () => {
  const before = await campaignBalanceOf(pg.pool, accountId);
  for (const sql of [
    "UPDATE ledger_lines SET amount_micros = 1",
    "DELETE FROM ledger_lines",
    "DELETE FROM ledger_postings",
  ])
    await expect(pg.pool.query(sql)).rejects.toThrow("is only added to");
  expect(await campaignBalanceOf(pg.pool, accountId)).toBe(before);
});

test("nothing is booked in a closed month, and a month is closed once", async () => {
  const close = () => inTransaction(pg.pool, (client) => closeMonth(client, "2026-03", new Date()));
  await book({ ...refill("in March", 1n, 1n), onDay: "2026-03-31" });
  expect(await close()).toBe(true);
  expect(await close()).toBe(false);
  await expect(book({ ...refill("late", 1n, 1n), onDay: "2026-03-31" })).rejects.toThrow("is closed");
  expect(await book({ ...refill("late", 1n, 1n), onDay: "2026-04-01", forDay: "2026-03-31" })).toBe(true);
});

test("a posting that is on its way when its month is closed is booked before, and counts", async () => {
  const client = await pg.pool.connect();
  await client.query("BEGIN");
  await bookPosting(client, { ...refill("on its way", 1n, 1n), onDay: "2026-05-31" });
  const closing = inTransaction(pg.pool, (other) => closeMonth(other, "2026-05", new Date()));
  await client.query("COMMIT");
  client.release();
  expect(await closing).toBe(true);
  const { rowCount } = await pg.pool.query("SELECT FROM ledger_postings WHERE reference = 'on its way'");
  expect(rowCount).toBe(1);
});

test("a month that was found open stays open until what is booked of its days is booked", async () => {
  const closing = await inTransaction(pg.pool, async (client) => {
    await client.query(PAST_DAYS_LOCK);
    const closed = inTransaction(pg.pool, (other) => closeMonth(other, "2026-06", new Date()));
    await untilWaiting("pg_advisory_xact_lock");
    await bookPosting(client, { ...refill("found open", 1n, 1n), onDay: "2026-06-30" });
    return { closed };
  });
  expect(await closing.closed).toBe(true);
});

/** Waits until a session waits for a lock in a statement with this text. */
async function untilWaiting(text: string): Promise<void> {
  const sessions = async () =>
    (
      await pg.pool.query(
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'",
        [text],
      )
    ).rowCount;
  await expect.poll(sessions).toBe(1);
}
