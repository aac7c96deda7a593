import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { readPdf } from "../../../platform/pdf/testing/read-pdf.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { creditReturned } from "./credit-document.ts";
import { readDue, rulingOn } from "./due-documents.ts";
import { issueDocument, issueDue } from "./issue-documents.ts";
import { documentPdf } from "./read-documents.ts";
import { AN_ISSUER, someInvoices } from "./testing/some-invoices.ts";

const { pool } = await testPostgres();
const invoices = someInvoices(pool, "2026-10-05T09:00:00Z");
const { deps } = invoices;
const nthOf = (numbers: readonly number[]) => numbers.map((_, index) => index + 1);
const pdfOf = async (accountId: number) => {
  const { rows } = await pool.query<{ uuid: string }>(
    "SELECT uuid FROM invoices WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
    [accountId],
  );
  return readPdf(
    (await documentPdf({ pool, publicUrl: "https://ads.example.com" }, { uuid: rows[0]?.uuid ?? "" })).content,
  );
};

test("a refill gets one invoice with the VAT of its day, once its account has billing details, and no second one", async () => {
  const accountId = await invoices.newAccount();
  await invoices.refill(accountId, 250_000_000);
  expect(await issueDue(deps, AN_ISSUER)).toBe(0);
  invoices.moveTo("2026-10-09T09:00:00Z");
  await invoices.bill(accountId);
  expect(await issueDue(deps, AN_ISSUER)).toBe(1);
  expect(await issueDue(deps, AN_ISSUER)).toBe(0);
  expect(await invoices.documentsOf(accountId)).toEqual(["EA-2026-00001 25000 + 4750 of 2026-10-05 domestic"]);
  expect(await pdfOf(accountId)).toEqual([
    [
      "Millrace at ads.example.com",
      "Invoice EA-2026-00001",
      "SUPPLIER | CUSTOMER",
      "Example Ads | Studio Ltd",
      "1 Mill Lane | 2 High Street",
      "10115 Berlin | Germany",
      "Germany",
      "VAT ID DE136695976",
      "Number | EA-2026-00001",
      "Issued on | Oct 9th, 2026 (UTC)",
      "Day of supply | Oct 5th, 2026 (UTC)",
      "Payable by | Oct 23rd, 2026",
      "Currency | US dollar (USD)",
      "Service | Quantity | Net amount",
      "Advertising: prepayment of Oct 5th, 2026, added to the campaign balance | 1 | $250.00",
      "Net amount | $250.00",
      "VAT 19% (Germany) | $47.50",
      "Total | $297.50",
      "If this amount has been paid already, nothing more is to be paid.",
      "Invoice EA-2026-00001 | Page 1 of 1",
    ],
  ]);
});

test("a payout that was sent gets a self-billed invoice under reverse charge; one that comes back is credited and not invoiced again", async () => {
  const accountId = await invoices.newAccount();
  await invoices.bill(accountId, { country: "AT", vatId: "ATU13585627" });
  const payoutId = await invoices.payout(accountId, "2026-09", 120);
  await invoices.payout(accountId, "2026-08", 130, "sent");
  await issueDue(deps, AN_ISSUER);
  expect(await invoices.documentsOf(accountId)).toEqual(["EA-S-2026-00001 12000 + 0 of 2026-09-30 reverse_charge"]);
  const [lines = []] = await pdfOf(accountId);
  expect(lines).toContain("Self-billing invoice EA-S-2026-00001");
  expect(lines).toContain("Studio Ltd | Example Ads");
  expect(lines.join(" | ")).toContain("VAT ID ATU13585627 | Germany | VAT ID DE136695976");
  expect(lines.join(" ")).toContain(
    "Reverse charge: the recipient of the service accounts for VAT (Articles 44 and 196 of Directive 2006/112/EC).",
  );

  invoices.moveTo("2026-10-12T09:00:00Z");
  await pool.query("UPDATE payouts SET state = 'rejected' WHERE id = $1", [payoutId]);
  await creditReturned(deps, AN_ISSUER);
  await creditReturned(deps, AN_ISSUER);
  await issueDue(deps, AN_ISSUER);
  expect(await invoices.documentsOf(accountId)).toEqual([
    "EA-S-2026-00001 12000 + 0 of 2026-09-30 reverse_charge",
    "EA-C-2026-00001 -12000 + 0 of 2026-10-12 reverse_charge",
  ]);
  const [credit = []] = await pdfOf(accountId);
  expect(credit).toContain("Cancels | EA-S-2026-00001 of Oct 9th, 2026 (UTC)");
  expect(credit).toContain("Reason: The payment came back and is on the balance again.");
});

test("without an agreement to self-billing, or with a case that no rule covers, nothing is issued and the reason is known", async () => {
  const [one, other] = [await invoices.newAccount(), await invoices.newAccount()];
  await invoices.bill(one, { selfBilling: false });
  await invoices.payout(one, "2026-09", 5);
  await invoices.bill(other, { country: "FR" });
  await invoices.refill(other, 1_000_000);
  expect(await issueDue(deps, AN_ISSUER)).toBe(0);
  expect(await readDue(pool, AN_ISSUER.from)).toHaveLength(2);
});

