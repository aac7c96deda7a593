import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { readAdminPayouts } from "./admin-payouts.ts";
import { runPayouts } from "./run-payouts.ts";
import { somePayouts } from "./testing/some-payouts.ts";

const { pool } = await testPostgres();

test("an account that cannot be paid for a past month does not hide the next run from admins", async () => {
  const { deps, newPublisher, earn, moveTo } = somePayouts(pool, "2001-11-15T06:00:00Z");
  const [paid, forgotten] = [await newPublisher(), await newPublisher({ isRegistered: false })];
  for (const account of [paid, forgotten]) await earn(account, "2001-10-31", 300);
  await pool.query("UPDATE payees SET method = 'Bank transfer ending 4417' WHERE account_id = $1", [paid]);
  const nextRun = async () => (await readAdminPayouts(deps, { search: "", p: 0 })).run;
  const accounts = (amounts: { ofPaid: number; ofForgotten: number }) => [
    { account: `owner-${forgotten}@example.com`, amount: amounts.ofForgotten * 1_000_000, blocks: ["no_details"] },
    { account: `owner-${paid}@example.com`, amount: amounts.ofPaid * 1_000_000, blocks: [] },
  ];
  // The run that is due comes first.
  expect(await nextRun()).toMatchObject({ month: "2001-10", on: "2001-11-15", total: 300_000_000 });

  await runPayouts(deps);
  for (const account of [paid, forgotten]) await earn(account, "2001-11-20", 200);
  moveTo("2001-12-01T01:00:00Z");
  expect(await nextRun()).toMatchObject({
    month: "2001-11",
    on: "2001-12-15",
    month_is_over: true,
    total: 200_000_000,
    accounts: accounts({ ofPaid: 200, ofForgotten: 500 }),
  });
});

test("what is held back of the month that is due is told apart from the next run, because it is paid as soon as nothing holds it", async () => {
  const { deps, newPublisher, earn } = somePayouts(pool, "1999-11-20T06:00:00Z");
  const held = await newPublisher({ isRegistered: false });
  await earn(held, "1999-10-31", 300);
  await earn(held, "1999-11-02", 50);
  const { run } = await readAdminPayouts(deps, { search: "", p: 0 });
  expect(run).toMatchObject({ month: "1999-11", on: "1999-12-15" });
  expect(run.held).toMatchObject({ month: "1999-10", on: "1999-11-15" });
  await pool.query("INSERT INTO payees (account_id, provider, checked_at) VALUES ($1, 'sandbox', now())", [held]);
  await runPayouts(deps);
  const after = await readAdminPayouts(deps, { search: "", p: 0 });
  const amountOf = (accounts: typeof run.accounts) =>
    accounts.find(({ account }) => account === `owner-${held}@example.com`)?.amount;
  expect([amountOf(run.accounts), amountOf(after.run.accounts)]).toEqual([350_000_000, 50_000_000]);
  expect((run.held?.accounts ?? 0) - (after.run.held?.accounts ?? 0)).toBe(1);
  expect((run.held?.total ?? 0) - (after.run.held?.total ?? 0)).toBe(300_000_000);
});

test("an admin who earns is named like every owner, and is not paid while blocked", async () => {
  const { deps, newPublisher, earn, payoutsOf } = somePayouts(pool, "1997-11-10T06:00:00Z");
  const account = await newPublisher();
  await pool.query("UPDATE memberships SET role = 'admin' WHERE account_id = $1", [account]);
  await pool.query("UPDATE payees SET method = 'Bank transfer ending 4417' WHERE account_id = $1", [account]);
  await pool.query(
    "UPDATE users SET blocked_at = now() WHERE id = (SELECT user_id FROM memberships WHERE account_id = $1)",
    [account],
  );
  await earn(account, "1997-10-31", 300);
  const { run } = await readAdminPayouts(deps, { search: "", p: 0 });
  expect(run.accounts).toContainEqual({
    account: `owner-${account}@example.com`,
    amount: 300_000_000,
    blocks: ["blocked"],
  });
  await runPayouts(deps);
  expect(await payoutsOf(account)).toEqual([]);
});
