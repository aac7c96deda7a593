import { addDays, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { readPdf } from "../../../platform/pdf/testing/read-pdf.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../../testing/test-platform.ts";
import { bookPosting } from "../ledger.ts";
import { frameTickets } from "./frame-tickets.ts";
import { erasePayee } from "./payees.ts";
import { nextPaymentText } from "./sandbox-frame.ts";

const SECRET = "a-secret-that-is-long-enough-for-tickets";
// Paid on a month's first day, the next payment is of the running month whatever day it is.
const { pool, url, ask, mailsTo } = await testPlatform(await testStores(), {
  MILLRACE_SECRET: SECRET,
  PAYOUT_DAY: "1",
});
const BANK = { method: "bank", holder: "Ada Lovelace", account: "DE89 3704 0044 0532 0130 00" };

let people = 0;
async function newOwner() {
  const person = await newPerson(pool, `publisher-${++people}@example.com`);
  return { ...person, as: { cookie: await sessionOf(pool, person) } };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;

/** The path of the frame that an owner gets. */
async function frameOf(as: { cookie: string }): Promise<string> {
  const { status, body } = await ask(as, "POST", "/payment/register_to_tipalti");
  expect([status, body["origin"]]).toEqual([200, url]);
  return new URL(String(body["url"])).pathname;
}

test("an owner gets a frame, enters where the money goes, and is told of it by mail", async () => {
  const { as, email } = await newOwner();
  const path = await frameOf(as);
  const page = await ask(as, "GET", path);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page.body["text"]).toContain("none yet");
  // Less than the minimum is not paid, so the day alone would promise too much.
  expect(page.body["text"]).toMatch(
    /Next payment: \$0\.00 so far for \w+ \d{4}, due on [\w ,]+, if it comes to \$100\.00\./,
  );

  const saved = await ask(as, "POST", path, BANK);
  expect([saved.status, saved.body]).toEqual([200, { ok: 1, method: "Bank transfer ending 3000" }]);
  expect((await ask(as, "GET", "/payment/next.json")).body).toMatchObject({ method: "Bank transfer ending 3000" });
  await expect
    .poll(async () => (await mailsTo(email)).map(({ subject }) => subject), { timeout: 20_000 })
    .toEqual(["Your payout details have changed"]);
  const { rows } = await pool.query<{ details: Buffer }>("SELECT details FROM sandbox_payees");
  for (const { details } of rows) expect(details.toString("latin1")).not.toContain("3704");
});

test.each([
  [120, [], "Next payment: $120.00 for October 2026, on Nov 15th, 2026."],
  [120, ["no_details"], "Next payment: $120.00 for October 2026, due on Nov 15th, 2026."],
  [99, ["below_minimum"], "$99.00 for October 2026 stays on your balance and is paid with a later month."],
  [
    -5,
    ["below_minimum"],
    "Nothing is paid for October 2026: $5.00 more was taken from your balance than you were owed by then.",
  ],
] as const)("the frame says what is paid of a month with %i dollars and these blocks: %j", (dollars, blocks, text) => {
  const next = { month: "2026-10", on: "2026-11-15", amount: dollars * 1_000_000, month_is_over: true };
  expect(nextPaymentText({ minimum: 100_000_000, next: { ...next, blocks: [...blocks] } })).toBe(text);
});

const mailsAbout = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);

