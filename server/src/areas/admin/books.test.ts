import { randomUUID } from "node:crypto";
import type { Books } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { type As, newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const stores = await testStores();
const { pool, ask, mailsTo } = await testPlatform(stores, {
  OPERATOR_NAME: "Example Ads",
  PUBLIC_URL: "https://millrace.example",
});
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const asAdmin: As = { cookie: await sessionOf(pool, admin) };
const adjust = (uuid: string, body: object) => ask(asAdmin, "POST", `/admin/users/${uuid}/adjustment`, body);

test("a bonus and a correction reach the publisher's balance once for their keys, with a mail and an audit entry", async () => {
  const owner = await newPerson(pool, "publisher@example.com");
  const bonus = { kind: "bonus", amount: 25_000_000, reason: "A good month", key: randomUUID() };
  const replies = await Promise.all(Array.from({ length: 5 }, () => adjust(owner.uuid, bonus)));
  for (const { status, body } of replies) expect([status, body]).toEqual([200, { balance: 25_000_000 }]);
  const taken = { kind: "correction", amount: -5_000_001, reason: "Paid twice in May", key: randomUUID() };
  expect((await adjust(owner.uuid, taken)).body).toEqual({ balance: 19_999_999 });
  const { rows } = await pool.query<{ line: string }>(
    `SELECT concat_ws(' ', p.kind, p.reason, l.book, l.amount_micros) AS line FROM ledger_lines l
     JOIN ledger_postings p ON p.id = l.posting_id ORDER BY p.id, l.line`,
  );
  expect(rows.map(({ line }) => line)).toEqual([
    "bonus A good month adjustments 25000000",
    "bonus A good month publisher_balance -25000000",
    "correction Paid twice in May adjustments -5000001",
    "correction Paid twice in May publisher_balance 5000001",
  ]);
  const asOwner = { cookie: await sessionOf(pool, owner) };
  expect((await ask(asOwner, "GET", "/session.json")).body["user_balance"]).toEqual({
    balance: 19_999_999,
    revenue: 0,
  });
  const acts = await pool.query("SELECT FROM audit_log WHERE action = 'balance_adjusted'");
  expect(acts.rowCount).toBe(2);
  const subjects = async () => (await mailsTo(owner.email)).map(({ subject }) => subject).sort();
  await expect.poll(subjects).toEqual(["You received a bonus", "Your balance was corrected"]);
  const mail = (await mailsTo(owner.email)).find(({ subject }) => subject === "Your balance was corrected");
  expect(mail?.text).toContain("$5.000001 has been taken from your balance.");
  expect(mail?.text).toContain("Reason: Paid twice in May");
});

test.each([
  ["nothing", { amount: 0 }, { amount: "Add an amount other than 0" }],
  ["a fraction of a micro-dollar", { amount: 0.5 }, { amount: expect.any(String) as string }],
  ["more than a million dollars", { amount: 1_000_000_000_001 }, { amount: "Add at most $1,000,000 at once" }],
  ["a bonus that takes money", { amount: -1 }, { amount: "A bonus adds money" }],
  ["an adjustment without a reason", { reason: " " }, { reason: "This field is required" }],
  ["another kind", { kind: "gift" }, { kind: expect.any(String) as string }],
])("%s is refused at its field, and nothing is booked", async (_what, wrong, error) => {
  const owner = await newPerson(pool, `${randomUUID()}@example.com`);
  const body = { kind: "bonus", amount: 1_000_000, reason: "A test", key: randomUUID(), ...wrong };
  const { status, body: reply } = await adjust(owner.uuid, body);
  expect([status >= 400 && status < 500, reply]).toEqual([true, { error }]);
  const { rowCount } = await pool.query("SELECT FROM ledger_lines WHERE account_id = $1", [owner.accountId]);
  expect(rowCount).toBe(0);
});

test("a key of another adjustment, an account without apps and an unknown user are refused", async () => {
  const [one, other] = [await newPerson(pool, "one@example.com"), await newPerson(pool, "other@example.com")];
  const body = { kind: "correction", amount: 1_000_000, reason: "First", key: randomUUID() };
  expect((await adjust(one.uuid, body)).status).toBe(200);
  expect((await adjust(one.uuid, { ...body, amount: 2_000_000 })).status).toBe(409);
  expect((await adjust(one.uuid, { ...body, kind: "bonus" })).status).toBe(409);
  expect((await adjust(other.uuid, body)).status).toBe(409);
  const advertiser = await newPerson(pool, "advertiser@example.com", { canApps: false });
  expect((await adjust(advertiser.uuid, { ...body, key: randomUUID() })).status).toBe(422);
  expect((await adjust(randomUUID(), body)).status).toBe(404);
});

test("the books are counted on demand, and a difference is shown with its account and mailed to the admins", async () => {
  const owner = await newPerson(pool, "drifting@example.com");
  const books = async () => (await ask(asAdmin, "GET", "/admin/books.json")).body as unknown as Books;
  // The platform counts by itself when it starts.
  await expect.poll(async () => (await books()).checked_at).not.toBeNull();
  // Nothing was sold, and that is counted.
  expect(await books()).toMatchObject({ booked_until: addDays(dayOf(Date.now()), -1), days: [], drifts: [] });
  const { rows } = await pool.query<{ day: string }>(
    `WITH app AS (
       INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'App', 'a', 'ios') RETURNING id
     ), posting AS (
       INSERT INTO ledger_postings (reference, kind, at, on_day, for_day)
       VALUES ('by hand', 'accrual', now(), now(), now() - interval '1 day') RETURNING id, for_day::text AS day
     ), lines AS (
       INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros, app_id, provider)
       SELECT posting.id, l.line, l.book, l.account_id, l.micros, app.id, 'aurora' FROM posting, app, (VALUES
         (0, 'partner_receivable', NULL::integer, 9), (1, 'publisher_balance', $1::integer, -7),
         (2, 'platform_fees', NULL, -2)) AS l(line, book, account_id, micros)
     ) SELECT day FROM posting`,
    [owner.accountId],
  );
  const day = rows[0]?.day;
  expect((await ask(asAdmin, "POST", "/admin/books/check")).body).toEqual({ ok: 1 });
  await expect
    .poll(async () => (await books()).drifts)
    .toMatchObject([
      { day, account: "drifting@example.com", what: "gross", counted: 0, booked: 9, accepted: null },
      { day, account: "drifting@example.com", what: "revenue", counted: 0, booked: 7, accepted: null },
    ]);
  expect((await books()).days).toMatchObject([
    { day, counted: { gross: 0, revenue: 0 }, booked: { gross: 9, revenue: 7 } },
  ]);
  await expect
    .poll(async () => (await mailsTo(admin.email)).map(({ subject }) => subject))
    .toEqual(["The books and the events disagree"]);
});

test("a difference is accepted once, as it was seen and with a reason, which the page and the audit log keep", async () => {
  const owner = await newPerson(pool, "settled@example.com");
  const { rows } = await pool.query<{ id: string }>(
    "INSERT INTO ledger_drifts VALUES ('2024-11-18', $1, 'revenue', 12, 5, now()) RETURNING uuid AS id",
    [owner.accountId],
  );
  const id = rows[0]?.id ?? "";
  const accept = (some: object = {}, of = id) =>
    ask(asAdmin, "POST", `/admin/books/drifts/${of}/accept`, { counted: 12, booked: 5, reason: "Deleted", ...some });
  expect(await accept({ reason: " " })).toMatchObject({
    status: 400,
    body: { error: { reason: "This field is required" } },
  });
  expect((await accept({ booked: 6 })).status).toBe(409);
  expect((await accept({}, randomUUID())).status).toBe(404);
  expect((await Promise.all([accept(), accept()])).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409,
  ]);
  const { drifts } = (await ask(asAdmin, "GET", "/admin/books.json")).body as unknown as Books;
  expect(drifts.at(-1)).toMatchObject({ id, accepted: { by: admin.email, reason: "Deleted" } });
  const acts = await pool.query<{ details: unknown }>(
    "SELECT details FROM audit_log WHERE action = 'drift_accepted' AND subject = $1 AND account_id = $2",
    [id, owner.accountId],
  );
  expect(acts.rows).toEqual([
    { details: { day: "2024-11-18", what: "revenue", counted: 12, booked: 5, reason: "Deleted" } },
  ]);
});
