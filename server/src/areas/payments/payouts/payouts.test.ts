import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { closeMonth } from "../ledger.ts";
import { refreshPayouts, orderPayouts } from "./order-payouts.ts";
import { checkPayees } from "./payees.ts";
import { readCashouts, readNextPayment } from "./read-payouts.ts";
import { followPayouts, runPayouts } from "./run-payouts.ts";
import { somePayouts } from "./testing/some-payouts.ts";

const { pool } = await testPostgres();
const PAY_DAY = "2026-11-15T06:00:00Z";

/** The months of other tests are closed; each test has years of its own. */
const inYear = (year: number) => {
  const world = somePayouts(pool, PAY_DAY.replace("2026", String(year)));
  return { ...world, day: (rest: string) => `${year}-${rest}` };
};

test("on the payout day the month before is taken off the balance, ordered, and paid once the provider says so", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, booksOf, day } = inYear(2001);
  const account = await newPublisher();
  await earn(account, day("10-31"), 250);
  await earn(account, day("11-01"), 40);

  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2001-10 sent 250"]);
  expect(await booksOf(account)).toEqual({ publisher_balance: -40, payouts_due: -250 });

  provider.answers.ask = (payoutId) => ({ is: "paid", reference: `T-${payoutId}` });
  await followPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2001-10 paid 250"]);
  expect(await booksOf(account)).toEqual({ publisher_balance: -40, payouts_due: 0 });
  const cash = await pool.query<{ dollars: string }>(
    `SELECT sum(l.amount_micros) / 1000000 AS dollars FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
     WHERE l.book = 'cash' AND p.reference = (SELECT 'payout ' || id || ' paid' FROM payouts WHERE account_id = $1)`,
    [account],
  );
  expect(Number(cash.rows[0]?.dollars)).toBe(-250);
});

test("running again, at once or together, pays nothing twice, and the month is closed", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, day } = inYear(2002);
  const account = await newPublisher();
  await earn(account, day("10-02"), 120);
  await Promise.all([runPayouts(deps), runPayouts(deps), runPayouts(deps)]);
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2002-10 sent 120"]);
  expect(provider.orders).toHaveLength(1);
  await expect(earn(account, day("10-03"), 5)).rejects.toThrow(`the month of ${day("10-03")} is closed`);
});

test("before the payout day nothing is paid, and months already over wait with it", async () => {
  const { deps, newPublisher, earn, payoutsOf, moveTo, day } = inYear(2003);
  const account = await newPublisher();
  await earn(account, day("09-30"), 500);
  moveTo(day("10-14T23:59:59Z"));
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual([]);
  moveTo(day("10-15T00:00:00Z"));
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2003-09 sent 500"]);
});

test("too little stays on the balance and is paid with a later month", async () => {
  const { deps, newPublisher, earn, payoutsOf, moveTo, day } = inYear(2004);
  const account = await newPublisher();
  await earn(account, day("10-31"), 99);
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual([]);
  expect((await readNextPayment(deps, account)).next).toEqual({
    month: "2004-11",
    on: "2004-12-15",
    amount: 99_000_000,
    month_is_over: false,
    blocks: [],
  });
  await earn(account, day("11-30"), 1);
  moveTo(day("12-20T00:00:00Z"));
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2004-11 sent 100"]);
});

test("whole cents are paid, and the rest stays on the balance for a later month", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, booksOf, moveTo, day } = inYear(2019);
  const account = await newPublisher();
  await earn(account, day("10-31"), 120.009999);
  await runPayouts(deps);
  expect(provider.orders.map(({ amountMicros }) => amountMicros)).toEqual([120_000_000n]);
  expect(await booksOf(account)).toEqual({ publisher_balance: -0.009999, payouts_due: -120 });
  await earn(account, day("11-30"), 99.990001);
  moveTo(day("12-15T00:00:00Z"));
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2019-10 sent 120", "2019-11 sent 100"]);
  expect(await booksOf(account)).toEqual({ publisher_balance: 0, payouts_due: -220 });
});

test("what is left after rounding down must reach the minimum", async () => {
  const { deps, newPublisher, earn, payoutsOf, day } = inYear(2020);
  const account = await newPublisher();
  await earn(account, day("10-31"), 99.999999);
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual([]);
});

