import * as fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { readPdf } from "../../../platform/pdf/testing/read-pdf.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { refreshPayouts } from "./order-payouts.ts";
import { readStatement } from "./read-statement.ts";
import { runPayouts } from "./run-payouts.ts";
import { statementPdf } from "./statement-pdf.ts";
import { somePayouts } from "./testing/some-payouts.ts";
import { someSales } from "./testing/some-sales.ts";

const { pool } = await testPostgres();
const books = someSales(pool);
let payouts: ReturnType<typeof somePayouts>;
beforeEach(async () => {
  await pool.query("ALTER TABLE closed_months DISABLE TRIGGER USER; DELETE FROM closed_months");
  payouts = somePayouts(pool, "2026-10-01T06:00:00Z");
  payouts.provider.answers.ask = (id) => ({ is: "paid", reference: `R-${id.slice(0, 8)}` });
});

/** Has the month before a day paid, and returns the ids of an account's payouts, oldest first. */
async function payOn(day: string, accountId: number): Promise<string[]> {
  payouts.moveTo(`${day}T06:00:00Z`);
  await runPayouts(payouts.deps);
  payouts.moveTo(`${day}T06:05:00Z`);
  await refreshPayouts(payouts.deps);
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM payouts WHERE account_id = $1 ORDER BY period", [
    accountId,
  ]);
  return rows.map(({ id }) => id);
}

const sender = {
  pool,
  operatorName: "Example Ads Ltd",
  operatorAddress: "1 Mill Lane, Dublin",
  publicUrl: "https://ads.example.com",
  providerNames: async () => new Map([["aurora", "Aurora Exchange"]]),
};

test("apps of one name are told apart by their platform", async () => {
  const accountId = await payouts.newPublisher();
  const apps = [await books.newApp(accountId, "Tide"), await books.newApp(accountId, "Tide")];
  await pool.query("UPDATE apps SET platform = 'android' WHERE id = $1", [apps[0]]);
  for (const [nth, appId] of apps.entries()) {
    const gross = BigInt(400 - nth) * 1_000_000n;
    await books.sell(accountId, "2026-08-03", { appId, provider: "aurora", gross, revenue: (gross * 4n) / 5n });
  }
  const [payoutId = ""] = await payOn("2026-09-15", accountId);
  const { sales } = await readStatement(pool, { payoutId });
  expect(sales.map(({ appName }) => appName)).toEqual(["Tide, Android", "Tide, iOS"]);
});

