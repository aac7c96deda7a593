import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { payDemoPast, registerDemoPayees } from "./demo-past.ts";
import { frameTickets } from "./frame-tickets.ts";
import { openPayoutFrame } from "./payees.ts";
import { readCashouts } from "./read-payouts.ts";
import { runPayouts } from "./run-payouts.ts";
import { sandboxProvider } from "./sandbox-provider.ts";
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

test("a demo's publishers get payout details, also if they have looked at the form, and keep those that they entered", async () => {
  const { deps, newPublisher } = somePayouts(pool, "2026-11-23T00:00:00Z");
  const { clock } = deps;
  const tickets = frameTickets(["a secret that only tests know, of 32 bytes or more"], clock);
  const sandbox = { pool, clock, tickets, sealer: testSealer, publicUrl: "https://ads.example", paysAfterMs: 0 };
  const [isNew, hasLooked, hasEntered] = [
    await newPublisher({ isRegistered: false }),
    await newPublisher({ isRegistered: false }),
    await newPublisher(),
  ];
  await pool.query("UPDATE accounts SET demo = true, can_apps = true WHERE id = ANY($1)", [
    [isNew, hasLooked, hasEntered],
  ]);
  await pool.query("UPDATE payees SET method = 'PayPal a…@example.com' WHERE account_id = $1", [hasEntered]);
  const registering = { ...deps, provider: sandboxProvider(sandbox) };
  await openPayoutFrame(registering, hasLooked);
  await registerDemoPayees(registering, sandbox);
  const { rows } = await pool.query("SELECT account_id, method FROM payees WHERE account_id = ANY($1) ORDER BY 1", [
    [isNew, hasLooked, hasEntered],
  ]);
  expect(rows).toEqual([
    { account_id: isNew, method: "Bank transfer ending 3000" },
    { account_id: hasLooked, method: "Bank transfer ending 3000" },
    { account_id: hasEntered, method: "PayPal a…@example.com" },
  ]);
});