test("an agreement to self-billing covers what is paid from then on; what was paid before stays the publisher's to invoice", async () => {
  const accountId = await invoices.newAccount();
  const french = { country: "FR", vatId: "FR40303265045" };
  await invoices.bill(accountId, { ...french, selfBilling: false });
  await invoices.payout(accountId, "2026-09", 100);
  invoices.moveTo("2026-10-20T09:00:00Z");
  await invoices.bill(accountId, french);
  await invoices.payout(accountId, "2026-10", 200);
  await issueDue(deps, AN_ISSUER);
  expect(await invoices.documentsOf(accountId)).toEqual([
    expect.stringMatching(/^EA-S-2026-\d{5} 20000 \+ 0 of 2026-10-31 reverse_charge$/),
  ]);
  const due = (await readDue(pool, AN_ISSUER.from)).filter((one) => one.accountId === accountId);
  expect(due.map((one) => [one.day, rulingOn(one, AN_ISSUER)])).toEqual([["2026-09-30", { block: "agreed_later" }]]);
});

test("a document never changes, and nothing before the first day of the settings gets one", async () => {
  const accountId = await invoices.newAccount();
  await invoices.bill(accountId);
  await invoices.refill(accountId, 1_000_000);
  expect(await issueDue(deps, { ...AN_ISSUER, from: "2026-12-01" })).toBe(0);
  expect(await issueDue(deps, AN_ISSUER)).toBe(1);
  await expect(pool.query("UPDATE invoices SET net_cents = 1")).rejects.toThrow("is only added to");
  await expect(pool.query("DELETE FROM invoices")).rejects.toThrow("is only added to");
});

test("issuers at once give consecutive numbers and each refill one document; a transaction that is rolled back leaves no gap", async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => invoices.newAccount()));
  for (const accountId of accounts) {
    await invoices.bill(accountId);
    await invoices.refill(accountId, 1_000_000);
    await invoices.refill(accountId, 2_000_000);
  }
  const [first] = await readDue(pool, AN_ISSUER.from, { withDetails: true }).then((all) =>
    all.filter(({ accountId }) => accountId === accounts[0]),
  );
  if (!first) throw new Error("nothing is due");
  await expect(
    inTransaction(pool, async (client) => {
      expect(await issueDocument(deps, client, AN_ISSUER, first)).toMatch(/^EA-2026-/);
      throw new Error("the mail cannot be queued");
    }),
  ).rejects.toThrow("the mail cannot be queued");
  const issued = await Promise.all([issueDue(deps, AN_ISSUER), issueDue(deps, AN_ISSUER), issueDue(deps, AN_ISSUER)]);
  expect(issued.reduce((sum, one) => sum + one, 0)).toBe(12);
  for (const accountId of accounts) expect(await invoices.documentsOf(accountId)).toHaveLength(2);
  const serials = await invoices.serials("invoice");
  expect(serials).toEqual(nthOf(serials));
});

test("numbers begin again with each year", async () => {
  const accountId = await invoices.newAccount();
  await invoices.bill(accountId);
  invoices.moveTo("2026-12-31T23:59:59Z");
  await invoices.refill(accountId, 1_000_000);
  invoices.moveTo("2027-01-01T00:00:01Z");
  await issueDue(deps, AN_ISSUER);
  expect(await invoices.documentsOf(accountId)).toEqual(["EA-2027-00001 100 + 19 of 2026-12-31 domestic"]);
});

test("whatever is refilled, an account's invoices add up to the ledger, and what is below a cent is carried and shown", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 10_000, max: 9_000_001 }), { minLength: 1, maxLength: 4 }),
      async (all) => {
        const accountId = await invoices.newAccount();
        await invoices.bill(accountId);
        for (const micros of all) await invoices.refill(accountId, micros);
        await issueDue(deps, AN_ISSUER);
        const { rows } = await pool.query<{ invoiced: string; booked: string; rest: string }>(
          `SELECT sum(net_cents) * 10000 AS invoiced, (array_agg(carried_out_micros ORDER BY id DESC))[1] AS rest, (
           SELECT -sum(amount_micros) FROM ledger_lines WHERE account_id = $1 AND book = 'campaign_balance') AS booked
         FROM invoices WHERE account_id = $1`,
          [accountId],
        );
        const [sums] = rows;
        expect(BigInt(sums?.invoiced ?? 0) + BigInt(sums?.rest ?? 0)).toBe(BigInt(sums?.booked ?? 0));
        const text = (await pdfOf(accountId)).flat().join(" ");
        expect(text.includes("Less than a cent, left to later ones | ")).toBe(
          sums?.rest !== "0" || text.includes("Less than a cent from earlier documents | "),
        );
      },
    ),
    { numRuns: 8 },
  );
}, 60_000);
