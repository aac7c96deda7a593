import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { readMonthRevenue } from "../revenue/read-revenue.ts";
import { readAdminPayouts } from "./admin-payouts.ts";
import { orderPayouts } from "./order-payouts.ts";
import { checkPayees } from "./payees.ts";
import { readNextPayment } from "./read-payouts.ts";
import { followPayouts, runPayouts } from "./run-payouts.ts";
import { somePayouts } from "./testing/some-payouts.ts";

const { pool } = await testPostgres();

const providerNames = async () => new Map<string, string>();

/** Each test has a year of its own, since the months of other tests are closed. */
const inYear = (year: number) => {
  const world = somePayouts(pool, `${year}-11-15T06:00:00Z`);
  return { ...world, day: (rest: string) => `${year}-${rest}` };
};

test("payouts whose payees cannot be looked up hold up nobody else's", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, moveTo, day } = inYear(2021);
  const accounts: number[] = [];
  for (let nth = 0; nth < 5; nth++) accounts.push(await newPublisher());
  for (const account of accounts) await earn(account, day("10-31"), 300);
  // The worst order: those that are sent first are the ones that cannot be looked up.
  const lost = new Set<string>();
  provider.answers.pay = ({ payoutId, payeeId }) => {
    moveTo(day("11-15T06:00:01Z"));
    if (lost.size < 3) lost.add(payeeId);
    return lost.has(payeeId) ? { is: "unreached" } : { is: "accepted", reference: payoutId };
  };
  const states = async () => (await Promise.all(accounts.map(payoutsOf))).flat().sort();
  await runPayouts(deps);
  expect(await states()).toEqual(Array.from({ length: 5 }, () => "2021-10 due 300"));
  await followPayouts(deps);
  expect(await states()).toEqual([
    ...Array.from({ length: 3 }, () => "2021-10 due 300"),
    ...Array.from({ length: 2 }, () => "2021-10 sent 300"),
  ]);
  // Once they can be looked up, they are paid too.
  provider.answers.pay = ({ payoutId }) => ({ is: "accepted", reference: payoutId });
  await followPayouts(deps);
  expect(await states()).toEqual(Array.from({ length: 5 }, () => "2021-10 sent 300"));
});

test("a provider that is away is sent three payouts a minute, and not every one of a thousand", async () => {
  const { deps, provider, newPublisher, earn, day } = inYear(2022);
  for (let nth = 0; nth < 5; nth++) await earn(await newPublisher(), day("10-31"), 300);
  provider.answers.pay = () => ({ is: "unreached" });
  await runPayouts(deps);
  expect(provider.orders).toHaveLength(3);
  provider.answers.pay = ({ payoutId }) => ({ is: "accepted", reference: payoutId });
  await orderPayouts(deps);
  expect(new Set(provider.orders.map(({ payoutId }) => payoutId)).size).toBe(5);
});

test("payees that cannot be looked up keep nobody else from being asked about", async () => {
  const { deps, provider, newPublisher, moveTo, day } = inYear(2023);
  const accounts: number[] = [];
  for (let nth = 0; nth < 4; nth++) accounts.push(await newPublisher());
  const { rows } = await pool.query<{ accountId: number; id: string }>(
    `UPDATE payees SET checked_at = '1990-01-01', method = NULL WHERE account_id = ANY($1)
     RETURNING account_id AS "accountId", payee_id AS id`,
    [accounts],
  );
  const last = Math.max(...accounts);
  for (const { accountId, id } of rows)
    if (accountId !== last) provider.methods.set(id, new Error("No such properties"));
  await checkPayees(deps);
  moveTo(day("11-15T12:00:00Z"));
  await checkPayees(deps);
  const method = await pool.query("SELECT method FROM payees WHERE account_id = $1", [last]);
  expect(method.rows).toEqual([{ method: "Bank transfer ending 4417" }]);
});

test("an answer about a payee that is older than what was entered since is not kept", async () => {
  const { deps, provider, newPublisher } = inYear(2024);
  const account = await newPublisher();
  await pool.query("UPDATE payees SET checked_at = '1990-01-01' WHERE account_id = $1", [account]);
  provider.methodOf = async () => {
    await pool.query("UPDATE payees SET method = 'PayPal', checked_at = now() WHERE account_id = $1", [account]);
    return null;
  };
  expect(await checkPayees(deps, account)).toBe(false);
  const { rows } = await pool.query("SELECT method FROM payees WHERE account_id = $1", [account]);
  expect(rows).toEqual([{ method: "PayPal" }]);
});

test.each([
  [
    2025,
    "blocked",
    "UPDATE users SET blocked_at = now() WHERE id = (SELECT user_id FROM memberships WHERE account_id = $1)",
    "UPDATE users SET blocked_at = NULL WHERE id = (SELECT user_id FROM memberships WHERE account_id = $1)",
  ],
  [
    2026,
    "drift",
    "INSERT INTO ledger_drifts VALUES ('2026-10-31', $1, 'revenue', 1, 2, now())",
    "UPDATE ledger_drifts SET accepted_at = now(), accepted_reason = 'Too little to matter' WHERE account_id = $1",
  ],
])(
  "in %i, what holds a payment back after it was claimed holds its order back, and admins see it: %s",
  async (year, held, arises, goes) => {
    const { deps, provider, newPublisher, earn, payoutsOf, day } = inYear(year);
    const account = await newPublisher();
    await earn(account, day("10-31"), 300);
    provider.answers.pay = () => ({ is: "unreached" });
    await runPayouts(deps);
    provider.answers.pay = ({ payoutId }) => ({ is: "accepted", reference: payoutId });
    await pool.query(arises, [account]);
    await followPayouts(deps);
    expect(await payoutsOf(account)).toEqual([`${year}-10 due 300`]);
    expect(provider.orders).toHaveLength(1);
    const blocks = async () =>
      (await readAdminPayouts(deps, { search: "", p: 0 })).payouts.find(({ month }) => month === `${year}-10`)?.blocks;
    expect(await blocks()).toEqual([held]);
    const stands = async () => {
      const { on_its_way, held_back } = await readNextPayment(deps, account);
      const { to_paid } = await readMonthRevenue({ ...deps, providerNames }, account, {
        month: `${year}-10`,
        by: "day",
      });
      return { on_its_way, held_back, cause: to_paid.find(({ amount }) => amount === -300_000_000)?.cause };
    };
    expect(await stands()).toEqual({ on_its_way: 0, held_back: 300_000_000, cause: held });

    await pool.query(goes, [account]);
    expect(await blocks()).toBeUndefined();
    expect(await stands()).toEqual({ on_its_way: 300_000_000, held_back: undefined, cause: "on_its_way" });
    await followPayouts(deps);
    expect(await payoutsOf(account)).toEqual([`${year}-10 sent 300`]);
  },
);

test("books and events that disagree about a later month hold no order back", async () => {
  const { deps, provider, newPublisher, earn, payoutsOf, day } = inYear(2027);
  const account = await newPublisher();
  await earn(account, day("10-31"), 300);
  provider.answers.pay = () => ({ is: "unreached" });
  await runPayouts(deps);
  await pool.query("INSERT INTO ledger_drifts VALUES ($1, $2, 'revenue', 1, 2, now())", [day("11-01"), account]);
  provider.answers.pay = ({ payoutId }) => ({ is: "accepted", reference: payoutId });
  await followPayouts(deps);
  expect(await payoutsOf(account)).toEqual(["2027-10 sent 300"]);
});
