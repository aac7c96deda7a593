import { type FinanceReport, ReportQuery, reportRows } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { testPostgres } from "../../platform/testing/stores.ts";
import { publisherBalanceOf } from "./balances.ts";
import { readFinanceReport } from "./finance-report.ts";
import { publisherBooks } from "./testing/publisher-books.ts";

const { pool } = await testPostgres();
const { newAccount, newApp, book } = publisherBooks(pool);
const deps = { pool, providerNames: async () => new Map([["aurora", "Aurora Exchange"]]) };
const read = (accountId: number, query: object): Promise<FinanceReport> =>
  readFinanceReport(deps, accountId, ReportQuery.parse(query));

const NOVEMBER = { ds: "2025-11-01", de: "2025-11-30" };
const LATER = "Events of this day arrived later";

async function someMonth() {
  const account = await newAccount();
  const [tide, chess] = [await newApp(account), await newApp(account, "Chess", "android")];
  const aurora = { appId: tide, provider: "aurora" };
  const borealis = { appId: chess, provider: "borealis" };
  await book(account, { kind: "accrual", on: "2025-10-31", of: "2025-10-31", lines: [{ micros: 7, ...aurora }] });
  await book(account, {
    kind: "accrual",
    on: "2025-11-10",
    of: "2025-11-10",
    lines: [
      { micros: 1000, ...aurora },
      { micros: 500, ...borealis },
    ],
  });
  // Late events of the day, and of one in a closed month.
  await book(account, {
    kind: "accrual",
    on: "2025-11-10",
    of: "2025-11-10",
    nth: 2,
    reason: LATER,
    lines: [
      { micros: 80, ...aurora },
      { micros: -30, ...borealis },
    ],
  });
  await book(account, { kind: "accrual", on: "2025-11-11", of: "2025-09-30", lines: [{ micros: 3, ...aurora }] });
  await book(account, { kind: "bonus", on: "2025-11-11", reason: "A good month", lines: [{ micros: 25_000 }] });
  await book(account, { kind: "correction", on: "2025-11-11", reason: "Paid twice", lines: [{ micros: -5000 }] });
  await book(account, {
    kind: "deduction",
    on: "2025-11-12",
    of: "2025-11-10",
    reason: "Invalid traffic",
    lines: [{ micros: -100, ...aurora }],
  });
  await book(account, { kind: "deduction", on: "2025-11-12", reason: "A fine", lines: [{ micros: -40 }] });
  await book(account, { kind: "payout", on: "2025-11-13", lines: [{ micros: -20_000 }] });
  await book(account, { kind: "payout_returned", on: "2025-11-14", lines: [{ micros: 20_000 }] });
  return { account, tide, chess };
}

test("each posting is in its day and its part, and what was taken is a debet", async () => {
  const { account } = await someMonth();
  const report = await read(account, NOVEMBER);
  const row = (date: string, some: Partial<FinanceReport["trans"][number]>) => ({
    date,
    credit: 0,
    referral_amount: 0,
    cash_out: 0,
    debet: 0,
    amount: 0,
    ...some,
  });
  expect(report.trans).toEqual([
    row("2025-11-10", { credit: 1500, debet: 30, amount: 1550 }),
    row("2025-11-11", { debet: 5000, amount: 20_003 }),
    row("2025-11-12", { debet: 140, amount: -140 }),
    row("2025-11-13", { cash_out: 20_000, amount: -20_000 }),
    row("2025-11-14", { cash_out: -20_000, amount: 20_000 }),
  ]);
  expect(report).toMatchObject({ ...NOVEMBER, opening: 7, closing: 21_420 });
  expect(report.totals).toEqual({
    credit: 1500,
    referral_amount: 0,
    cash_out: 0,
    debet: 5170,
    amount: 21_413,
    bonuses: { credit: 25_000, debet: 0 },
    corrections: { credit: 0, debet: 5040 },
    provider_corrections: { credit: 83, debet: 130 },
  });
});

test("bonuses and corrections say why, and those of providers whose traffic of which day", async () => {
  const { account } = await someMonth();
  const report = await read(account, NOVEMBER);
  expect(report.bonuses).toEqual([
    { date: "2025-11-11", credit: 25_000, debet: 0, hints: [{ reason: "A good month", amount: 25_000 }] },
  ]);
  expect(report.corrections).toEqual([
    { date: "2025-11-11", credit: 0, debet: 5000, hints: [{ reason: "Paid twice", amount: -5000 }] },
    { date: "2025-11-12", credit: 0, debet: 40, hints: [{ reason: "A fine", amount: -40 }] },
  ]);
  const hint = { provider: "aurora", name: "Aurora Exchange", day: "2025-11-10" };
  expect(report.provider_corrections).toEqual([
    {
      date: "2025-11-10",
      credit: 80,
      debet: 30,
      hints: [
        { ...hint, reason: LATER, amount: 80 },
        { ...hint, reason: LATER, amount: -30, provider: "borealis", name: "borealis" },
      ],
    },
    {
      date: "2025-11-11",
      credit: 3,
      debet: 0,
      hints: [{ ...hint, reason: "Booked after its month was closed", amount: 3, day: "2025-09-30" }],
    },
    {
      date: "2025-11-12",
      credit: 0,
      debet: 100,
      hints: [{ ...hint, reason: "Invalid traffic", amount: -100 }],
    },
  ]);
});

