import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { aPayoutYear } from "../payouts/testing/a-payout-year.ts";
import { readAdminRevenue, readMonthRevenue } from "./read-revenue.ts";

const { pool } = await testPostgres();
type PayoutYear = Awaited<ReturnType<typeof aPayoutYear>>;

/** What the admin's page says of a month, in dollars: what was paid, and the steps to it. */
async function revenueOf({ deps, day }: PayoutYear, month: string) {
  const { paid, to_paid } = await readAdminRevenue(
    { ...deps, providerNames: async () => new Map() },
    { month: day(month), by: "partner", partner: "aurora" },
  );
  const steps = to_paid.filter(({ cause }) => !["borne", "our_fee"].includes(cause));
  return { paid: paid / 1e6, steps: steps.map(({ cause, amount }) => `${cause} ${amount / 1e6}`) };
}

test("what was deducted between a month's end and its payment was not paid", async () => {
  const year = await aPayoutYear(pool, 2001);
  const { sell, deduct, payAt, provider } = year;
  await sell("10-20", 400);
  await deduct("10-20", "11-10", 150);
  expect(await revenueOf(year, "10")).toEqual({ paid: 0, steps: ["deducted_clawback -150", "not_yet_paid -250"] });
  provider.answers.ask = (payoutId) => ({ is: "pending", reference: payoutId });
  expect(await payAt("11-15")).toEqual(["2001-10 sent 250"]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 0, steps: ["deducted_clawback -150", "on_its_way -250"] });
  provider.answers.ask = (payoutId) => ({ is: "paid", reference: payoutId });
  expect(await payAt("11-16")).toEqual(["2001-10 paid 250"]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 250, steps: ["deducted_clawback -150"] });
  const { rows } = await readMonthRevenue({ ...year.deps, providerNames: async () => new Map() }, year.accountId, {
    month: "2001-10",
    by: "day",
  });
  expect(rows).toMatchObject([{ id: "2001-10-20", paid: 250_000_000 }]);
});

test("what is deducted after the payment lowers a later one", async () => {
  const year = await aPayoutYear(pool, 2002);
  const { sell, deduct, payAt } = year;
  await sell("10-20", 400);
  await payAt("11-15");
  await deduct("10-20", "11-20", 150);
  await sell("11-25", 300);
  expect(await revenueOf(year, "10")).toEqual({ paid: 400, steps: ["deducted_clawback -150", "not_yet_paid 150"] });
  expect(await payAt("12-15")).toEqual(["2002-10 paid 400", "2002-11 paid 150"]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 250, steps: ["deducted_clawback -150"] });
});

test("what was deducted and made up for before the payment is settled with the next one", async () => {
  const year = await aPayoutYear(pool, 2003);
  const { sell, deduct, give, payAt } = year;
  await sell("10-20", 400);
  await deduct("10-20", "11-08", 150);
  await give("11-10", 200);
  expect(await payAt("11-15")).toEqual(["2003-10 paid 400"]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 400, steps: ["deducted_clawback -150", "not_yet_paid 150"] });
  await sell("11-25", 100);
  expect(await payAt("12-15")).toEqual(["2003-10 paid 400", "2003-11 paid 150"]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 250, steps: ["deducted_clawback -150"] });
});

test("what was deducted before a payment that came back is settled with the next one", async () => {
  const year = await aPayoutYear(pool, 2004);
  const { sell, deduct, payAt, provider } = year;
  await sell("10-20", 400);
  await deduct("10-20", "11-10", 150);
  provider.answers.ask = () => ({ is: "rejected", reason: "The account is closed" });
  expect(await payAt("11-15")).toEqual(["2004-10 rejected 250"]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 0, steps: ["deducted_clawback -150", "not_yet_paid -250"] });
  provider.answers.ask = (payoutId) => ({ is: "paid", reference: payoutId });
  expect(await payAt("12-15")).toEqual(["2004-10 rejected 250", "2004-11 paid 250"]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 250, steps: ["deducted_clawback -150"] });
});

test("a month that was held back and paid with the next one names that payment", async () => {
  const year = await aPayoutYear(pool, 2005);
  const { sell, payAt, accountId, deps } = year;
  const block = (at: string | null) =>
    pool.query(
      "UPDATE users SET blocked_at = $2 WHERE id IN (SELECT user_id FROM memberships WHERE account_id = $1 AND role = 'owner')",
      [accountId, at],
    );
  const october = async () => {
    const asked = { month: "2005-10", by: "day" } as const;
    const read = await readMonthRevenue({ ...deps, providerNames: async () => new Map() }, accountId, asked);
    const { paid, paid_on: on, paid_with: later, to_paid: toPaid } = read;
    return { paid, on, later, steps: toPaid.filter(({ cause }) => cause !== "borne") };
  };
  await sell("10-20", 500);
  await block("2005-11-01");
  await payAt("11-16");
  const steps = (cause: string) => [{ cause, amount: -500_000_000 }];
  expect(await october()).toEqual({ paid: 0, on: "2005-11-15", later: undefined, steps: steps("blocked") });
  await block(null);
  await sell("11-10", 200);
  expect(await payAt("12-16")).toEqual(["2005-11 paid 700"]);
  expect(await october()).toEqual({ paid: 0, on: "2005-12-16", later: "2005-11", steps: steps("paid_later") });
});

test.each([
  [
    2006,
    "blocked",
    "UPDATE users SET blocked_at = now() WHERE id = (SELECT user_id FROM memberships WHERE account_id = $1)",
  ],
  [2007, "drift", "INSERT INTO ledger_drifts VALUES ('2007-10-31', $1, 'revenue', 1, 2, now())"],
])("a payout of %i that is due and held back is not on its way: %s", async (number, held, arises) => {
  const year = await aPayoutYear(pool, number);
  const { sell, payAt, accountId, provider } = year;
  await sell("10-20", 300);
  provider.answers.pay = () => ({ is: "unreached" });
  expect(await payAt("11-15")).toEqual([`${number}-10 due 300`]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 0, steps: ["on_its_way -300"] });
  await pool.query(arises, [accountId]);
  expect(await revenueOf(year, "10")).toEqual({ paid: 0, steps: [`${held} -300`] });
  await sell("11-20", 20);
  expect(await revenueOf(year, "11")).toEqual({ paid: 0, steps: ["not_yet_paid -20"] });
});

test("an app that was deleted keeps its numbers, and is marked", async () => {
  const { sell, accountId, deps } = await aPayoutYear(pool, 2009);
  await sell("10-20", 400);
  const asked = { month: "2009-10", by: "app" } as const;
  const rows = async () =>
    (await readMonthRevenue({ ...deps, providerNames: async () => new Map() }, accountId, asked)).rows;
  const [before] = await rows();
  expect(before).toMatchObject({ name: "Tide", estimated: 400_000_000 });
  await pool.query("UPDATE apps SET deleted_at = now() WHERE account_id = $1", [accountId]);
  expect(await rows()).toEqual([{ ...before, deleted: true }]);
});
