import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { eraseBilling, eraseServed } from "./erase-billing.ts";
import { issueDue } from "./issue-documents.ts";
import { AN_ISSUER, someInvoices } from "./testing/some-invoices.ts";

const { pool } = await testPostgres();
const invoices = someInvoices(pool, "2026-11-20T09:00:00Z");
const { deps } = invoices;
const FRENCH = { country: "FR", vatId: "FR40303265045" };

const deleteAccount = (accountId: number) =>
  inTransaction(pool, async (client) => {
    await client.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [accountId]);
    await eraseBilling(client, accountId);
  });
const isKept = async (accountId: number) =>
  (await pool.query("SELECT FROM billing_details WHERE account_id = $1", [accountId])).rowCount === 1;

test("a payout that is paid after its account was deleted gets its document, and the billing details are erased with it", async () => {
  const accountId = await invoices.newAccount();
  await invoices.bill(accountId, FRENCH);
  const payoutId = await invoices.payout(accountId, "2026-10", 250, "sent");
  await deleteAccount(accountId);
  await eraseServed(pool, AN_ISSUER);
  expect(await isKept(accountId)).toBe(true);
  await pool.query("UPDATE payouts SET state = 'paid', changed_at = '2026-11-21T09:00:00Z' WHERE id = $1", [payoutId]);
  await eraseServed(pool, AN_ISSUER);
  await issueDue(deps, AN_ISSUER);
  expect(await invoices.documentsOf(accountId)).toEqual(["EA-S-2026-00001 25000 + 0 of 2026-10-31 reverse_charge"]);
  await eraseServed(pool, AN_ISSUER);
  expect(await isKept(accountId)).toBe(false);
});

test("a refill of a deleted account waits for its rate; what only the account could change keeps nothing, and neither does a platform without documents", async () => {
  const [unrated, unnamed] = [await invoices.newAccount(), await invoices.newAccount()];
  await invoices.bill(unrated, { country: "MC" });
  await invoices.bill(unnamed, { country: "FR" });
  for (const accountId of [unrated, unnamed]) {
    await invoices.refill(accountId, 10_000_000);
    await deleteAccount(accountId);
  }
  await eraseServed(pool, AN_ISSUER);
  expect([await isKept(unrated), await isKept(unnamed)]).toEqual([true, false]);
  await eraseServed(pool, null);
  expect(await isKept(unrated)).toBe(false);
});

test("the billing details of an account with nothing to invoice are erased with it", async () => {
  const accountId = await invoices.newAccount();
  await invoices.bill(accountId);
  await invoices.refill(accountId, 10_000_000);
  await issueDue(deps, AN_ISSUER);
  await deleteAccount(accountId);
  expect(await isKept(accountId)).toBe(false);
});
