import { expect, test } from "vitest";
import { sealer } from "../../../platform/sealed/sealer.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../../testing/test-platform.ts";
import { frameTickets } from "./frame-tickets.ts";
import { erasePayee } from "./payees.ts";
import { sandboxProvider } from "./sandbox-provider.ts";

const SECRET = "a-secret-that-is-long-enough-for-sealing";
const { pool, url, ask } = await testPlatform(await testStores(), { MILLRACE_SECRET: SECRET });
const clock = { now: () => Date.now() };
const provider = sandboxProvider({
  pool,
  clock,
  sealer: sealer([SECRET]),
  tickets: frameTickets([SECRET], clock),
  publicUrl: url,
  paysAfterMs: null,
});
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const adminAs = { cookie: await sessionOf(pool, admin) };
const BANK = { method: "bank", holder: "Ada Lovelace", account: "DE89370400440532013000" };

let people = 0;
/** A payout that was ordered with these details, or with none. */
async function newPayout({
  details = BANK,
  state = "sent",
  by = "sandbox",
}: { details?: object | null; state?: string; by?: string } = {}) {
  const person = await newPerson(pool, `publisher-${++people}@example.com`);
  const as = { cookie: await sessionOf(pool, person) };
  const { body } = await ask(as, "POST", "/payment/register_to_tipalti");
  const frame = new URL(String(body["url"])).pathname;
  const [payeeId = ""] = (frame.split("/").at(-1) ?? "").split(".");
  if (details) await ask(as, "POST", frame, details);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO payouts (account_id, period, amount_micros, provider, payee_id, method, state, created_at, changed_at, details)
     VALUES ($1, '2020-01-01', 70000000, $2, $3, 'Bank transfer ending 3000', $4, now(), now(),
       (SELECT details FROM sandbox_payees WHERE payee_id = $3)) RETURNING id`,
    [person.accountId, by, payeeId, state],
  );
  const id = rows[0]?.id ?? expect.fail();
  await provider.pay({ payoutId: id, payeeId, amountMicros: 70_000_000n, month: "2020-01" });
  const show = (who: { cookie?: string } = adminAs) => ask(who, "POST", `/admin/payouts/${id}/where_to_pay`);
  return { ...person, as, frame, id, show };
}

test("an admin sees where to pay a payout by hand, and the audit log has who saw it, without the details", async () => {
  const { id, accountId, as, show } = await newPayout();
  const { status, body } = await show();
  expect([status, body]).toEqual([200, BANK]);
  expect((await show(as)).status).toBe(403);
  const acts = await pool.query(
    `SELECT actor_user_id AS actor, account_id AS account, details FROM audit_log
     WHERE action = 'payout_details_shown' AND subject = $1`,
    [id],
  );
  expect(acts.rows).toEqual([{ actor: admin.userId, account: accountId, details: {} }]);
  expect(JSON.stringify((await ask(adminAs, "GET", "/admin/payouts.json")).body)).not.toContain(BANK.account);
  const kept = await pool.query<{ details: Buffer }>("SELECT details FROM sandbox_payments WHERE payout_id = $1", [id]);
  expect(kept.rows[0]?.details.toString("latin1")).not.toContain("3704");
});

test.each([
  ["an accepted payout waits for an admin", {}, false, { by_hand: true, askable: false }],
  ["one in flight does not yet", { state: "sending" }, false, { askable: true }],
  ["one of Tipalti does not", { by: "tipalti" }, false, { askable: false }],
  ["one of a former demo does not", {}, true, { askable: true }],
] as const)("of payouts on a platform where admins pay by hand, %s", async (_, some, demo, expected) => {
  const { id, accountId } = await newPayout(some);
  await pool.query("UPDATE accounts SET demo = $2 WHERE id = $1", [accountId, demo]);
  const { body } = await ask(adminAs, "GET", "/admin/payouts.json");
  const { by_hand, askable } = (body["payouts"] as Record<string, unknown>[]).find((row) => row["id"] === id) ?? {};
  expect({ by_hand, askable }).toEqual({ by_hand: undefined, ...expected });
});

test("a payout goes where it was ordered to, even if its payee enters something else or is deleted", async () => {
  const { accountId, as, frame, show } = await newPayout();
  await ask(as, "POST", frame, { method: "paypal", holder: "Jack", account: "jack@example.com" });
  expect((await show()).body).toEqual(BANK);
  await inTransaction(pool, (client) => erasePayee(client, accountId));
  expect((await show()).body).toEqual(BANK);
});

test.each([true, false])("where a payout went is erased once it is settled, paid or not: %j", async (paid) => {
  const { id, show } = await newPayout();
  await ask(adminAs, "POST", `/admin/payouts/${id}/settle`, { paid, reason: "By hand" });
  expect((await show()).status).toBe(409);
  const kept = await pool.query("SELECT details FROM sandbox_payments WHERE payout_id = $1", [id]);
  expect(kept.rows).toEqual([{ details: null }]);
});

test("what is not paid by hand, or was ordered without details, has nothing to show", async () => {
  for (const other of [{ by: "tipalti" }, { state: "paid" }, { state: "due" }, { details: null }])
    expect((await (await newPayout(other)).show()).status).toBe(409);
  expect((await ask(adminAs, "POST", `/admin/payouts/${crypto.randomUUID()}/where_to_pay`)).status).toBe(404);
  expect((await pool.query("SELECT FROM audit_log WHERE action = 'payout_details_shown'")).rowCount).toBe(3);
});

test("a payment made by hand that the bank returns is noted by an admin, and its money is back on the balance once", async () => {
  const { id, as } = await newPayout();
  const settle = (paid: boolean, reason: string) =>
    ask(adminAs, "POST", `/admin/payouts/${id}/settle`, { paid, reason });
  const listed = async () => {
    const { body } = await ask(adminAs, "GET", "/admin/payouts.json");
    return (body["payouts"] as { id: string }[]).find((payout) => payout.id === id);
  };
  expect((await settle(true, "By hand")).body).toEqual({ state: "paid" });
  expect(await listed()).toMatchObject({ state: "paid", settleable: true });
  expect((await settle(true, "By hand again")).status).toBe(409);

  expect((await settle(false, "The account is closed")).body).toEqual({ state: "rejected" });
  expect(await listed()).toMatchObject({ state: "rejected", settleable: false });
  expect((await settle(false, "The account is closed")).status).toBe(409);
  expect((await ask(as, "GET", "/payment/next.json")).body).toMatchObject({ balance: 70_000_000, paid: 0 });
  expect((await ask(as, "GET", "/payment/cashouts_history.json")).body).toMatchObject({
    cashouts: [{ status: "rejected", reason: "The account is closed" }],
  });
});

test("an admin finds a payout by its owner's e-mail or by where it went", async () => {
  const [first, second] = [await newPayout(), await newPayout()];
  await pool.query("UPDATE payouts SET method = 'Bank transfer ending 4417' WHERE id = $1", [second.id]);
  const found = async (search: string) => {
    const { body } = await ask(adminAs, "GET", `/admin/payouts.json?search=${encodeURIComponent(search)}`);
    return (body["payouts"] as { id: string }[]).map(({ id }) => id);
  };
  expect(await found(first.email.toUpperCase())).toEqual([first.id]);
  expect(await found("ending 4417")).toEqual([second.id]);
  expect(await found("nobody@example.com")).toEqual([]);
});