test.each([
  [
    { method: "paypal", holder: "Jane", account: "jane@example.com" },
    { method: "paypal", holder: "Jane", account: "jack.the.thief@example.com" },
  ],
  [BANK, { ...BANK, holder: "Jack", account: "GB15 NWBK 0000 0000 0030 00" }],
  [BANK, { ...BANK, holder: "Jack" }],
])(
  "details that look like those before are a change, of which the owner is told by mail and the audit log: %j, %j",
  async (...both) => {
    const { as, accountId, email } = await newOwner();
    const path = await frameOf(as);
    const methods = [];
    // What is saved again is no change.
    for (const details of [...both, both[1]]) methods.push((await ask(as, "POST", path, details)).body["method"]);
    expect(new Set(methods).size).toBe(1);
    const { rows } = await pool.query<{ subject: string; details: object; from: string | null }>(
      `SELECT subject, details, host(address) AS from FROM audit_log
     WHERE account_id = $1 AND action = 'payout_details_changed'`,
      [accountId],
    );
    const [payeeId] = (path.split("/").at(-1) ?? "").split(".");
    const change = { subject: payeeId, details: {}, from: "127.0.0.1" };
    expect(rows).toEqual([change, change]);
    const told = "Your payout details have changed";
    await expect.poll(() => mailsAbout(email), { timeout: 20_000 }).toEqual([told, told]);
  },
);

test("the frame loads nothing but the dashboard's own font", async () => {
  const { as } = await newOwner();
  const { headers, body } = await ask(as, "GET", await frameOf(as));
  const page = String(body["text"]);
  const fonts = [...page.matchAll(/url\("([^"]*)"\)/g)].map(([, path]) => path);
  // Only a built dashboard has a font to serve.
  for (const path of fonts) expect(path).toMatch(/^\/assets\/inter-latin-wght-normal-[\w-]+\.woff2$/);
  expect(String(headers.get("content-security-policy")).includes("font-src 'self'")).toBe(fonts.length === 1);
  expect(page).toContain('"Inter Variable", Inter');
});

test.each([
  [{ ...BANK, account: "DE89370400440532013001" }, { account: "Enter a valid IBAN" }],
  [{ ...BANK, holder: " " }, { holder: "This field is required" }],
  [
    { method: "paypal", holder: "Ada", account: "not an address" },
    { account: "Enter the e-mail address of your PayPal account" },
  ],
])("details that cannot be paid to are refused at their field: %j", async (details, error) => {
  const { as } = await newOwner();
  const { status, body } = await ask(as, "POST", await frameOf(as), details);
  expect([status, body]).toEqual([400, { error }]);
  expect((await ask(as, "GET", "/payment/next.json")).body).toMatchObject({ method: null });
});

test("a forged, changed or expired ticket opens nothing, and one of another payee only theirs", async () => {
  const [{ as }, { as: other }] = [await newOwner(), await newOwner()];
  const path = await frameOf(as);
  const [payeeId = ""] = (path.split("/").at(-1) ?? "").split(".");
  const old = frameTickets([SECRET], { now: () => Date.now() - 3_700_000 }).issue(payeeId);
  const forged = frameTickets(["another-secret-that-is-just-as-long"], { now: () => Date.now() }).issue(payeeId);
  const later = path.replace(/\.(\d{10})\./, (_, until: string) => `.${Number(until) + 9}.`);
  for (const wrong of [`/payout_frame/${old}`, `/payout_frame/${forged}`, later, "/payout_frame/x"]) {
    expect((await ask(as, "GET", wrong)).status).toBe(410);
    expect((await ask(as, "POST", wrong, BANK)).status).toBe(410);
  }
  expect((await ask(other, "GET", path)).status).toBe(410);
  expect((await ask(other, "POST", path, BANK)).status).toBe(410);
});

test.each([
  ["has logged out", ({ as }: Owner) => ask(as, "GET", "/logout")],
  ["is blocked", ({ userId }: Owner) => pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [userId])],
  ["has reset the password", ({ userId }: Owner) => pool.query("DELETE FROM sessions WHERE user_id = $1", [userId])],
])("an address of the frame opens nothing once its owner %s", async (_, end) => {
  const owner = await newOwner();
  const path = await frameOf(owner.as);
  expect((await ask(owner.as, "GET", path)).status).toBe(200);
  await end(owner);
  for (const as of [owner.as, {}]) {
    expect((await ask(as, "GET", path)).status).toBe(401);
    expect((await ask(as, "POST", path, BANK)).status).toBe(401);
  }
  expect(
    (await pool.query("SELECT FROM payees WHERE account_id = $1 AND method IS NOT NULL", [owner.accountId])).rowCount,
  ).toBe(0);
});