test("what was taken off the balance since the month's end is not paid", async () => {
  const { deps, newPublisher, earn, payoutsOf, day } = inYear(2005);
  const account = await newPublisher();
  await earn(account, day("10-31"), 400);
  await earn(account, day("11-10"), -150);
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2005-10 sent 250"]);
});

test("without payout details, with a blocked owner or with books that disagree nothing is paid, and the reason is told", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, day } = inYear(2006);
  const [registered, unregistered] = [await newPublisher(), await newPublisher({ isRegistered: false })];
  for (const account of [registered, unregistered]) await earn(account, day("10-31"), 300);
  const payee = await pool.query<{ id: string }>("SELECT payee_id AS id FROM payees WHERE account_id = $1", [
    registered,
  ]);
  const payeeId = payee.rows[0]?.id ?? "";
  provider.methods.set(payeeId, null);
  const blocks = async (account: number) => {
    await runPayouts(deps);
    expect(await payoutsOf(account)).toEqual([]);
    return (await readNextPayment(deps, account)).next;
  };
  const held = { month: "2006-10", on: "2006-11-15", amount: 300_000_000, month_is_over: true };
  expect(await blocks(registered)).toEqual({ ...held, blocks: ["no_details"] });
  expect(await blocks(unregistered)).toEqual({ ...held, blocks: ["no_details"] });

  provider.methods.delete(payeeId);
  await pool.query("INSERT INTO ledger_drifts VALUES ($1, $2, 'revenue', 1, 2, now())", [day("10-20"), registered]);
  expect(await blocks(registered)).toEqual({ ...held, blocks: ["drift"] });
  await pool.query("UPDATE ledger_drifts SET accepted_at = now(), accepted_reason = 'Too little to matter'");
  const block = "UPDATE users SET blocked_at = CASE WHEN $2 THEN now() END WHERE email = $1";
  await pool.query(block, [`owner-${registered}@example.com`, true]);
  expect(await blocks(registered)).toEqual({ ...held, blocks: ["blocked"] });

  // What stood against it is gone: a later run of the same month pays.
  await pool.query(block, [`owner-${registered}@example.com`, false]);
  await runPayouts(deps);
  expect(await payoutsOf(registered)).toEqual(["2006-10 sent 300"]);
});

test("what the provider refuses or the bank returns is back on the balance once, and is paid with the next month", async () => {
  const { deps, provider, told, newPublisher, earn, payoutsOf, booksOf, moveTo, day } = inYear(2007);
  const account = await newPublisher();
  await earn(account, day("10-31"), 300);
  provider.answers.pay = () => ({ is: "refused", reason: "The account is closed" });
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2007-10 rejected 300"]);
  expect(await booksOf(account)).toEqual({ publisher_balance: -300, payouts_due: 0 });
  expect((await readCashouts(deps, account, 0)).cashouts).toMatchObject([
    { month: "2007-10", status: "rejected", reason: "The account is closed", method: "Bank transfer ending 4417" },
  ]);
  expect(told.filter((line) => line.startsWith("rejected"))).toHaveLength(1);

  moveTo(day("12-15T00:00:00Z"));
  provider.answers.pay = ({ payoutId }) => ({ is: "accepted", reference: payoutId });
  provider.answers.ask = (payoutId) => ({ is: "paid", reference: payoutId });
  await runPayouts(deps);
  await followPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2007-10 rejected 300", "2007-11 paid 300"]);
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM payouts WHERE account_id = $1 AND state = 'paid'", [
    account,
  ]);
  provider.answers.ask = () => ({ is: "rejected", reason: "Returned by the bank" });
  for (let nth = 0; nth < 2; nth++) await refreshPayouts(deps, rows[0]?.id);
  expect(await booksOf(account)).toEqual({ publisher_balance: -300, payouts_due: 0 });
});

test("an order whose fate is unknown is asked about and never sent again", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, moveTo, day } = inYear(2008);
  const account = await newPublisher();
  await earn(account, day("10-31"), 308);
  provider.answers.pay = () => ({ is: "unknown" });
  provider.answers.ask = () => ({ is: "unknown" });
  await runPayouts(deps);
  for (const hour of ["07", "08", "09"]) {
    moveTo(day(`11-15T${hour}:00:00Z`));
    await runPayouts(deps);
    await followPayouts(deps);
  }
  provider.answers.ask = () => new Error("away");
  await followPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2008-10 sending 308"]);
  expect(provider.orders.filter(({ amountMicros }) => amountMicros === 308_000_000n)).toHaveLength(1);
  provider.answers.ask = (payoutId) => ({ is: "paid", reference: payoutId });
  await followPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2008-10 paid 308"]);
});