test("a statement leads from the balance before its period to the payment, by app and provider, with fee and corrections", async () => {
  const accountId = await payouts.newPublisher();
  const advertiserId = await payouts.newPublisher({ isRegistered: false });
  const [tide, moss] = [await books.newApp(accountId, "Tide"), await books.newApp(accountId, "Moss")];
  await books.sell(accountId, "2026-09-30", {
    appId: tide,
    provider: "aurora",
    gross: 400_000_000n,
    revenue: 320_000_000n,
  });
  await payOn("2026-10-15", accountId);
  await books.sell(accountId, "2026-10-03", {
    appId: tide,
    provider: "aurora",
    gross: 250_000_000n,
    revenue: 200_000_000n,
  });
  await books.sell(accountId, "2026-10-04", { appId: tide, provider: "aurora", gross: 1_000_001n, revenue: 800_000n });
  const toCampaigns = { provider: "campaigns", gross: 50_000_000n, revenue: 42_500_000n, advertiserId };
  await books.sell(accountId, "2026-10-05", { appId: moss, ...toCampaigns });
  await books.move(accountId, "2026-10-06", "bonus", 10_000_000n, "A good start");
  await books.move(accountId, "2026-10-07", "correction", -1_000_000n, "Paid twice in May");
  await books.move(accountId, "2026-10-08", "deduction", -2_000_000n, "Clicks from a data centre");
  // After the month, and so in the next statement; only the payment is less by what was taken.
  await books.move(accountId, "2026-11-02", "deduction", -300_000n, "Counted twice");
  await books.sell(accountId, "2026-11-02", { appId: tide, provider: "aurora", gross: 9n, revenue: 7n });
  const [, id = ""] = await payOn("2026-11-15", accountId);

  const statement = await readStatement(pool, { payoutId: id });
  expect(statement).toMatchObject({
    period: { ds: "2026-10-01", de: "2026-10-31" },
    openingMicros: 320_000_000n,
    closingMicros: 250_300_000n,
    amountMicros: 250_000_000n,
    sales: [
      {
        appName: "Tide",
        provider: "aurora",
        grossMicros: 251_000_001n,
        feeMicros: 50_200_001n,
        revenueMicros: 200_800_000n,
      },
      {
        appName: "Moss",
        provider: "campaigns",
        grossMicros: 50_000_000n,
        feeMicros: 7_500_000n,
        revenueMicros: 42_500_000n,
      },
    ],
  });

  const { name, content } = await statementPdf(sender, { payoutId: id, accountId });
  expect(name).toBe("Payout-statement-2026-10.pdf");
  const pages = await readPdf(content);
  expect(pages).toEqual([
    [
      "Millrace at ads.example.com",
      "Payout statement for October 2026",
      "FROM | TO",
      "Example Ads Ltd | Studio",
      "1 Mill Lane, Dublin",
      "Period | Oct 1st – Oct 31st, 2026 (UTC)",
      "Paid on | Nov 15th, 2026 (UTC)",
      "Amount | $250.00",
      "Method | Bank transfer ending 4417",
      `Reference | R-${id.slice(0, 8)}`,
      "Ads sold in your apps",
      "App and provider | Sold for | Platform’s fee | Your share",
      "Tide, Aurora Exchange | $251.00 | $50.20 | $200.80",
      "Moss, campaigns | $50.00 | $7.50 | $42.50",
      "Total | $301.00 | $57.70 | $243.30",
      "What else moved your balance",
      "What | Booked on | Amount",
      "Bonus: A good start | Oct 6th, 2026 | $10.00",
      "Correction: Paid twice in May | Oct 7th, 2026 | –$1.00",
      "Deduction: Clicks from a data centre | Oct 8th, 2026 | –$2.00",
      "Payment of a former month | Oct 15th, 2026 | –$320.00",
      "Balance before Oct 1st, 2026 | $320.000000",
      "Your share of the ads sold | $243.300000",
      "Bonuses | $10.000000",
      "Corrections | –$1.000000",
      "Deductions | –$2.000000",
      "Payments of former months | –$320.000000",
      "Balance at the end of Oct 31st, 2026 | $250.300000",
      "Taken since then, and less than a cent | –$0.300000",
      "Paid | $250.00",
      "Amounts of the tables are rounded to cents; the sums are exact. The finance report shows every day.",
      "Payout statement for October 2026 | Page 1 of 1",
    ],
  ]);
  // The months that it covers are closed: it is the same for good.
  expect((await statementPdf(sender, { payoutId: id })).content.equals(content)).toBe(true);
});

