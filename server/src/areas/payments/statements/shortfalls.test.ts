import type { AdminStatements } from "@millrace/contract";
import { addDays } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { publisherBalancesOf } from "../balances.ts";
import { DAY, MAPPING, SHOWN, statementDesk } from "../testing/statement-desk.ts";

const stores = await testStores();
const desk = await statementDesk(stores, 3);
const { pool, ask, asAdmin, owners, send, detail, booked, mailsTo } = desk;
const LOS_ANGELES = { mapping: { ...MAPPING, time_zone: "America/Los_Angeles" } };
type Owner = (typeof owners)[number];
const ownerOf = (nth: number): Owner => owners[nth] ?? expect.fail();

const passOn = (uuid: string, { app }: Owner, day = DAY) =>
  ask(asAdmin, "POST", `/admin/statements/${uuid}/pass_on`, { day, app: app.uuid, explanation: "Counted less" });
async function sent(content: string, some: object = {}): Promise<string> {
  const { status, body } = await send(content, some);
  expect(status).toBe(200);
  return String(body["uuid"]);
}

test("what a partner's time zone moves to a neighbouring day is no shortfall, and what it counted less on its own day is", async () => {
  await expect.poll(() => booked("accrual", "partner_receivable"), { timeout: 20_000 }).toBe(3 * SHOWN * 10_000);
  const [exact, less] = [ownerOf(0), ownerOf(1)];
  const before = addDays(DAY, -1);
  // The day's hours 1 to 7 (UTC) are of the day before in Los Angeles.
  const uuid = await sent(
    `${before},${exact.bundle},7,0.07\n${before},${less.bundle},7,0.07\n${DAY},${exact.bundle},3,0.03\n${DAY},${less.bundle},2,0.02\n`,
    LOS_ANGELES,
  );
  const { days } = await detail(uuid);
  const dayOf = ({ app }: Owner, day: string) => days.find((one) => one.app.uuid === app.uuid && one.day === day);
  expect(dayOf(exact, DAY)).toMatchObject({ shortfall: 0, time_zone: -70_000, passed_on: 0 });
  expect(dayOf(exact, before)).toMatchObject({ shortfall: 0, time_zone: 70_000, passed_on: 0 });
  expect(await passOn(uuid, exact)).toMatchObject({
    status: 422,
    body: { error: "Nothing is left of this shortfall to pass on" },
  });
  expect(dayOf(less, DAY)).toMatchObject({ shortfall: 8000, time_zone: -70_000 });
  expect(await passOn(uuid, less)).toMatchObject({ status: 200, body: { amount: 8000 } });
  const { body } = await ask(less.as, "GET", "/payment/deductions.json");
  expect(body["deductions"]).toMatchObject([{ reason: "discrepancy", amount: 8000 }]);
});

const balanceOf = async (accountId: number) => (await publisherBalancesOf(pool, [accountId])).get(accountId);
const excesses = async () => {
  const { body } = await ask(asAdmin, "GET", "/admin/statements.json");
  return (body as AdminStatements).excesses;
};

test("what a partner owes after all is listed as passed on in excess, mailed to admins once, and given back though it was upheld", async () => {
  const owner = ownerOf(2);
  const [half, most, all] = [5, 8, 10].map((count) => `${DAY},${owner.bundle},${count},${count / 100}\n`);
  const uuid = await sent(half ?? "");
  const passed = await passOn(uuid, owner);
  expect(passed.body).toMatchObject({ amount: 40_000 });
  const deduction = String(passed.body["deduction"]);
  expect(await balanceOf(owner.accountId)).toBe(40_000);
  await ask(owner.as, "POST", `/payment/deductions/${deduction}/dispute`, { text: "All of them were shown" });
  const answer = (verdict: string) =>
    ask(asAdmin, "POST", `/admin/deductions/${deduction}/answer`, { verdict, answer: "By its statement" });
  expect((await answer("upheld")).status).toBe(200);
  expect(await excesses()).toEqual([]);

  await sent(most ?? "", { cause: "discrepancy" });
  const restated = await sent(all ?? "", { cause: "discrepancy" });
  const excess = { day: DAY, shortfall: 0, passed_on: 40_000, deductions: [deduction] };
  expect(await excesses()).toMatchObject([{ ...excess, partner_name: "The Aurora", app: { uuid: owner.app.uuid } }]);
  expect((await detail(restated)).days).toMatchObject([excess]);
  const mails = async () => (await mailsTo("admin@example.com")).filter(({ subject }) => subject.includes("passed on"));
  await expect.poll(async () => (await mails()).length).toBe(1);
  expect((await mails())[0]?.text).toMatch(
    /The Aurora now owes more of a day of apps of which publishers have borne a shortfall: \$0\.0(24|4) more is deducted/,
  );

  expect(await answer("upheld")).toMatchObject({
    status: 409,
    body: { error: "This deduction is upheld already. It can only be reversed" },
  });
  expect((await answer("reversed")).status).toBe(200);
  expect(await answer("reversed")).toMatchObject({ status: 409 });
  expect(await balanceOf(owner.accountId)).toBe(80_000);
  expect(await excesses()).toEqual([]);
  const { rows } = await pool.query("SELECT details FROM audit_log WHERE action = 'deduction_reversed'");
  expect(rows).toEqual([{ details: { before: "upheld", amountMicros: 40_000 } }]);
  const subjects = async () => (await mailsTo(owner.email)).map(({ subject }) => subject);
  await expect.poll(subjects).toContain("A deduction from your balance was reversed");
});

test("an excess of less than a cent, as rounding leaves it, is none", async () => {
  const owner = ownerOf(1);
  const { rows } = await pool.query(
    "UPDATE deductions SET amount_micros = 17999 WHERE account_id = $1 RETURNING uuid",
    [owner.accountId],
  );
  expect(rows).toHaveLength(1);
  expect(await excesses()).toEqual([]);
  await pool.query("UPDATE deductions SET amount_micros = 18000 WHERE account_id = $1", [owner.accountId]);
  expect(await excesses()).toMatchObject([{ shortfall: 8000, passed_on: 18_000 }]);
});
