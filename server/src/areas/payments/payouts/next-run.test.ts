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
