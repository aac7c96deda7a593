import type { PaidCause } from "@millrace/contract";
import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { monthSteps } from "../revenue/month-steps.ts";
import { readNextPayment } from "./read-payouts.ts";
import { readStatement } from "./read-statement.ts";
import { aPayoutYear } from "./testing/a-payout-year.ts";

const { pool } = await testPostgres();
const dollars = (micros: bigint): number => Number(micros) / 1_000_000;

type Year = Awaited<ReturnType<typeof aPayoutYear>>;

/** The steps of a month's balance to its payment, in dollars. */
async function stepsOf({ deps, accountId, day }: Year, month: string): Promise<Map<PaidCause, number>> {
  const traffic = { estimated: 0n, toReported: new Map(), toPaid: new Map() };
  const { steps } = await inTransaction(pool, (client) =>
    monthSteps(deps, client, { accountId, month: day(month), traffic }),
  );
  return new Map([...steps.toPaid].map(([cause, micros]) => [cause, dollars(micros)]));
}

/** What a month's statement and steps say was taken between its end and its payment. */
async function takenOf(year: Year, month: string) {
  const { accountId, day } = year;
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM payouts WHERE account_id = $1 AND period = $2", [
    accountId,
    day(`${month}-01`),
  ]);
  const { amountMicros, closingMicros } = await readStatement(pool, { payoutId: rows[0]?.id ?? "" });
  return [dollars(amountMicros - closingMicros), (await stepsOf(year, month)).get("taken_since") ?? 0];
}

test("what is sold after a month never makes up for what was deducted since its end", async () => {
  const year = await aPayoutYear(pool, 2001);
  const { deps, accountId, sell, deduct, payAt } = year;
  await sell("10-20", 400);
  await sell("11-05", 150);
  await deduct("10-20", "11-10", 150);
  expect((await readNextPayment(deps, accountId)).next).toMatchObject({ month: "2001-10", amount: 250_000_000 });
  expect(await payAt("11-15")).toEqual(["2001-10 paid 250"]);
  expect(await takenOf(year, "10")).toEqual([-150, -150]);
  expect(await payAt("12-15")).toEqual(["2001-10 paid 250", "2001-11 paid 150"]);
});

test("the next payment of an account without earnings is for the month that is running", async () => {
  const year = await aPayoutYear(pool, 2012);
  year.moveTo(`${year.day("12-01")}T09:00:00Z`);
  expect((await readNextPayment(year.deps, year.accountId)).next).toMatchObject({
    month: "2012-12",
    month_is_over: false,
  });
  await year.sell("11-20", 40);
  year.moveTo(`${year.day("12-01")}T10:00:00Z`);
  expect((await readNextPayment(year.deps, year.accountId)).next).toMatchObject({
    month: "2012-11",
    amount: 40_000_000,
  });
});

test.each([
  [2008, 150, 250_000_000, { taken_since: -150, not_yet_paid: -250 }],
  [2009, 350, 50_000_000, { taken_since: -350, below_minimum: -50 }],
])(
  "in %i, before the payment of a month, its steps and the next payment agree on 400 dollars less %i that were deducted since its end",
  async (number, deducted, amount, steps) => {
    const year = await aPayoutYear(pool, number);
    await year.sell("10-20", 400);
    await year.deduct("10-20", "11-10", deducted);
    year.moveTo(`${year.day("11-12")}T06:00:00Z`);
    expect((await readNextPayment(year.deps, year.accountId)).next).toMatchObject({ month: `${number}-10`, amount });
    expect(Object.fromEntries(await stepsOf(year, "10"))).toMatchObject({ ...steps, cents: 0 });
  },
);

test("a month below the minimum stays below it in its steps once a later month has paid it", async () => {
  const year = await aPayoutYear(pool, 2010);
  await year.sell("10-20", 50);
  await year.payAt("11-15");
  await year.sell("11-20", 200);
  expect(await year.payAt("12-15")).toEqual(["2010-11 paid 250"]);
  const steps = await stepsOf(year, "10");
  expect([steps.get("below_minimum"), steps.get("taken_since")]).toEqual([-50, undefined]);
});

test("a month that is paid late and the one after it are each paid once, and the month that still runs is not", async () => {
  const year = await aPayoutYear(pool, 2002);
  const { provider, accountId, sell, payAt } = year;
  const { rows } = await pool.query<{ id: string }>("SELECT payee_id AS id FROM payees WHERE account_id = $1", [
    accountId,
  ]);
  provider.methods.set(rows[0]?.id ?? "", null);
  await sell("10-20", 1000);
  expect(await payAt("11-15")).toEqual([]);
  await sell("11-20", 1000);
  await sell("12-10", 500);
  provider.methods.clear();
  expect(await payAt("12-14")).toEqual(["2002-10 paid 1000"]);
  expect(await payAt("12-15")).toEqual(["2002-10 paid 1000", "2002-11 paid 1000"]);
  expect(await takenOf(year, "11")).toEqual([-1000, -1000]);
});

test("a deduction of a later day waits, with the sales of that day, for the payment of its own month", async () => {
  const { sell, deduct, payAt } = await aPayoutYear(pool, 2003);
  await sell("10-20", 400);
  await sell("11-05", 500);
  await deduct("11-05", "11-10", 150);
  expect(await payAt("11-15")).toEqual(["2003-10 paid 400"]);
  expect(await payAt("12-15")).toEqual(["2003-10 paid 400", "2003-11 paid 350"]);
});

test("a deduction that is given back before the payment takes nothing from it", async () => {
  const { sell, deduct, giveBack, payAt } = await aPayoutYear(pool, 2004);
  await sell("10-20", 400);
  const { uuid } = await deduct("10-20", "11-08", 150);
  await giveBack(uuid, "11-10");
  expect(await payAt("11-15")).toEqual(["2004-10 paid 400"]);
});

test("what a balance gets after a month is paid with a later one", async () => {
  const { sell, give, payAt } = await aPayoutYear(pool, 2005);
  await sell("10-20", 400);
  await give("11-03", 120);
  expect(await payAt("11-15")).toEqual(["2005-10 paid 400"]);
  expect(await payAt("12-15")).toEqual(["2005-10 paid 400", "2005-11 paid 120"]);
});

test.each([
  [2006, false, []],
  [2007, true, ["2007-10 paid 400"]],
])("in %i, a demo's publisher is paid on a platform that is a demo, and nowhere else: %j", async (year, demo, paid) => {
  const { deps, accountId, sell, payAt } = await aPayoutYear(pool, year);
  await pool.query("UPDATE accounts SET demo = true WHERE id = $1", [accountId]);
  deps.terms.demo = demo;
  await sell("10-20", 400);
  expect(await payAt("11-15")).toEqual(paid);
});
