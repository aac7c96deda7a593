import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { freePort } from "../../../platform/http/free-port.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { refreshPayouts } from "./order-payouts.ts";
import { readCashouts } from "./read-payouts.ts";
import { followPayouts, runPayouts } from "./run-payouts.ts";
import { scriptedProvider, somePayouts } from "./testing/some-payouts.ts";
import { soap, someTipalti } from "./testing/some-tipalti.ts";
import { payoutIdsOf, refCodeOf } from "./tipalti-ids.ts";
import { tipaltiProvider } from "./tipalti-provider.ts";

const { pool } = await testPostgres();
let year = 2000;

/** A publisher who earned $250.40 and a bit, whom Tipalti can pay, on the payout day. The months of other tests are closed. */
async function someEarner() {
  year++;
  const world = somePayouts(
    pool,
    `${year}-11-15T06:00:00Z`,
    Object.assign(scriptedProvider(), { id: "tipalti" as const }),
  );
  const { tipalti, account } = await someTipalti(world.deps);
  const provider = tipaltiProvider(account);
  const deps = { ...world.deps, provider };
  const accountId = await world.newPublisher();
  await world.earn(accountId, `${year}-10-31`, 250.405);
  const { rows } = await pool.query<{ payeeId: string }>(
    `SELECT payee_id AS "payeeId" FROM payees WHERE account_id = $1`,
    [accountId],
  );
  const payeeId = rows[0]?.payeeId ?? "";
  tipalti.payees.set(payeeId.replaceAll("-", ""), { method: "Wire Transfer", payable: "True" });
  /** Goes on for some minutes, as the job does. */
  const follow = async (minutes = 4) => {
    for (let minute = 1; minute <= minutes; minute++) {
      world.moveTo(new Date(deps.clock.now() + 120_000).toISOString());
      await followPayouts(deps);
    }
  };
  const is = async () => (await world.payoutsOf(accountId)).map((payout) => payout.replace(String(year), "Y"));
  return { ...world, deps, account, provider, tipalti, accountId, payeeId, follow, is };
}

test("the frame's address is signed over its whole query", async () => {
  const { provider, payeeId, account, deps } = await someEarner();
  const address = await provider.frameAddress({ payeeId, email: "ada+1@example.com", name: "Studio" });
  const [, query = "", hash] =
    /^https:\/\/frame\.tipalti\.test\/payeedashboard\/home\?(.*)&hashkey=([0-9a-f]{64})$/.exec(address) ?? [];
  expect(hash).toBe(createHmac("sha256", account.key).update(query).digest("hex"));
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
    payer: "Studio & Söhne",
    idap: payeeId.replaceAll("-", ""),
    ts: String(Math.floor(deps.clock.now() / 1000)),
    email: "ada+1@example.com",
  });
  expect(provider.frameOrigin).toBe("https://frame.tipalti.test");
});

test("a payout is ordered in whole cents with a signed call, and is paid once Tipalti says so", async () => {
  const { deps, tipalti, payeeId, accountId, follow, is, booksOf } = await someEarner();
  await runPayouts(deps);
  expect(await is()).toEqual(["Y-10 sent 250"]);
  const [refCode = ""] = tipalti.orders;
  expect(tipalti.payments.get(refCode)).toMatchObject({
    idap: payeeId.replaceAll("-", ""),
    amount: "250.40",
    currency: "USD",
  });
  await follow();
  expect(await is()).toEqual(["Y-10 sent 250"]);
  tipalti.payments.set(refCode, { ...(tipalti.payments.get(refCode) ?? expect.fail()), status: "Paid" });
  await follow();
  expect(await is()).toEqual(["Y-10 paid 250"]);
  expect(await booksOf(accountId)).toEqual({ publisher_balance: -0.005, payouts_due: 0 });
  expect([tipalti.orders.length, tipalti.forged]).toEqual([1, []]);
  expect((await readCashouts(deps, accountId, 0)).cashouts).toMatchObject([{ method: "Wire Transfer" }]);
});

const BOMB = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>${soap("ProcessPayments", "<errorCode>0</errorCode>&b;").split("?>")[1]}`;
const OUTSIDE = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${soap("ProcessPayments", "<errorCode>0</errorCode>&a;").split("?>")[1]}`;
const LINE = (refCode: string, status = "OK") =>
  soap(
    "ProcessPayments",
    `<errorCode>0</errorCode><linesResults><ExpandedLineResult><status>${status}</status><paymentOrderStatus>Submitted</paymentOrderStatus><refCode>${refCode}</refCode></ExpandedLineResult></linesResults>`,
  );
const ok = (body: string) => ({ status: 200, body });

