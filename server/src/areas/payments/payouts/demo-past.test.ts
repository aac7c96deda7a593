import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { payDemoPast } from "./demo-past.ts";
import { readCashouts } from "./read-payouts.ts";
import { runPayouts } from "./run-payouts.ts";
import { somePayouts } from "./testing/some-payouts.ts";

const { pool } = await testPostgres();

test("a demo's past is paid month by month, once, as its payout days would have", async () => {
  const { deps, provider, newPublisher, earn } = somePayouts(pool, "2026-11-23T00:00:00Z");
  const account = await newPublisher();
  for (const month of ["08", "09", "10", "11"]) await earn(account, `2026-${month}-20`, 200);
  await pool.query("UPDATE payees SET method = 'Bank transfer ending 4417'");
  provider.answers.ask = (payoutId) => ({ is: "paid", reference: payoutId });
  for (let nth = 0; nth < 2; nth++) await payDemoPast(deps, (clock) => ({ ...deps, clock }));
  await runPayouts(deps);
  const { cashouts } = await readCashouts(deps, account, 0);
  expect(cashouts.map(({ date, month, amount, status }) => `${date} ${month} ${amount} ${status}`)).toEqual([
    "2026-11-15T06:00:00.000Z 2026-10 200000000 accepted",
    "2026-10-15T06:00:00.000Z 2026-09 200000000 accepted",
    "2026-09-15T06:00:00.000Z 2026-08 200000000 accepted",
  ]);
});