test("a ticket opens nothing any more once its account is deleted, and nothing is kept of what is sent with it", async () => {
  const { as, accountId } = await newOwner();
  const path = await frameOf(as);
  expect((await ask(as, "POST", path, BANK)).status).toBe(200);
  const kept = async () => (await pool.query("SELECT FROM sandbox_payees")).rowCount ?? 0;
  const before = await kept();
  await inTransaction(pool, (client) => erasePayee(client, accountId));
  expect(await kept()).toBe(before - 1);
  expect((await ask(as, "GET", path)).status).toBe(410);
  expect((await ask(as, "POST", path, BANK)).status).toBe(410);
  expect(await kept()).toBe(before - 1);
});

test("an admin settles what the provider does not know, once, and sees who is paid next and who is not", async () => {
  const [{ as, accountId, email }, admin] = [
    await newOwner(),
    await newPerson(pool, "admin@example.com", { role: "admin" }),
  ];
  const adminAs = { cookie: await sessionOf(pool, admin) };
  await inTransaction(pool, (client) =>
    bookPosting(client, {
      reference: "earned",
      kind: "accrual",
      reason: "",
      actorUserId: null,
      at: new Date(),
      lines: [
        { book: "partner_receivable", accountId: null, amountMicros: 500_000_000n },
        { book: "publisher_balance", accountId, amountMicros: -500_000_000n },
      ],
    }),
  );
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO payouts (account_id, period, amount_micros, provider, payee_id, method, state, created_at, changed_at)
     VALUES ($1, '2020-01-01', 70000000, 'sandbox', gen_random_uuid(), 'PayPal a…@example.com', 'sending', now(), now())
     RETURNING id`,
    [accountId],
  );
  const id = rows[0]?.id ?? "";
  const listed = await ask(adminAs, "GET", "/admin/payouts.json");
  expect(listed.body).toMatchObject({
    run: {
      accounts: [{ account: email, amount: 500_000_000, blocks: expect.arrayContaining(["no_details"]) as unknown }],
      total: 0,
    },
    payouts: [{ id, account: email, state: "sending", month: "2020-01" }],
  });
  expect((await ask(adminAs, "POST", `/admin/payouts/${id}/ask`)).body).toEqual({ state: "sending" });
  const settle = (body: object) => ask(adminAs, "POST", `/admin/payouts/${id}/settle`, body);
  // The order may be on its way to the provider right now.
  expect((await settle({ paid: false, reason: "Too early" })).status).toBe(409);
  await pool.query("UPDATE payouts SET changed_at = now() - interval '3 minutes' WHERE id = $1", [id]);
  expect((await settle({ paid: false, reason: " " })).body).toEqual({ error: { reason: "This field is required" } });
  expect((await settle({ paid: false, reason: "Their list does not have it" })).body).toEqual({ state: "rejected" });
  expect((await settle({ paid: true, reason: "It is there now" })).status).toBe(409);
  expect((await ask(as, "GET", "/payment/next.json")).body).toMatchObject({ balance: 570_000_000 });
  expect((await ask(as, "GET", "/payment/cashouts_history.json")).body).toMatchObject({
    page_cnt: 1,
    cashouts: [{ status: "rejected", reason: "Their list does not have it", amount: 70_000_000 }],
  });
  const acts = await pool.query("SELECT details FROM audit_log WHERE action = 'payout_settled'");
  expect(acts.rows).toEqual([{ details: { paid: false, reason: "Their list does not have it" } }]);
});

test("an admin rejects a payout that is due, so that its money is back and it is never ordered, and cannot say that it was paid", async () => {
  const { as, accountId } = await newOwner();
  const admin = await newPerson(pool, "rejecting@example.com", { role: "admin" });
  const adminAs = { cookie: await sessionOf(pool, admin) };
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO payouts (account_id, period, amount_micros, provider, payee_id, method, state, created_at, changed_at)
     VALUES ($1, '2020-01-01', 70000000, 'sandbox', gen_random_uuid(), 'PayPal a…@example.com', 'due', now(), now())
     RETURNING id`,
    [accountId],
  );
  const id = rows[0]?.id ?? "";
  await pool.query(
    "UPDATE users SET blocked_at = now() WHERE id = (SELECT user_id FROM memberships WHERE account_id = $1)",
    [accountId],
  );
  const listed = async () => {
    const { body } = await ask(adminAs, "GET", "/admin/payouts.json");
    return (body["payouts"] as { id: string }[]).find((payout) => payout.id === id);
  };
  expect(await listed()).toMatchObject({ state: "due", blocks: ["blocked"], askable: false, settleable: true });
  const settle = (paid: boolean) =>
    ask(adminAs, "POST", `/admin/payouts/${id}/settle`, { paid, reason: "A fraudster" });
  expect((await settle(true)).status).toBe(409);
  expect((await settle(false)).body).toEqual({ state: "rejected" });
  expect((await settle(false)).status).toBe(409);
  expect(await listed()).toMatchObject({ state: "rejected", settleable: false, reason: "A fraudster" });
  await pool.query("UPDATE users SET blocked_at = NULL");
  expect((await ask(as, "GET", "/payment/next.json")).body).toMatchObject({ balance: 70_000_000 });
});