test.each([
  ["is lost", "hang up" as const],
  ["never comes", "keep silent" as const],
  ["changes the protocol", "change the protocol" as const],
  ["is a failure", { status: 500, body: soap("ProcessPayments", "") }],
  ["leads elsewhere", { status: 307, body: "", location: "http://127.0.0.1:1/" }],
  ["is no XML", ok("<html><p>Please wait")],
  ["is empty", ok("")],
  ["is cut off", ok(LINE("X").slice(0, 300))],
  ["has entities that grow", ok(BOMB)],
  ["has entities from outside", ok(OUTSIDE)],
  ["has an unknown entity", ok(soap("ProcessPayments", "&x;"))],
  ["is huge", ok(soap("ProcessPayments", "x".repeat(300_000)))],
  ["is nested deeply", ok(soap("ProcessPayments", `${"<a>".repeat(2000)}${"</a>".repeat(2000)}`))],
  ["is about another function", ok(soap("TestPayments", "<errorCode>0</errorCode>"))],
  ["is about another payment", ok(LINE("0123456789ABCDEF"))],
  ["has no line", ok(soap("ProcessPayments", "<errorCode>0</errorCode>"))],
  ["is an unknown error", ok(soap("ProcessPayments", "<errorCode>UnknownError</errorCode>"))],
])("an order whose reply %s is never sent again, and is settled by asking", async (_, treatment) => {
  const { deps, tipalti, follow, is } = await someEarner();
  tipalti.treat = (name) => (name === "ProcessPayments" ? treatment : "answer");
  await runPayouts(deps);
  expect(await is()).toEqual(["Y-10 sending 250"]);
  tipalti.treat = () => "answer";
  await runPayouts(deps);
  await follow();
  expect(await is()).toEqual(["Y-10 sent 250"]);
  expect(tipalti.orders).toHaveLength(1);
});

test.each([
  "hang up",
  "keep silent",
  { status: 503, body: "" },
  ok(BOMB),
  ok("<"),
  ok(soap("GetPODetails", "")),
] as const)("a question that is answered by %j changes nothing", async (treatment) => {
  const { deps, tipalti, accountId, is } = await someEarner();
  await runPayouts(deps);
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM payouts WHERE account_id = $1", [accountId]);
  tipalti.treat = () => treatment;
  await refreshPayouts(deps, rows[0]?.id);
  expect(await is()).toEqual(["Y-10 sent 250"]);
  expect(tipalti.orders).toHaveLength(1);
});

test("a payout that was ordered before a backup was restored is recognised, and not ordered again", async () => {
  const { deps, tipalti, accountId, is, follow, booksOf } = await someEarner();
  await runPayouts(deps);
  const [refCode = ""] = tipalti.orders;
  tipalti.payments.set(refCode, { ...(tipalti.payments.get(refCode) ?? expect.fail()), status: "Paid" });
  // The backup is from before the payout.
  const client = await pool.connect();
  await client.query(
    `SET session_replication_role = replica;
     DELETE FROM ledger_lines WHERE posting_id IN (
       SELECT p.id FROM ledger_postings p JOIN payouts o ON p.reference = 'payout ' || o.id WHERE o.account_id = ${accountId});
     DELETE FROM ledger_postings p USING payouts o WHERE p.reference = 'payout ' || o.id AND o.account_id = ${accountId};
     DELETE FROM payouts WHERE account_id = ${accountId};
     SET session_replication_role = DEFAULT`,
  );
  client.release();
  await runPayouts(deps);
  await follow();
  expect(await is()).toEqual(["Y-10 paid 250"]);
  expect(tipalti.orders).toEqual([refCode]);
  expect(await booksOf(accountId)).toEqual({ publisher_balance: -0.005, payouts_due: 0 });
});

test("an order that Tipalti does not know waits, and is not sent again", async () => {
  const { deps, tipalti, follow, is } = await someEarner();
  tipalti.treat = (name) => (name === "ProcessPayments" ? "hang up" : "answer");
  await runPayouts(deps);
  tipalti.payments.clear();
  await follow(10);
  expect(await is()).toEqual(["Y-10 sending 250"]);
  expect(tipalti.orders).toHaveLength(1);
});

test("a refused connection or an unknown host proves that nothing was sent, and the order is sent later", async () => {
  const { deps, account, tipalti, follow, is } = await someEarner();
  const closed = `http://127.0.0.1:${await freePort("127.0.0.1")}`;
  for (const api of [closed, "http://tipalti.invalid"]) {
    const away = {
      ...deps,
      provider: tipaltiProvider({ ...account, hosts: { ...account.hosts, api }, timeoutMs: 15_000 }),
    };
    await pool.query(
      "UPDATE payees SET method = 'Wire Transfer' WHERE account_id = (SELECT max(account_id) FROM payees)",
    );
    await runPayouts(away);
    expect(await is()).toEqual(["Y-10 due 250"]);
  }
  await follow(1);
  expect(await is()).toEqual(["Y-10 sent 250"]);
  expect(tipalti.orders).toHaveLength(1);
});