test("an order that certainly never reached the provider is sent again", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, day } = inYear(2009);
  const account = await newPublisher();
  await earn(account, day("10-31"), 300);
  provider.answers.pay = () => ({ is: "unreached" });
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2009-10 due 300"]);
  provider.answers.pay = ({ payoutId }) => ({ is: "accepted", reference: payoutId });
  await orderPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2009-10 sent 300"]);
});

test("after a change of the provider, what was never ordered is back on the balance and paid with the next month", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, booksOf, moveTo, day } = inYear(2016);
  const account = await newPublisher();
  await earn(account, day("10-01"), 300);
  provider.answers.pay = () => ({ is: "unreached" });
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2016-10 due 300"]);
  await pool.query("UPDATE payouts SET provider = 'former' WHERE account_id = $1", [account]);
  provider.answers.pay = ({ payoutId }) => ({ is: "accepted", reference: payoutId });
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2016-10 rejected 300"]);
  moveTo(day("12-15T06:00:00Z"));
  await runPayouts(deps);
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2016-10 rejected 300", "2016-11 sent 300"]);
  expect(await booksOf(account)).toEqual({ publisher_balance: 0, payouts_due: -300 });
});

test("a provider that is away is asked about three payees, and not about every one of a thousand", async () => {
  const { deps, provider, newPublisher } = inYear(2017);
  for (let nth = 0; nth < 5; nth++) await newPublisher();
  let asked = 0;
  provider.methodOf = async () => {
    asked++;
    throw new Error("The provider is away");
  };
  expect([await checkPayees(deps), asked]).toEqual([false, 3]);
});

test("that a payout was paid after its money was given back is an error in the log, and changes nothing", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, day } = inYear(2018);
  const account = await newPublisher();
  await earn(account, day("10-01"), 300);
  provider.answers.pay = () => ({ is: "refused", reason: "The account is closed" });
  await runPayouts(deps);
  provider.answers.ask = (payoutId) => ({ is: "paid", reference: payoutId });
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM payouts WHERE account_id = $1", [account]);
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (_: unknown, text: string) => void errors.push(text) } as typeof silentLog;
  await refreshPayouts({ ...deps, log }, rows[0]?.id);
  expect(errors).toEqual(["the provider has paid a payout whose money was given back"]);
  expect(await payoutsOf(account)).toEqual(["2018-10 rejected 300"]);
});

test("what the provider says late and out of order moves nothing back", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, booksOf, day } = inYear(2010);
  const account = await newPublisher();
  await earn(account, day("10-31"), 300);
  await runPayouts(deps);
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM payouts WHERE account_id = $1", [account]);
  const hear = async (is: "pending" | "paid" | "rejected") => {
    provider.answers.ask = (payoutId) =>
      is === "rejected" ? { is, reason: "Returned by the bank" } : { is, reference: payoutId };
    await refreshPayouts(deps, rows[0]?.id);
    return payoutsOf(account);
  };
  expect(await hear("paid")).toEqual(["2010-10 paid 300"]);
  expect(await hear("pending")).toEqual(["2010-10 paid 300"]);
  expect(await hear("rejected")).toEqual(["2010-10 rejected 300"]);
  expect(await hear("paid")).toEqual(["2010-10 rejected 300"]);
  expect(await booksOf(account)).toEqual({ publisher_balance: -300, payouts_due: 0 });
});

test("a history has ten rows a page, newest first", async () => {
  const { deps, newPublisher, earn, moveTo } = inYear(2011);
  const account = await newPublisher();
  for (let month = 1; month <= 12; month++) {
    await earn(account, `2012-${String(month).padStart(2, "0")}-05`, 100 + month);
    moveTo(`${month === 12 ? "2013-01" : `2012-${String(month + 1).padStart(2, "0")}`}-15T00:00:00Z`);
    await runPayouts(deps);
  }
  const [first, second] = [await readCashouts(deps, account, 0), await readCashouts(deps, account, 1)];
  expect(first.page_cnt).toBe(2);
  expect([...first.cashouts, ...second.cashouts].map(({ amount }) => amount / 1_000_000)).toEqual(
    Array.from({ length: 12 }, (_, nth) => 112 - nth),
  );
  expect(await inTransaction(pool, (client) => closeMonth(client, "2012-05", new Date()))).toBe(false);
});
