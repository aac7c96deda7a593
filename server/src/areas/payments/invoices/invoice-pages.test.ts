import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../../testing/test-platform.ts";
import { eraseBilling } from "./erase-billing.ts";
import { AN_ISSUER } from "./testing/some-invoices.ts";
import { readDue } from "./due-documents.ts";
import { issueDocument } from "./issue-documents.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";

const stores = await testStores();
const { pool, ask, mailsTo } = await testPlatform(stores, {
  OPERATOR_NAME: AN_ISSUER.party.name,
  OPERATOR_ADDRESS: "1 Mill Lane, 10115 Berlin",
  OPERATOR_COUNTRY: "DE",
  OPERATOR_VAT_ID: "DE 136 695 976",
  INVOICE_PREFIX: "EA",
  INVOICES_FROM: "2024-01-01",
});
const DETAILS = {
  legal_name: "Studio Ltd",
  address: "2 High Street\nVienna",
  country: "AT",
  is_business: true,
  vat_id: "u 13585627",
  self_billing: false,
};

let people = 0;
async function newOwner() {
  const person = await newPerson(pool, `billed-${++people}@example.com`);
  return { ...person, as: { cookie: await sessionOf(pool, person) } };
}
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const adminAs = { cookie: await sessionOf(pool, admin) };

let keys = 0;
const refill = (uuid: string, amount: number) =>
  ask(adminAs, "POST", `/admin/users/${uuid}/refill`, {
    amount,
    reason: "A transfer",
    key: `0f8fad5b-d9cb-469f-a165-7086772895${String(++keys).padStart(2, "0")}`,
  });

/** Issues now what the job would issue within minutes. */
async function issueNow(accountId: number): Promise<void> {
  const issue = {
    clock: { now: () => Date.now() },
    demo: false,
    onIssued: async () => {},
  };
  for (const due of await readDue(pool, AN_ISSUER.from))
    if (due.accountId === accountId)
      await inTransaction(pool, (client) => issueDocument(issue, client, AN_ISSUER, due));
}

test("an owner says who they are on paper; VAT ids are kept with their prefix, and wrong fields are refused by name", async () => {
  const { as } = await newOwner();
  expect((await ask(as, "GET", "/payment/billing.json")).body).toEqual({
    details: null,
    is_issuing: true,
    blocks: ["no_details"],
  });
  const saved = await ask(as, "POST", "/payment/billing", DETAILS);
  expect([saved.status, saved.body]).toEqual([
    200,
    { details: { ...DETAILS, vat_id: "ATU13585627" }, is_issuing: true, blocks: ["no_self_billing"] },
  ]);
  const agreed = await ask(as, "POST", "/payment/billing", { ...DETAILS, self_billing: true });
  expect(agreed.body["blocks"]).toEqual([]);
  for (const [wrong, error] of [
    [
      { vat_id: "ATU13585628" },
      { vat_id: "This is no VAT id of the chosen country: its format or its check digits are wrong" },
    ],
    [
      { vat_id: "DE136695976" },
      { vat_id: "This is no VAT id of the chosen country: its format or its check digits are wrong" },
    ],
    [{ is_business: false }, { vat_id: "A private person has no VAT id" }],
    [{ country: "ZZ" }, { country: "Choose a country" }],
    [{ legal_name: " " }, { legal_name: "This field is required" }],
    [{ address: "" }, { address: "This field is required" }],
  ] as const) {
    const refused = await ask(as, "POST", "/payment/billing", { ...DETAILS, ...wrong });
    expect([refused.status, refused.body]).toEqual([400, { error }]);
  }
  expect((await ask(as, "GET", "/payment/billing.json")).body).toEqual(agreed.body);
});

test("billing details that are saved while the account is being deleted are not kept", async () => {
  const { as, accountId } = await newOwner();
  const isWaiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  const { saving } = await inTransaction(pool, async (client) => {
    await client.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [accountId]);
    await eraseBilling(client, accountId);
    let isAnswered = false;
    const saving = ask(as, "POST", "/payment/billing", DETAILS).finally(() => {
      isAnswered = true;
    });
    await expect.poll(async () => isAnswered || (await pool.query(isWaiting)).rowCount === 1).toBe(true);
    return { saving };
  });
  expect((await saving).status).toBe(404);
  expect((await pool.query("SELECT FROM billing_details WHERE account_id = $1", [accountId])).rowCount).toBe(0);
});

test("neither an administrator of the account nor an admin who is switched in changes billing details", async () => {
  const owner = await newOwner();
  const helper = await newPerson(pool, "helper@example.com");
  await pool.query("UPDATE memberships SET account_id = $1, role = 'SUSR' WHERE user_id = $2", [
    owner.accountId,
    helper.userId,
  ]);
  const susr = { cookie: await sessionOf(pool, { userId: helper.userId, accountId: owner.accountId }) };
  const switched = { cookie: await sessionOf(pool, owner, admin.userId) };
  for (const as of [susr, switched]) {
    expect((await ask(as, "POST", "/payment/billing", DETAILS)).status).toBe(403);
    expect((await ask(as, "GET", "/payment/billing.json")).status).toBe(200);
  }
});