test.each([
  [{ status: "Error", paymentOrderStatus: "", message: "The address is\n missing" }, "Tipalti: The address is missing"],
  [{ status: "Warning", paymentOrderStatus: "Deferred", message: "" }, "Tipalti: Deferred"],
])("what Tipalti refuses is back on the balance, with its reason: %j", async (line, reason) => {
  const { deps, tipalti, accountId, is, booksOf } = await someEarner();
  tipalti.line = line;
  await runPayouts(deps);
  expect(await is()).toEqual(["Y-10 rejected 250"]);
  expect(await booksOf(accountId)).toEqual({ publisher_balance: -250.405, payouts_due: 0 });
  expect((await readCashouts(deps, accountId, 0)).cashouts).toMatchObject([{ reason }]);
});

test.each([
  { status: "Error", paymentOrderStatus: "", message: "Duplicate reference code" },
  { status: "Error", paymentOrderStatus: "", message: "Unknown error" },
  { status: "Error", paymentOrderStatus: "Submitted", message: "" },
  { status: "Perhaps", paymentOrderStatus: "Submitted", message: "" },
])("a line that leaves a doubt returns no money: %j", async (line) => {
  const { deps, tipalti, is } = await someEarner();
  tipalti.line = line;
  await runPayouts(deps);
  expect(await is()).toEqual(["Y-10 sending 250"]);
});

test.each([
  ["Submitted", { is: "pending" }],
  ["Scheduled", { is: "pending" }],
  ["PendingPayerFunds", { is: "pending" }],
  ["FraudReview", { is: "pending" }],
  ["A status of tomorrow", { is: "pending" }],
  ["Paid", { is: "paid" }],
  ["Cleared", { is: "paid" }],
  ["Deferred", { is: "rejected", reason: "Tipalti: No tax form. No bank" }],
  ["Deferred (Internal)", { is: "rejected" }],
  ["Canceled", { is: "rejected" }],
  ["Rejected", { is: "rejected" }],
])("Tipalti's status %s is understood", async (status, standing) => {
  const { deps, provider, tipalti } = await someEarner();
  await runPayouts(deps);
  const [refCode = ""] = tipalti.orders;
  const messages = ["No tax form", "", "No bank"];
  tipalti.payments.set(refCode, { ...(tipalti.payments.get(refCode) ?? expect.fail()), status, messages });
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM payouts ORDER BY created_at DESC LIMIT 1");
  expect(await provider.ask(rows[0]?.id ?? "")).toMatchObject(standing);
});

test("a payee can be paid once Tipalti says so, and stays as it was while Tipalti is away", async () => {
  const { provider, tipalti, payeeId, deps, is } = await someEarner();
  const idap = payeeId.replaceAll("-", "");
  expect(await provider.methodOf(payeeId)).toBe("Wire Transfer");
  tipalti.payees.set(idap, { method: "Wire Transfer", payable: "False" });
  expect(await provider.methodOf(payeeId)).toBeNull();
  tipalti.payees.set(idap, { method: "NoPM", payable: "True" });
  expect(await provider.methodOf(payeeId)).toBeNull();
  tipalti.payees.delete(idap);
  expect(await provider.methodOf(payeeId)).toBeNull();
  await runPayouts(deps);
  expect(await is()).toEqual([]);
  for (const treatment of [
    "hang up",
    { status: 500, body: "" },
    ok(soap("GetExtendedPayeeDetails", "<errorCode>OK</errorCode>")),
  ] as const) {
    tipalti.treat = () => treatment;
    await expect(provider.methodOf(payeeId)).rejects.toThrow(/hang up|500|incomplete/);
  }
});

test("a wrong key orders nothing and returns no money", async () => {
  const { deps, account, tipalti, is, follow } = await someEarner();
  tipalti.treat = (name) => (name === "ProcessPayments" ? "hang up" : "answer");
  await runPayouts(deps);
  const wrong = { ...deps, provider: tipaltiProvider({ ...account, key: "another" }) };
  await follow(1);
  await runPayouts(wrong);
  await followPayouts(wrong);
  expect(await is()).toEqual(["Y-10 sent 250"]);
  expect(tipalti.forged.length).toBeGreaterThan(0);
  const order = {
    payoutId: crypto.randomUUID(),
    payeeId: crypto.randomUUID(),
    amountMicros: 10_000n,
    month: "2026-10",
  };
  expect(await wrong.provider.pay(order)).toEqual({ is: "unreached" });
  expect(await deps.provider.pay({ ...order, amountMicros: 10_001n })).toMatchObject({ is: "refused" });
});

test("a reference code is short, and leads back to its payout alone", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (payoutId, other) => {
      const code = refCodeOf(payoutId);
      expect(code).toMatch(/^[0-9A-V]{16}$/);
      const { first, last } = payoutIdsOf(code.toLowerCase()) ?? expect.fail();
      const isIn = (id: string) => id.replaceAll("-", "") >= first && id.replaceAll("-", "") <= last;
      expect([isIn(payoutId), isIn(other)]).toEqual([true, payoutId.slice(0, 24) === other.slice(0, 24)]);
    }),
  );
  for (const none of ["", "0123456789ABCDE", "0123456789ABCDEW", "0123456789ABCDEF0"])
    expect(payoutIdsOf(none)).toBeNull();
});
