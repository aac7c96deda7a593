import { DEMO_MONEY, type Role } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { fairQueue } from "../../platform/fair-queue.ts";
import { buildServer } from "../../platform/http/build-server.ts";
import { silentLog } from "../../platform/log.ts";
import { someCaller } from "../../platform/testing/some-caller.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import { readBalanceHistory } from "./balance-history.ts";
import { campaignBalanceOf } from "./balances.ts";
import { paymentRoutes } from "./routes.ts";

const { pool } = await testPostgres();
const clock = { now: Date.now };
const money = someMoney(pool);

/** The served routes. The headers have the caller's account and role. */
async function serverOf(demo: boolean) {
  const app = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async ({ headers }) =>
      someCaller({ accountId: Number(headers["x-account"]), role: headers["x-role"] as Role }),
  });
  paymentRoutes(app, {
    pool,
    clock,
    demo,
    publicUrl: "https://ads.example.com",
    providerNames: async () => new Map(),
    revenueSharePpm: 800_000,
    tellAdmins: async () => {},
    turns: fairQueue({ atOnce: 8, perKey: 4, waitingPerKey: 100, waitMs: 20_000, busyText: "Come back" }),
  });
  afterAll(() => app.close());
  return async (accountId: number, role: Role = "owner") => {
    const headers = { "x-account": String(accountId), "x-role": role, accept: "application/json" };
    const reply = await app.inject({ method: "POST", url: "/payment/demo_money", headers });
    return { status: reply.statusCode, body: reply.json<unknown>() };
  };
}
const fill = await serverOf(true);
const fillElsewhere = await serverOf(false);

test("an advertiser of a demo fills the balance up, which is a refill in the history and an act in the audit log", async () => {
  const account = await money.newAccount(400_000_000);
  expect(await fill(account)).toEqual({ status: 200, body: { balance: DEMO_MONEY } });
  const { history } = await readBalanceHistory({ pool, clock }, account, 0);
  expect(history[0]).toMatchObject({ type: "refill", amount: 600_000_000, balance: DEMO_MONEY, comment: "Demo money" });
  const acts = await pool.query("SELECT action FROM audit_log WHERE account_id = $1", [account]);
  expect(acts.rows).toEqual([{ action: "demo_money_added" }]);
});

test("a full balance is refused, also to the second of two clicks at once", async () => {
  const account = await money.newAccount(0);
  const replies = await Promise.all([fill(account), fill(account)]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await fill(account)).toEqual({
    status: 409,
    body: { error: "The balance already has $1,000.00 or more" },
  });
  expect(await campaignBalanceOf(pool, account)).toBe(DEMO_MONEY);
});

test("outside demo mode there is no demo money, and in a demo none for guests", async () => {
  const account = await money.newAccount(0);
  expect(await fillElsewhere(account)).toEqual({
    status: 422,
    body: { error: "This platform has no demo money" },
  });
  expect((await fill(account, "GST")).status).toBe(403);
  expect(await campaignBalanceOf(pool, account)).toBe(0);
});