test("whatever is booked, a statement's lines add up to the payment, and each statement begins where the last one ends", async () => {
  const day = fc.integer({ min: 1, max: 28 }).map((nth) => String(nth).padStart(2, "0"));
  const sale = fc.record({ day, gross: fc.bigInt(0n, 900_000_000n), share: fc.bigInt(0n, 1_000_000n), app: fc.nat(2) });
  const move = fc.record({
    day,
    kind: fc.constantFrom("bonus" as const, "correction" as const),
    micros: fc.bigInt(-60_000_000n, 60_000_000n),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(sale, { maxLength: 4 }), fc.array(move, { maxLength: 3 })), {
        minLength: 2,
        maxLength: 4,
      }),
      async (months) => {
        await pool.query("DELETE FROM closed_months");
        const accountId = await payouts.newPublisher();
        const apps = [
          await books.newApp(accountId, "A"),
          await books.newApp(accountId, "B"),
          await books.newApp(accountId, "C"),
        ];
        let ids: string[] = [];
        for (const [index, [sales, moves]] of months.entries()) {
          const month = `2027-${String(index + 1).padStart(2, "0")}`;
          for (const { day: on, gross, share, app } of sales)
            if (gross > 0n)
              await books.sell(accountId, `${month}-${on}`, {
                appId: apps[app] ?? 0,
                provider: "aurora",
                gross,
                revenue: (gross * share) / 1_000_000n,
              });
          for (const { day: on, kind, micros } of moves)
            if (micros !== 0n) await books.move(accountId, `${month}-${on}`, kind, micros, "A test");
          ids = await payOn(`2027-${String(index + 2).padStart(2, "0")}-15`, accountId);
        }
        let former: Awaited<ReturnType<typeof readStatement>> | undefined;
        for (const payoutId of ids) {
          const statement = await readStatement(pool, { payoutId });
          const { openingMicros, closingMicros, amountMicros, sales, others } = statement;
          const revenue = sales.reduce((sum, { revenueMicros }) => sum + revenueMicros, 0n);
          expect(openingMicros + revenue + others.reduce((sum, { micros }) => sum + micros, 0n)).toBe(closingMicros);
          for (const { grossMicros, feeMicros, revenueMicros } of sales)
            expect(feeMicros + revenueMicros).toBe(grossMicros);
          expect(closingMicros - amountMicros).toBeGreaterThanOrEqual(0n);
          if (former)
            expect([statement.period.ds > former.period.de, openingMicros]).toEqual([true, former.closingMicros]);
          former = statement;
        }
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);

test("a payment that was not sent, or came back, has no statement, and another account's is not found", async () => {
  const [accountId, other] = [await payouts.newPublisher(), await payouts.newPublisher()];
  await payouts.earn(accountId, "2026-09-30", 500);
  payouts.provider.answers.ask = (id) => ({ is: "pending", reference: id });
  const [id = ""] = await payOn("2026-10-15", accountId);
  const read = (account: number) => readStatement(pool, { payoutId: id, accountId: account });
  await expect(read(accountId)).rejects.toThrow("There is a statement once the payment was sent");
  payouts.provider.answers.ask = (of) => ({ is: "paid", reference: of });
  await refreshPayouts(payouts.deps);
  expect((await read(accountId)).amountMicros).toBe(500_000_000n);
  expect(payouts.told).toContain(`paid ${id}`);
  await expect(read(other)).rejects.toThrow("There is no such payment");
  payouts.provider.answers.ask = () => ({ is: "rejected", reason: "The account is closed" });
  await refreshPayouts(payouts.deps, id);
  await expect(read(accountId)).rejects.toThrow("There is a statement once the payment was sent");
});

test("the sales of a payment that came back are in the statement of the next one, which stays as it is if it comes back later", async () => {
  const accountId = await payouts.newPublisher();
  const appId = await books.newApp(accountId, "Tide");
  const sell = (on: string, micros: bigint) =>
    books.sell(accountId, on, { appId, provider: "aurora", gross: micros, revenue: micros });
  await sell("2026-08-20", 200_000_000n);
  await payOn("2026-09-15", accountId);
  await sell("2026-09-20", 400_000_000n);
  payouts.provider.answers.ask = () => ({ is: "rejected", reason: "The account is closed" });
  await payOn("2026-10-15", accountId);
  await sell("2026-10-20", 100_000_000n);
  payouts.provider.answers.ask = (id) => ({ is: "paid", reference: id });
  const [, , third = ""] = await payOn("2026-11-15", accountId);
  const statement = await readStatement(pool, { payoutId: third });
  expect(statement).toMatchObject({
    period: { ds: "2026-09-01", de: "2026-10-31" },
    openingMicros: 200_000_000n,
    sales: [{ revenueMicros: 500_000_000n }],
    others: [
      { kind: "payout", micros: -200_000_000n },
      { kind: "payout", micros: -400_000_000n },
      { kind: "payout_returned", micros: 400_000_000n },
    ],
    closingMicros: 500_000_000n,
    amountMicros: 500_000_000n,
  });

  await sell("2026-11-20", 300_000_000n);
  const [, , , fourth = ""] = await payOn("2026-12-15", accountId);
  const last = await readStatement(pool, { payoutId: fourth });
  expect(last.period).toEqual({ ds: "2026-11-01", de: "2026-11-30" });
  payouts.moveTo("2026-12-20T06:00:00Z");
  payouts.provider.answers.ask = () => ({ is: "rejected", reason: "Returned by the bank" });
  await refreshPayouts(payouts.deps, third);
  expect(await readStatement(pool, { payoutId: fourth })).toEqual(last);
});