test("a refill's invoice is mailed, listed and downloaded by its account alone; an admin cancels it, and another takes its place", async () => {
  const [owner, stranger] = [await newOwner(), await newOwner()];
  await refill(owner.uuid, 100_000_000);
  const waiting = await ask(adminAs, "GET", "/admin/invoices.json");
  expect(waiting.body).toMatchObject({
    missing_settings: [],
    uninvoiced: [{ account: owner.email, series: "invoice", amount: 100_000_000, block: "no_details" }],
  });
  await ask(owner.as, "POST", "/payment/billing", { ...DETAILS, country: "DE", vat_id: "" });
  await issueNow(owner.accountId);
  const { body } = await ask(owner.as, "GET", "/payment/invoices.json?p=0");
  const year = new Date().getUTCFullYear();
  const [invoice] = body["invoices"] as { id: string }[];
  expect(invoice).toMatchObject({
    number: `EA-${year}-00001`,
    series: "invoice",
    net: 100_000_000,
    vat: 19_000_000,
    total: 119_000_000,
    treatment: "domestic",
    credited_by: null,
  });
  const id = invoice?.id ?? "";
  const file = await ask(owner.as, "GET", `/payment/invoices/${id}/pdf`);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  expect((await ask(stranger.as, "GET", `/payment/invoices/${id}/pdf`)).status).toBe(404);

  await ask(owner.as, "POST", "/payment/billing", DETAILS);
  const credited = await ask(adminAs, "POST", `/admin/invoices/${id}/credit`, { reason: "The customer is in Austria" });
  expect([credited.status, credited.body]).toEqual([
    200,
    { credit_note: `EA-C-${year}-00001`, invoice: `EA-${year}-00002` },
  ]);
  expect((await ask(adminAs, "POST", `/admin/invoices/${id}/credit`, { reason: "Again" })).status).toBe(409);
  const found = await ask(adminAs, "GET", `/admin/invoices.json?search=${owner.email}`);
  expect(
    (found.body["invoices"] as { number: string; vat: number; credited_by: string | null }[]).map(
      ({ number, vat, credited_by }) => [number, vat, credited_by],
    ),
  ).toEqual([
    [`EA-${year}-00002`, 0, null],
    [`EA-C-${year}-00001`, -19_000_000, null],
    [`EA-${year}-00001`, 19_000_000, `EA-C-${year}-00001`],
  ]);
  // Only what is issued by the platform itself is mailed; these two were.
  await expect
    .poll(async () => (await mailsTo(owner.email)).map(({ subject }) => subject).toSorted(), { timeout: 20_000 })
    .toEqual(expect.arrayContaining([`Credit note EA-C-${year}-00001`, `Invoice EA-${year}-00002`]));
  // By then their numbers are known outside PostgreSQL.
  const kept = await stores.clickhouse.read.query({
    query:
      "SELECT series, year, max(invoice_numbers.last) AS last FROM invoice_numbers GROUP BY series, year ORDER BY series",
    format: "JSONEachRow",
  });
  expect(await kept.json()).toEqual([
    { series: "credit_note", year, last: 1 },
    { series: "invoice", year, last: 2 },
  ]);

  const totals = await ask(adminAs, "GET", "/admin/invoices/totals.json");
  expect(totals.body["totals"]).toEqual([
    {
      series: "invoice",
      treatment: "domestic",
      country: "DE",
      rate_basis_points: 1900,
      documents: 2,
      net: 0,
      vat: 0,
      total: 0,
    },
    {
      series: "invoice",
      treatment: "reverse_charge",
      country: "AT",
      rate_basis_points: 0,
      documents: 1,
      net: 100_000_000,
      vat: 0,
      total: 100_000_000,
    },
  ]);
  const csv = await ask(adminAs, "GET", `/admin/invoices.csv?month=${String(totals.body["month"])}`);
  const lines = String(csv.body["text"]).trim().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain("Name,Number,Kind");
  expect(lines.find((line) => line.includes(`EA-${year}-00002`))).toContain(
    "AT,ATU13585627,reverse_charge,AT,0,100,0,100,",
  );
});

test("an unknown document is not found, and a credit note is not cancelled", async () => {
  const NOBODY = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
  for (const path of ["/payment/invoices/ID/pdf", "/admin/invoices/ID/pdf"])
    expect((await ask(adminAs, "GET", path.replace("ID", NOBODY))).status).toBe(404);
  const { rows } = await pool.query<{ uuid: string }>("SELECT uuid FROM invoices WHERE series = 'credit_note' LIMIT 1");
  const refused = await ask(adminAs, "POST", `/admin/invoices/${rows[0]?.uuid}/credit`, { reason: "x" });
  expect([refused.status, refused.body]).toEqual([409, { error: "A credit note cannot be cancelled" }]);
});