test("revenue by provider and by app has its corrections, and the names of deleted apps", async () => {
  const { account, tide, chess } = await someMonth();
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [chess]);
  await book(account, {
    kind: "deduction",
    on: "2025-11-20",
    reason: "A returned invoice",
    lines: [{ micros: -2, provider: "aurora" }],
  });
  const { providers, adtoapp_apps: apps } = await read(account, NOVEMBER);
  expect(providers).toEqual([
    { provider: "aurora", name: "Aurora Exchange", revenue: 981 },
    { provider: "borealis", name: "borealis", revenue: 470 },
  ]);
  expect(apps).toEqual([
    { app_id: tide, uuid: expect.any(String), name: "Tide", platform: "ios", revenue: 983 },
    { app_id: chess, uuid: null, name: "Chess", platform: "android", revenue: 470 },
    { app_id: null, uuid: null, name: "Not of one app", platform: null, revenue: -2 },
  ]);
});

test("a filter leaves only what names the app or the provider, and no balance", async () => {
  const { account, tide, chess } = await someMonth();
  const ofChess = await read(account, { ...NOVEMBER, app_id: String(chess) });
  expect(ofChess).toMatchObject({ opening: null, closing: null, bonuses: [], corrections: [] });
  expect(ofChess.trans).toEqual([
    { date: "2025-11-10", credit: 500, referral_amount: 0, cash_out: 0, debet: 30, amount: 470 },
  ]);
  expect((await read(account, { ...NOVEMBER, provider: "aurora" })).totals).toMatchObject({
    credit: 1000,
    amount: 983,
  });
  const neither = await read(account, { ...NOVEMBER, provider: "borealis", app_id: String(tide) });
  expect([neither.trans, neither.providers, neither.adtoapp_apps]).toEqual([[], [], []]);
  // '0' among the values matches everything.
  expect((await read(account, { ...NOVEMBER, app_id: ["0", String(chess)] })).closing).toBe(21_420);
});

test("apps of others, and ids that no app can have, add nothing", async () => {
  const { account, tide } = await someMonth();
  const other = await newAccount("Other");
  expect((await read(other, NOVEMBER)).trans).toEqual([]);
  for (const app_id of [String(tide), "9999999999"])
    expect(await read(other, { ...NOVEMBER, app_id })).toMatchObject({ trans: [], adtoapp_apps: [], closing: null });
  expect((await read(account, { ...NOVEMBER, app_id: [String(tide), "9999999999"] })).totals.credit).toBe(1000);
});

test("the balance at the end of today is the balance in the header, and days without postings have no row", async () => {
  const account = await newAccount();
  const today = dayOf(Date.now());
  await book(account, { kind: "bonus", on: addDays(today, -3), lines: [{ micros: 9 }] });
  await book(account, { kind: "payout", on: today, lines: [{ micros: -4 }] });
  const report = await read(account, { ds: addDays(today, -1), de: today });
  expect([report.opening, report.closing]).toEqual([9, 5]);
  expect(report.closing).toBe(await publisherBalanceOf(pool, account));
  expect(report.trans.map(({ date }) => date)).toEqual([today]);
});

test("the table has a row for each day whose figures add up to its change, and the balance after it", async () => {
  const { account } = await someMonth();
  const { rows, total } = reportRows(await read(account, NOVEMBER));
  const all = [...rows, total];
  expect(all.map(({ balance }) => balance)).toEqual([1557, 21_560, 21_420, 1420, 21_420, 21_420]);
  for (const row of all) {
    expect(row.revenue + row.provider_corrections + row.bonuses + row.corrections + row.paid_out).toBe(row.change);
  }
  expect(total.paid_out).toBe(0);
});

test("what is booked ends with the last accrual, or with a later day on which the count found nothing else", async () => {
  const account = await newAccount();
  const { rows } = await pool.query<{ day: string }>("SELECT max(for_day)::text AS day FROM ledger_postings");
  const last = rows[0]?.day ?? expect.fail();
  const until = async () => (await read(account, NOVEMBER)).booked_until;
  expect(await until()).toBe(last);
  const count = (days: number, counted: number) =>
    pool.query("INSERT INTO reconciled_days VALUES ($1, now(), $2, $2, 0, 0)", [addDays(last, days), counted]);
  await count(1, 0);
  await count(2, 5);
  expect(await until()).toBe(addDays(last, 1));
});
