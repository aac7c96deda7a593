import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { REQUEST } from "../testing/model/command.ts";
import { creditByHand } from "./credit-document.ts";
import { issueDue } from "./issue-documents.ts";
import { takeBackRefill } from "../take-back-refill.ts";
import { totalsOf } from "./list-invoices.ts";
import { AN_ISSUER, someInvoices } from "./testing/some-invoices.ts";

const { pool } = await testPostgres();
const invoices = someInvoices(pool, "2026-09-10T09:00:00Z");
const { deps } = invoices;
const admin = await pool.query<{ id: number }>(
  "INSERT INTO users (email, name) VALUES ('admin@example.com', 'Ada') RETURNING id",
);
const by = { caller: someCaller({ userId: admin.rows[0]?.id ?? 0 }), request: REQUEST };
/** Cancels an account's last document. */
async function cancelLast(accountId: number, reason: string) {
  const { rows } = await pool.query<{ uuid: string }>(
    "SELECT uuid FROM invoices WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
    [accountId],
  );
  return creditByHand(deps, by, AN_ISSUER, { uuid: rows[0]?.uuid ?? "", reason });
}

test("a document that is corrected in a later month leaves the sums of its own month as they were declared", async () => {
  const accountId = await invoices.newAccount();
  await invoices.bill(accountId);
  await invoices.refill(accountId, 1_000_000_000);
  await issueDue(deps, AN_ISSUER);
  const sumsOf = async (month: string) => (await totalsOf(pool, month)).totals.map(({ net, vat }) => [net, vat]);
  const declared = await sumsOf("2026-09");
  expect(declared).toEqual([[1_000_000_000, 190_000_000]]);
  invoices.moveTo("2026-11-20T09:00:00Z");
  await cancelLast(accountId, "The address was wrong");
  expect(await invoices.documentsOf(accountId)).toEqual([
    "EA-2026-00001 100000 + 19000 of 2026-09-10 domestic",
    "EA-C-2026-00001 -100000 + -19000 of 2026-09-10 domestic",
    "EA-2026-00002 100000 + 19000 of 2026-09-10 domestic",
  ]);
  expect([await sumsOf("2026-09"), await sumsOf("2026-11")]).toEqual([declared, []]);
});

test("what was taken back of a refill is not invoiced: its cancelled invoice is issued anew for the rest, or not at all", async () => {
  invoices.moveTo("2026-09-10T09:00:00Z");
  const accountId = await invoices.newAccount();
  await invoices.bill(accountId);
  await invoices.refill(accountId, 10_000_000_000);
  await issueDue(deps, AN_ISSUER);
  const { rows } = await pool.query<{ refill: string }>(
    `SELECT split_part(p.reference, ' ', 2) AS refill FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE l.account_id = $1 AND p.kind = 'refill'`,
    [accountId],
  );
  const takeBack = (dollars: number) =>
    inTransaction(pool, (client) =>
      takeBackRefill(client, {
        refill: rows[0]?.refill ?? "",
        key: randomUUID(),
        accountId,
        amountMicros: dollars * 1_000_000,
        reason: "$100 was meant",
        actorUserId: by.caller.userId,
        at: new Date(deps.clock.now()),
      }),
    );
  await takeBack(9900);
  const { invoice } = await cancelLast(accountId, "$100 was meant");
  expect(invoice).not.toBeNull();
  const amounts = async () => (await invoices.documentsOf(accountId)).map((words) => words.replace(/^\S+ /, ""));
  const [whole, back, rest] = [
    "1000000 + 190000 of 2026-09-10 domestic",
    "-1000000 + -190000 of 2026-09-10 domestic",
    "10000 + 1900 of 2026-09-10 domestic",
  ];
  expect(await amounts()).toEqual([whole, back, rest]);
  await takeBack(100);
  expect((await cancelLast(accountId, "Nothing was paid")).invoice).toBeNull();
  await issueDue(deps, AN_ISSUER);
  expect(await amounts()).toEqual([whole, back, rest, "-10000 + -1900 of 2026-09-10 domestic"]);
});
