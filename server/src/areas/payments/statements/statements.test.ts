import type { AdminStatements } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { DAY, MAPPING, SHOWN, statementDesk } from "../testing/statement-desk.ts";

const stores = await testStores();
const { pool, ask, asAdmin, owners, preview, send, detail, booked, mailsTo } = await statementDesk(stores);
const [owner] = owners;
if (!owner) throw new Error("there is a publisher");
const { bundle, app, as, accountId } = owner;
const GROSS = SHOWN * 10_000;

const balance = async (): Promise<number> => {
  const { rows } = await pool.query<{ micros: string }>(
    "SELECT -sum(amount_micros) AS micros FROM ledger_lines WHERE account_id = $1 AND book = 'publisher_balance'",
    [accountId],
  );
  return Number(rows[0]?.micros ?? 0);
};
/** Everything that an import may touch. */
const books = async () =>
  (
    await pool.query(
      "SELECT (SELECT count(*) FROM ledger_lines) AS lines, (SELECT count(*) FROM statements) AS statements",
    )
  ).rows;

test("a file says its columns before it is mapped, and with a mapping what it would change; nothing is kept", async () => {
  // The platform books the day after its start.
  await expect.poll(() => booked("accrual", "partner_receivable"), { timeout: 20_000 }).toBe(GROSS);
  const before = await books();
  const content = `${DAY},${bundle},9,0.09\n`;
  expect((await preview(content, { mapping: null })).body).toEqual({
    columns: ["Date", "App", "Impressions", "Revenue"],
    check: null,
  });
  const { check } = await preview(content);
  expect(check).toEqual({
    lines: 1,
    errors: [],
    errors_count: 0,
    first_day: DAY,
    last_day: DAY,
    reported: 90_000,
    estimated: GROSS,
    added: 1,
    restated: 0,
    unchanged: 0,
    days: [
      {
        day: DAY,
        app: { uuid: app.uuid, name: "Tide 1", platform: "ios" },
        impressions: 9,
        reported: 90_000,
        before: null,
        estimated: GROSS,
      },
    ],
  });
  expect(await books()).toEqual(before);
});

test.each([
  [
    "an amount that is no money",
    `${DAY},${bundle},9,nine\n`,
    {},
    { content: "Line 2, Revenue: “nine” is not an amount like 1234.56" },
  ],
  [
    "a formula",
    `${DAY},${bundle},9,=SUM(A1)\n`,
    {},
    { content: "Line 2, Revenue: “=SUM(A1)” is a formula, not an amount" },
  ],
  [
    "one bad line of several",
    `${DAY},${bundle},9,0.09\n${DAY},nowhere,9,0.09\n${DAY},nowhere,9,x\n`,
    {},
    { content: "Line 3, App: “nowhere” is no app's (and 1 more)" },
  ],
  [
    "a day in the future",
    `${addDays(dayOf(Date.now()), 2)},${bundle},9,0.09\n`,
    {},
    { content: `Line 2, Date: “${addDays(dayOf(Date.now()), 2)}” is a day that is not over in UTC` },
  ],
  [
    "days out of order",
    `${DAY},${bundle},9,0.09\n${addDays(DAY, 1)},${bundle},9,0.09\n${DAY},${bundle},9,0.09\n`,
    {},
    { content: `Line 4, Date: “${DAY}” is out of order: is the date format right?` },
  ],
  ["an unknown partner", `${DAY},${bundle},9,0.09\n`, { partner: "nobody" }, { partner: "There is no such partner" }],
  [
    "a currency without a rate",
    `${DAY},${bundle},9,0.09\n`,
    { mapping: { ...MAPPING, currency: "EUR" } },
    { rate: "Add the rate of EUR in US dollars" },
  ],
  [
    "a currency that does not exist",
    `${DAY},${bundle},9,0.09\n`,
    { mapping: { ...MAPPING, currency: "QQQ" } },
    { "mapping.currency": "There is no currency QQQ" },
  ],
  [
    "a column that is not there",
    `${DAY},${bundle},9,0.09\n`,
    { mapping: { ...MAPPING, revenue: "Earnings" } },
    { content: "Line 1, Earnings: There is no such column" },
  ],
  [
    "a quotation mark that is not closed",
    `${DAY},"${bundle},9,0.09\n`,
    {},
    { content: "Line 2, line: A quotation mark is not closed" },
  ],
])("%s is refused by line and field, and nothing is posted", async (_what, content, some, error) => {
  const before = await books();
  expect(await send(content, some)).toMatchObject({ status: 422, body: { error } });
  expect(await books()).toEqual(before);
});

