import { expect, onTestFinished, test } from "vitest";
import { buildServer } from "../../../platform/http/build-server.ts";
import { callLimits } from "../../../platform/http/call-limits.ts";
import { openJobs } from "../../../platform/jobs/index.ts";
import { silentLog } from "../../../platform/log.ts";
import { sealer } from "../../../platform/sealed/sealer.ts";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { newPerson } from "../../../testing/test-platform.ts";
import { openPayouts } from "./index.ts";
import { runPayouts } from "./run-payouts.ts";
import { scriptedProvider, somePayouts } from "./testing/some-payouts.ts";
import { someTipalti } from "./testing/some-tipalti.ts";
import { tipaltiNoticeRoute } from "./tipalti-notices.ts";
import { tipaltiProvider } from "./tipalti-provider.ts";

const { pool } = await testPostgres();
const SECRET = "a-secret-that-is-long-enough-for-tickets";
const JSON_ONLY = { accept: "application/json" };
let year = 2000;

/** A publisher whose payout Tipalti has taken, and the address for its notices. */
async function someOrdered() {
  year++;
  const world = somePayouts(
    pool,
    `${year}-11-15T06:00:00Z`,
    Object.assign(scriptedProvider(), { id: "tipalti" as const }),
  );
  const { tipalti, account } = await someTipalti(world.deps);
  const deps = { ...world.deps, provider: tipaltiProvider(account), tipalti: account };
  const accountId = await world.newPublisher();
  await world.earn(accountId, `${year}-10-31`, 250);
  const { rows } = await pool.query<{ payeeId: string }>(
    `SELECT payee_id AS "payeeId" FROM payees WHERE account_id = $1`,
    [accountId],
  );
  const idap = (rows[0]?.payeeId ?? "").replaceAll("-", "");
  tipalti.payees.set(idap, { method: "eCheck", payable: "True" });
  await runPayouts(deps);
  const [refCode = ""] = tipalti.orders;
  world.told.length = 0;
  const app = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async () => null,
    callLimits: callLimits(2),
  });
  onTestFinished(() => app.close());
  tipaltiNoticeRoute(app, deps);
  /** Brings a notice, and resolves with the status of the reply. */
  const bring = async (payload: string | Buffer) => {
    const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
    return (await app.inject({ method: "POST", url: "/payment/tipalti_notice", headers, payload })).statusCode;
  };
  /** Has Tipalti send one of its own. */
  const notify = (notice: string) => {
    tipalti.notices.add(notice);
    return bring(notice);
  };
  const become = (status: string) =>
    tipalti.payments.set(refCode, { ...(tipalti.payments.get(refCode) ?? expect.fail()), status });
  const is = async () => (await world.payoutsOf(accountId)).map((payout) => payout.split(" ")[1]);
  return { ...world, deps, tipalti, app, accountId, idap, refCode, bring, notify, become, is };
}

test("a confirmed notice leads to a question, and only the answer counts", async () => {
  const { tipalti, refCode, notify, become, is } = await someOrdered();
  const notice = `type=completed&key=a%20b+c&ref_code=${refCode}&amount_submitted=999999.00`;
  expect(await notify(notice)).toBe(200);
  expect([tipalti.sentBack, await is()]).toEqual([[notice], ["sent"]]);
  become("Paid");
  expect(await notify(notice)).toBe(200);
  expect(await is()).toEqual(["paid"]);
});

test("notices that are repeated, late and out of order move nothing back and pay nothing twice", async () => {
  const { tipalti, accountId, refCode, notify, become, is, booksOf, told } = await someOrdered();
  become("Paid");
  for (const type of ["completed", "payment_submitted", "deferred", "completed", "error", "payment_cancelled"])
    expect(await notify(`type=${type}&refcode=${refCode.toLowerCase()}`)).toBe(200);
  expect(await is()).toEqual(["paid"]);
  expect(await booksOf(accountId)).toEqual({ publisher_balance: 0, payouts_due: 0 });
  // The bank returns it.
  become("Rejected");
  for (let nth = 0; nth < 3; nth++) expect(await notify(`type=error&refcode=${refCode}`)).toBe(200);
  become("Paid");
  expect(await notify(`type=completed&refcode=${refCode}`)).toBe(200);
  expect(await is()).toEqual(["rejected"]);
  expect(await booksOf(accountId)).toEqual({ publisher_balance: -250, payouts_due: 0 });
  expect(told.filter((line) => line.startsWith("rejected"))).toHaveLength(1);
  expect(tipalti.orders).toHaveLength(1);
});

test("a forged notice asks about nothing, and strangers soon have to wait", async () => {
  const { tipalti, refCode, bring, become, is } = await someOrdered();
  become("Paid");
  const asked: string[] = [];
  tipalti.treat = (name) => {
    asked.push(name);
    return "answer";
  };
  const statuses: number[] = [];
  for (let nth = 0; nth < 11; nth++) statuses.push(await bring(`type=completed&ref_code=${refCode}&nth=${nth}`));
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
  expect([await is(), new Set(asked)]).toEqual([["sent"], new Set(["notice"])]);
});

test("a notice that was changed on its way is not confirmed", async () => {
  const { tipalti, refCode, bring, is } = await someOrdered();
  tipalti.notices.add(`type=payee_details_changed&payee_id=x`);
  expect(await bring(`type=payee_details_changed&payee_id=x&ref_code=${refCode}`)).toBe(400);
  expect(await is()).toEqual(["sent"]);
});

