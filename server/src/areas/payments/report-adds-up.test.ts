import { type FinanceReport, ReportQuery, reportRows } from "@millrace/contract";
import { addDays } from "@millrace/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testPostgres } from "../../platform/testing/stores.ts";
import { publisherBalanceOf } from "./balances.ts";
import { readFinanceReport } from "./finance-report.ts";
import { type BalanceLine, type Booking, publisherBooks } from "./testing/publisher-books.ts";

const { pool } = await testPostgres();
const { newAccount, newApp, book } = publisherBooks(pool);
const deps = { pool, providerNames: async () => new Map<string, string>() };

const DAYS = 8;
const FIRST = "2025-11-01";
const day = (nth: number) => addDays(FIRST, nth);
const PROVIDERS = ["aurora", "borealis", "campaigns"] as const;
const account = await newAccount();
const apps = [await newApp(account), await newApp(account), await newApp(account)];

const micros = fc.oneof(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: -1e12, max: -1 }));
const sold = fc.record({
  micros,
  appId: fc.constantFrom(...apps),
  provider: fc.constantFrom<string>(...PROVIDERS),
});
const lines = (line: fc.Arbitrary<BalanceLine>) => fc.array(line, { minLength: 1, maxLength: 4 });
const on = fc.nat(DAYS - 1).map(day);
const reason = fc.constantFrom("", "Invalid traffic", "Events of this day arrived later");
const accrual: fc.Arbitrary<Booking> = fc.record({
  kind: fc.constant("accrual" as const),
  on,
  of: on,
  reason,
  lines: lines(sold),
});
const deduction: fc.Arbitrary<Booking> = fc
  .record({ on, of: on, reason, isOfProvider: fc.boolean(), lines: lines(sold) })
  .map(({ isOfProvider, lines: all, ...posting }) => ({
    ...posting,
    kind: "deduction",
    lines: isOfProvider ? all : all.map((line) => ({ micros: line.micros })),
  }));
const other: fc.Arbitrary<Booking> = fc.record({
  kind: fc.constantFrom("bonus" as const, "correction" as const, "payout" as const, "payout_returned" as const),
  on,
  reason,
  lines: lines(fc.record({ micros })),
});
const postings = fc.array(fc.oneof(accrual, deduction, other), { maxLength: 12 });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const changeOf = ({ trans }: FinanceReport): number => sum(trans.map(({ amount }) => amount));
const netOf = ({ credit, debet }: { credit: number; debet: number }): number => credit - debet;

/** Books the postings for a new account; accruals of a day are numbered in their order. */
async function accountWith(bookings: readonly Booking[]): Promise<number> {
  const accountId = await newAccount();
  const counts = new Map<string | undefined, number>();
  for (const booking of bookings) {
    const nth = (counts.get(booking.of) ?? 0) + 1;
    if (booking.kind === "accrual") counts.set(booking.of, nth);
    await book(accountId, { ...booking, nth });
  }
  return accountId;
}

test("whatever is booked, opening and changes are the closing of any range, and ranges side by side chain", async () => {
  const cuts = fc
    .tuple(fc.nat(DAYS - 1), fc.nat(DAYS - 1), fc.nat(DAYS - 1))
    .map((all) => all.toSorted((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(postings, cuts, async (bookings, [from = 0, middle = 0, to = 0]) => {
      const accountId = await accountWith(bookings);
      const read = (ds: string, de: string) => readFinanceReport(deps, accountId, ReportQuery.parse({ ds, de }));
      const whole = await read(day(from), day(to));
      expect((whole.opening ?? Number.NaN) + changeOf(whole)).toBe(whole.closing);
      expect(whole.totals.amount).toBe(changeOf(whole));
      const [left, right] = [await read(day(from), day(middle)), await read(day(middle + 1), day(DAYS))];
      expect([left.opening, left.closing]).toEqual([whole.opening, right.opening]);
      expect(right.closing).toBe(await publisherBalanceOf(pool, accountId));
      for (const row of whole.trans) {
        const credits = [whole.bonuses, whole.corrections, whole.provider_corrections].flatMap((days) =>
          days.filter(({ date }) => date === row.date).map(({ credit }) => credit),
        );
        expect(row.credit + sum(credits) + row.referral_amount - row.cash_out - row.debet).toBe(row.amount);
        expect(row.credit).toBeGreaterThanOrEqual(0);
      }
      for (const one of [...whole.bonuses, ...whole.corrections, ...whole.provider_corrections])
        expect(sum(one.hints.map(({ amount }) => amount))).toBe(netOf(one));
      const { rows, total } = reportRows(whole);
      expect(rows.at(-1)?.balance ?? whole.opening).toBe(whole.closing);
      for (const row of [...rows, total])
        expect(sum([row.revenue, row.provider_corrections, row.bonuses, row.corrections, row.paid_out])).toBe(
          row.change,
        );
    }),
    { numRuns: 40 },
  );
}, 60_000);

test("filters by app, or by provider, add up to everything that names one", async () => {
  await fc.assert(
    fc.asyncProperty(postings, fc.nat(DAYS - 1), async (bookings, last) => {
      const accountId = await accountWith(bookings);
      const read = (filter: object) =>
        readFinanceReport(deps, accountId, ReportQuery.parse({ ds: FIRST, de: day(last), ...filter }));
      const whole = await read({});
      const named = sum(
        bookings
          .filter((booking) => booking.on <= day(last))
          .flatMap((booking) => booking.lines)
          .map((line) => (line.provider === undefined ? 0 : line.micros)),
      );
      for (const reports of [
        await Promise.all(apps.map((app_id) => read({ app_id: String(app_id) }))),
        await Promise.all(PROVIDERS.map((provider) => read({ provider }))),
      ]) {
        expect(sum(reports.map(changeOf))).toBe(named);
        expect(sum(reports.map(({ totals }) => totals.credit))).toBe(whole.totals.credit);
        expect(sum(reports.map(({ totals }) => netOf(totals.provider_corrections)))).toBe(
          netOf(whole.totals.provider_corrections),
        );
        expect(reports.every(({ opening, closing }) => opening === null && closing === null)).toBe(true);
      }
      const revenue = whole.totals.credit + netOf(whole.totals.provider_corrections);
      for (const list of [whole.providers, whole.adtoapp_apps])
        expect(sum(list.map((one) => one.revenue))).toBe(revenue);
    }),
    { numRuns: 25 },
  );
}, 60_000);