test.each([
  ["an unknown time zone", { mapping: { ...MAPPING, time_zone: "Mars/Olympus" } }, "mapping.time_zone"],
  ["a rate that is none", { rate: "-1" }, "rate"],
  ["a rate of nothing", { rate: "0.0" }, "rate"],
  ["no file", { content: "" }, "content"],
  ["more than 4 MiB", { content: "x".repeat(4 * 1024 * 1024 + 1) }, "content"],
])("%s is refused before anything is read", async (_what, some, field) => {
  const { status, body } = await send("", some);
  expect(status).toBe(400);
  expect(Object.keys(body["error"] as object)).toEqual([field]);
});

test("a file of 50 MB is refused without being read, and the platform answers on", async () => {
  const { status, body } = await send("", { content: "2026-10-01,a,1,1\n".repeat(3_000_000) });
  expect(status).toBe(413);
  expect(String(body["error"])).not.toBe("");
  expect((await ask(asAdmin, "GET", "/admin/statements.json")).status).toBe(200);
});

test("a statement is booked once, named with what it changed, and cuts nobody's balance", async () => {
  const content = `${DAY},${bundle},4,0.04\n${DAY},${bundle.toUpperCase()},5,0.049\n`;
  const sent = await send(content);
  expect(sent).toMatchObject({ status: 200, body: { is_new: true, changed: 1 } });
  expect(await send(content, { file_name: "again.csv" })).toMatchObject({
    body: { is_new: false, changed: 0, uuid: sent.body["uuid"] },
  });
  expect(await booked("statement", "partner_receivable")).toBe(89_000 - GROSS);
  expect(await booked("statement", "partner_differences")).toBe(GROSS - 89_000);
  expect(await balance()).toBe(SHOWN * 8000);
  const { statement, days } = await detail(String(sent.body["uuid"]));
  expect(statement).toMatchObject({
    partner_name: "The Aurora",
    file_name: "october.csv",
    imported_by: "admin@example.com",
    added: 1,
    restated: 0,
    changed_by: 89_000 - GROSS,
  });
  expect(days).toMatchObject([
    { day: DAY, impressions: 9, reported: 89_000, before: null, shortfall: 8800, passed_on: 0 },
  ]);
  const { body } = await ask(asAdmin, "GET", "/admin/statements.json?search=aurora");
  const { statements, partners } = body as AdminStatements;
  expect(statements).toHaveLength(1);
  expect(partners).toEqual([{ id: "aurora", name: "The Aurora", mapping: MAPPING, stated_until: DAY }]);
  const { rows } = await pool.query("SELECT action, details FROM audit_log WHERE action = 'statement_imported'");
  expect(rows).toEqual([{ action: "statement_imported", details: { partner: "aurora", changed: 1 } }]);
});