test("a payment that is sent is mailed with its statement, which its owner downloads as well", async () => {
  const [{ as, accountId, email }, { as: stranger }] = [await newOwner(), await newOwner()];
  const admin = await newPerson(pool, "payer@example.com", { role: "admin" });
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO payouts (account_id, period, amount_micros, provider, payee_id, method, state, created_at, changed_at)
     VALUES ($1, '2020-01-01', 70000000, 'sandbox', gen_random_uuid(), 'PayPal a…@example.com', 'sent', '2020-02-15T06:00Z', now())
     RETURNING id`,
    [accountId],
  );
  const path = `/payment/cashouts/${rows[0]?.id}/statement`;
  expect((await ask(as, "GET", path)).status).toBe(409);
  const adminAs = { cookie: await sessionOf(pool, admin) };
  const settle = async (paid_on: string) =>
    (
      await ask(adminAs, "POST", `/admin/payouts/${rows[0]?.id}/settle`, {
        paid: true,
        reason: "Paid by hand",
        paid_on,
      })
    ).body;
  expect(await settle(addDays(dayOf(Date.now()), 2))).toEqual({
    error: { paid_on: "Choose a day that has begun (UTC)" },
  });
  expect(await settle("2020-02-14")).toEqual({
    error: { paid_on: "It was made on Feb 15th, 2020 (UTC): choose that day or a later one" },
  });
  expect(await settle("2020-02-17")).toEqual({ state: "paid" });
  await expect
    .poll(async () => (await mailsTo(email)).map(({ subject, attachments }) => [subject, attachments]), {
      timeout: 20_000,
    })
    .toEqual([["Your payment of $70.00 was sent", ["Payout-statement-2020-01.pdf"]]]);
  expect((await ask(stranger, "GET", path)).status).toBe(404);
  const reply = await fetch(url + path, { headers: { cookie: as.cookie, "sec-fetch-site": "same-origin" } });
  expect([reply.status, reply.headers.get("content-type"), reply.headers.get("content-disposition")]).toEqual([
    200,
    "application/pdf",
    'attachment; filename="Payout-statement-2020-01.pdf"',
  ]);
  const [lines = []] = await readPdf(Buffer.from(await reply.arrayBuffer()));
  expect(lines).toEqual(
    expect.arrayContaining(["Payout statement for January 2020", "Paid on | Feb 17th, 2020 (UTC)", "Paid | $70.00"]),
  );
});