test.each([
  ["does not answer", "keep silent"],
  ["hangs up", "hang up"],
  ["fails", { status: 500, body: "VERIFIED" }],
  ["says something else", { status: 200, body: "<html>VERIFIED</html>" }],
  ["leads elsewhere", { status: 302, body: "VERIFIED", location: "http://127.0.0.1:1/" }],
] as const)("a notice is taken again later if Tipalti %s when it is to confirm it", async (_, treatment) => {
  const { tipalti, refCode, notify, become, is } = await someOrdered();
  become("Paid");
  tipalti.treat = (name) => (name === "notice" ? treatment : "answer");
  expect(await notify(`ref_code=${refCode}`)).toBe(503);
  expect(await is()).toEqual(["sent"]);
  tipalti.treat = () => "answer";
  expect(await notify(`ref_code=${refCode}`)).toBe(200);
  expect(await is()).toEqual(["paid"]);
});

test("a notice is taken again later if what it names cannot be asked about, so that a bank's return is not missed", async () => {
  const { tipalti, refCode, idap, notify, become, is } = await someOrdered();
  become("Paid");
  expect(await notify(`ref_code=${refCode}`)).toBe(200);
  become("Rejected");
  tipalti.treat = (name) => (name === "notice" ? "answer" : "hang up");
  expect(await notify(`ref_code=${refCode}`)).toBe(503);
  expect(await notify(`payee_id=${idap}`)).toBe(503);
  tipalti.treat = () => "answer";
  expect(await notify(`ref_code=${refCode}`)).toBe(200);
  expect(await is()).toEqual(["rejected"]);
});

test("a payee who can be paid no more, or again, is asked about and told", async () => {
  const { tipalti, idap, notify, told } = await someOrdered();
  tipalti.payees.set(idap, { method: "eCheck", payable: "False" });
  for (let nth = 0; nth < 2; nth++)
    expect(await notify(`type=payee_details_changed&payee_id=${idap}&is_payable=TRUE`)).toBe(200);
  tipalti.payees.set(idap, { method: "PayPal", payable: "True" });
  expect(await notify(`type=payee_details_changed&payee_id=${idap}&is_payable=FALSE`)).toBe(200);
  expect(told).toEqual(["method null", "method PayPal"]);
});

test("a notice that is about nothing of ours is confirmed and left alone", async () => {
  const { tipalti, notify, is } = await someOrdered();
  for (const notice of [
    "type=bill_updated&bill_refcode=pi_12345",
    "type=payer_fees&ref_code=0000000000000000&payee_id=00000000000000000000000000000000",
    "%%%=%E0&&==",
    "payee_id='; DROP TABLE payouts; --",
  ])
    expect(await notify(notice)).toBe(200);
  expect([await is(), tipalti.sentBack.length]).toEqual([["sent"], 4]);
});

test("a notice above 16 KB or without a body is refused, and never sent on", async () => {
  const { tipalti, app, bring } = await someOrdered();
  expect(await bring(`x=${"a".repeat(16 * 1024)}`)).toBe(413);
  expect((await app.inject({ method: "POST", url: "/payment/tipalti_notice" })).statusCode).toBe(400);
  expect(tipalti.sentBack).toEqual([]);
});

test("at most eight notices are being confirmed at once", async () => {
  const { tipalti, notify, refCode } = await someOrdered();
  tipalti.treat = (name) => (name === "notice" ? "keep silent" : "answer");
  const many = Array.from({ length: 20 }, (_, nth) => notify(`ref_code=${refCode}&nth=${nth}`));
  expect(await Promise.all(many)).toEqual(Array<number>(20).fill(503));
  expect(tipalti.sentBack).toHaveLength(8);
  tipalti.treat = () => "answer";
  expect(await notify(`ref_code=${refCode}`)).toBe(200);
});

test.each([
  [{ payer: "Studio", key: "k", sandbox: true }, "https://ui2.sandbox.tipalti.com", "tipalti"],
  [undefined, "https://millrace.example", "sandbox"],
] as const)("with the account %j publishers get the frame of %s", async (account, origin, provider) => {
  const { userId, accountId } = await newPerson(pool, `${provider}@example.com`);
  const caller = someCaller({ userId, accountId });
  const payouts = openPayouts({
    pool,
    clock: { now: Date.now },
    log: silentLog,
    sealer: sealer([SECRET]),
    secrets: [SECRET],
    payouts: { day: 15, minimumMicros: 100_000_000 },
    tipalti: account,
    fontPath: null,
    demo: false,
    mailer: { send: async () => {}, forget: async () => 0, close: async () => {} },
    jobs: openJobs({ pool, log: silentLog }),
    publicUrl: "https://millrace.example",
    operatorName: "Example Ads",
    operatorAddress: undefined,
    providerNames: async () => new Map(),
  });
  const app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => caller });
  onTestFinished(() => app.close());
  payouts.routes(app);
  const frame = await app.inject({ method: "POST", url: "/payment/register_to_tipalti" });
  const { url, origin: given } = frame.json<{ url: string; origin: string }>();
  expect([given, new URL(url).origin]).toEqual([origin, origin]);
  expect((await app.inject({ url: "/payment/next.json", headers: JSON_ONLY })).json()).toMatchObject({ provider });
  const stored = await pool.query("SELECT provider FROM payees WHERE account_id = $1", [caller.accountId]);
  expect(stored.rows).toEqual([{ provider }]);
  if (provider === "sandbox")
    expect((await app.inject({ method: "POST", url: "/payment/tipalti_notice", payload: "x=1" })).statusCode).toBe(400);
});