test("what is restated needs a cause; its shortfall is passed on as a deduction that the publisher sees and can dispute, once", async () => {
  const content = `${DAY},${bundle},8,0.07\n`;
  expect(await send(content)).toMatchObject({
    status: 422,
    body: { error: { cause: "Say why it differs from the earlier statement" } },
  });
  const { body } = await send(content, { cause: "invalid_traffic" });
  const uuid = String(body["uuid"]);
  expect((await detail(uuid)).statement).toMatchObject({ cause: "invalid_traffic", restated_by: -19_000 });
  expect((await detail(uuid)).days).toMatchObject([{ before: 89_000, reported: 70_000, shortfall: 24_000 }]);
  const passOn = (some: object = {}) =>
    ask(asAdmin, "POST", `/admin/statements/${uuid}/pass_on`, {
      day: DAY,
      app: app.uuid,
      explanation: "Aurora found crawlers",
      ...some,
    });
  expect(await passOn()).toMatchObject({ status: 200, body: { amount: 24_000 } });
  expect(await passOn()).toMatchObject({
    status: 422,
    body: { error: "Nothing is left of this shortfall to pass on" },
  });
  expect(await passOn({ day: addDays(DAY, -1) })).toMatchObject({ status: 404 });
  expect(await balance()).toBe(SHOWN * 8000 - 24_000);
  const seen = await ask(as, "GET", "/payment/deductions.json");
  expect(seen.body["deductions"]).toMatchObject([
    {
      reason: "invalid_traffic",
      day: DAY,
      amount: 24_000,
      provider: "aurora",
      explanation: "Aurora found crawlers",
      can_dispute: true,
    },
  ]);
  expect((await detail(uuid)).days).toMatchObject([{ passed_on: 24_000 }]);
  await expect.poll(async () => (await mailsTo(owner.email)).length).toBe(1);

  // A deduction that was reversed can be noted again, with the same words too.
  const [first] = seen.body["deductions"] as { uuid: string }[];
  const answer = { verdict: "reversed", answer: "Those were not the crawlers' days" };
  expect(await ask(asAdmin, "POST", `/admin/deductions/${first?.uuid}/answer`, answer)).toMatchObject({ status: 200 });
  expect(await balance()).toBe(SHOWN * 8000);
  const again = await passOn();
  expect(again).toMatchObject({ status: 200, body: { amount: 24_000 } });
  expect(again.body["deduction"]).not.toBe(first?.uuid);
  expect(await balance()).toBe(SHOWN * 8000 - 24_000);
});

test("an app is named by its placement too; one that several apps have means the one that sold on the day", async () => {
  const placed = { mapping: { ...MAPPING, place_kind: "placement" } };
  await pool.query("INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'Home', 'Home', 'banner')", [app.id]);
  const other = await pool.query<{ id: number }>(
    "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'Kite', $2, 'android') RETURNING id",
    [accountId, bundle],
  );
  await pool.query("INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'home', 'Home', 'banner')", [
    other.rows[0]?.id,
  ]);
  expect((await preview(`${DAY},home,8,0.071\n`, placed)).check?.days).toMatchObject([{ app: { uuid: app.uuid } }]);
  expect((await preview(`${DAY},${bundle},8,0.071\n`)).check?.days).toMatchObject([{ app: { uuid: app.uuid } }]);
  const { check } = await preview(`${addDays(DAY, 1)},${bundle},8,0.071\n`);
  expect(check?.errors[0]?.message).toContain("is several apps', and none or more than one of them has sold");
});

test("another currency is converted at the statement's rate, and what the rate moved is the currency's", async () => {
  await pool.query("UPDATE apps SET deleted_at = now() WHERE name = 'Kite'");
  const day = addDays(DAY, -1);
  const { body } = await send(`${day},${bundle},7,10\n`, {
    mapping: { ...MAPPING, currency: "EUR" },
    rate: "1.0842",
    shown_rate: "1.1",
  });
  expect(await detail(String(body["uuid"]))).toMatchObject({
    statement: { currency: "EUR", rate: "1.0842", shown_rate: "1.1" },
    days: [{ reported: 10_842_000, estimated: 0 }],
  });
  const { rows } = await pool.query<{ cause: string; micros: string }>(
    `SELECT p.cause, l.amount_micros AS micros FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE p.kind = 'statement' AND p.for_day = $1 AND l.book = 'partner_receivable' ORDER BY p.cause`,
    [day],
  );
  expect(rows).toEqual([
    { cause: "currency", micros: "-158000" },
    { cause: "discrepancy", micros: "11000000" },
  ]);
});

test("days that differ by less than a cent are listed by day, after those that lack more", async () => {
  const [first, second] = [addDays(DAY, -4), addDays(DAY, -3)];
  const content = `${first},${bundle},1,0.000002\n${second},${bundle},1,0.000001\n${DAY},${bundle},8,0.01\n`;
  const { body } = await send(content, { cause: "invalid_traffic" });
  const uuid = String(body["uuid"]);
  const listed = async () => (await detail(uuid)).days.map(({ day }) => day);
  expect(await listed()).toEqual([DAY, first, second]);
  // Once it is passed on, nothing of it is left.
  const passedOn = await ask(asAdmin, "POST", `/admin/statements/${uuid}/pass_on`, {
    day: DAY,
    app: app.uuid,
    explanation: "Invalid",
  });
  expect(passedOn.status).toBe(200);
  expect(await listed()).toEqual([first, second, DAY]);
});
