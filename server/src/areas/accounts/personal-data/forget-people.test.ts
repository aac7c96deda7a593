import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { campaignBalanceOf, refillCampaignBalance } from "../../payments/index.ts";
import { asUser } from "../testing/as-user.ts";
import { PASSWORD, cookieOf } from "../testing/accounts-server.ts";
import { deletionServer } from "../testing/deletion-server.ts";
import { newMember } from "../testing/new-member.ts";
import { ticketIn, ticketTo } from "../testing/ticket-links.ts";

/** A disputed and answered deduction of an account's app, which is made for it. */
async function newDispute(accountId: number, userId: number, word: string): Promise<string> {
  const { rows } = await pg.pool.query<{ uuid: string }>(
    `WITH app AS (
       INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'A', gen_random_uuid(), 'ios') RETURNING id
     )
     INSERT INTO deductions (key, account_id, app_id, provider, day, reason, amount_micros, explanation, auctions, state,
       noted_at, dispute_until, dispute, disputed_at, disputed_by, answer, answered_at)
     SELECT gen_random_uuid(), $1, app.id, '', '2026-11-18', 'invalid_traffic', 5, 'Clicks from a data centre', '{}',
       'upheld', now(), now(), 'I am ' || $3, now(), $2, 'Dear ' || $3, now() FROM app RETURNING uuid`,
    [accountId, userId, word],
  );
  return rows[0]?.uuid ?? expect.fail();
}

// After a deletion nothing about the user is left anywhere, and nothing comes back.

const pg = await testPostgres();
const { app, set, closed, mails, owner, remove, traces, signUp } = await deletionServer(pg.pool);

test("of a removed person without another account, no address stays in the log and no mail in the store", async () => {
  const { ask, accountId } = await owner();
  const email = "quillon@example.com";
  const { userId } = await newMember(pg.pool, accountId, { email, role: "manager" });
  const { rows } = await pg.pool.query<{ uuid: string }>("SELECT uuid FROM users WHERE id = $1", [userId]);
  const theirs = await asUser(app, email);
  await theirs("POST", "/profile/edit.json", { name: "name", value: "Quillon" });
  const logged = () =>
    pg.pool.query("SELECT FROM audit_log WHERE actor_user_id = $1 AND address IS NOT NULL", [userId]);
  expect((await logged()).rowCount).toBeGreaterThan(0);
  expect((await ask("POST", `/manager/${rows[0]?.uuid}/delete`)).statusCode).toBe(200);
  expect((await logged()).rowCount).toBe(0);
  expect(await traces("quillon")).toEqual([]);
});

test("after a deletion the user is in no table, job or mail; the money stays with a nameless account", async () => {
  const { ask, email, word, userId, accountId } = await owner();
  await inTransaction(pg.pool, (client) =>
    refillCampaignBalance(client, {
      key: "money",
      accountId,
      amountMicros: 7_000_000,
      reason: "paid by transfer",
      actorUserId: userId,
      at: new Date(),
    }),
  );
  await pg.pool.query("UPDATE users SET surname = $2, phone = '+4930123456' WHERE id = $1", [userId, word]);
  await pg.pool.query(
    "INSERT INTO social_identities (service, subject, user_id, email) VALUES ('google', $1, $2, $3)",
    [`sub-${word}`, userId, email],
  );
  await pg.pool.query(
    `INSERT INTO social_requests (reqid, binding_hash, service, payload, expires_at)
     VALUES ('r1', 'h', 'google', $1, now() + interval '1 hour')`,
    [JSON.stringify({ step: "identity", subject: `sub-${word}` })],
  );
  await pg.pool.query("UPDATE accounts SET developer_domain = $2 WHERE id = $1", [accountId, `${word}.example`]);
  await pg.pool.query(
    `WITH app AS (
       INSERT INTO apps (account_id, name, bundle_id, platform, test_devices, reward_callback_url)
       VALUES ($1, 'A', 'b.c', 'ios', ARRAY[$2], 'https://' || $2 || '.example/reward') RETURNING id
     ), webhook AS (
       INSERT INTO revenue_webhooks (app_id, url, place, next_at) SELECT id, 'https://' || $2, '0~0~', now() FROM app
     )
     INSERT INTO reward_callbacks (transaction_id, app_id, url, earned_at, next_at)
     SELECT 't-' || $2, id, 'https://' || $2, now(), now() FROM app`,
    [accountId, word],
  );
  const dispute = await newDispute(accountId, userId, word);
  await newMember(pg.pool, accountId, { email: `manager-${email}`, role: "manager" });
  await ask("POST", "/profile/guest/add", { role_code: "GST" });
  await ask("POST", "/profile/access_token");
  await ask("POST", "/profile/export_data");
  await ask("POST", "/profile/edit.json", { name: "password", value: "a-new-password" });
  await ask("POST", "/manager/add_manager", { email: "guest@example.org", name: word });
  await ticketTo(mails, "guest@example.org");
  // Notices arrive along with the link, in any order.
  await expect
    .poll(async () => (await mails()).some((mail) => mail.to === email && ticketIn(mail) !== undefined), {
      timeout: 30_000,
    })
    .toBe(true);
  // The reply waits for running jobs only so long; the tests below delete while there are some.
  await expect
    .poll(async () => (await pg.pool.query("SELECT FROM pgboss.job WHERE state <> 'completed'")).rowCount, {
      timeout: 30_000,
    })
    .toBe(0);
  expect((await traces(word)).length).toBeGreaterThan(10);

  const reply = await remove(ask, { email, password: PASSWORD });
  expect([reply.statusCode, reply.json()]).toEqual([200, { ok: 1, redirect_uri: "/" }]);
  expect(reply.cookies).toMatchObject([{ name: "millrace", value: "" }]);
  expect(await traces(word, "+4930123456")).toEqual([]);

  expect(closed).toContain(accountId);
  const { rows: left } = await pg.pool.query(
    "SELECT state, amount_micros::int AS amount, dispute, disputed_by, answer FROM deductions WHERE uuid = $1",
    [dispute],
  );
  expect(left).toEqual([{ state: "upheld", amount: 5, dispute: null, disputed_by: null, answer: null }]);
  expect(await campaignBalanceOf(pg.pool, accountId)).toBe(7_000_000);
  const { rows } = await pg.pool.query("SELECT name, deleted_at IS NOT NULL AS gone FROM accounts WHERE id = $1", [
    accountId,
  ]);
  expect(rows).toEqual([{ name: "Deleted account", gone: true }]);
  for (const table of ["memberships", "sessions", "access_tokens", "personal_exports", "tickets"]) {
    const left = await pg.pool.query(`SELECT 1 FROM ${table} WHERE account_id = $1`, [accountId]);
    expect([table, left.rowCount]).toEqual([table, 0]);
  }
  expect((await ask("GET", "/session.json")).statusCode).toBe(401);
  await expect(cookieOf(app, email)).rejects.toThrow("422");
  const { rows: acts } = await pg.pool.query(
    "SELECT 1 FROM audit_log WHERE action = 'account_deleted' AND account_id = $1",
    [accountId],
  );
  expect(acts).toHaveLength(1);
}, 90_000);

test("what a manager wrote about another account's deduction goes with the manager, and its answer stays", async () => {
  const [manager, other] = [await owner(), await owner()];
  await pg.pool.query("INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, 'manager')", [
    manager.userId,
    other.accountId,
  ]);
  const dispute = await newDispute(other.accountId, manager.userId, "somebody");
  expect((await remove(manager.ask, { email: manager.email, password: PASSWORD })).statusCode).toBe(200);
  const { rows } = await pg.pool.query("SELECT dispute, answer FROM deductions WHERE uuid = $1", [dispute]);
  expect(rows).toEqual([{ dispute: null, answer: "Dear somebody" }]);
});

test("mails about deductions that wait are not sent after a deletion", async () => {
  const { ask, email, userId, accountId, word } = await owner();
  const uuid = await newDispute(accountId, userId, word);
  await pg.pool.query("INSERT INTO pgboss.job (name, data) VALUES ('forget-people', $1)", [{ uuid }]);
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
  const { rowCount } = await pg.pool.query("SELECT FROM pgboss.job WHERE data @> $1", [{ uuid }]);
  expect(rowCount).toBe(0);
});

test("a deletion removes a person's addresses from the audit log and keeps the entries", async () => {
  const { ask, email, userId } = await owner();
  const acts = async () => {
    const { rows } = await pg.pool.query<{ acts: number; addresses: number }>(
      "SELECT count(*)::int AS acts, count(address)::int AS addresses FROM audit_log WHERE actor_user_id = $1",
      [userId],
    );
    return rows[0];
  };
  await ask("POST", "/profile/export_data");
  const before = await acts();
  expect(before?.addresses).toBeGreaterThan(0);
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
  expect(await acts()).toEqual({ acts: (before?.acts ?? 0) + 1, addresses: 0 });
});

test("pending mails, exports and sign-ups leave nothing behind after a deletion", async () => {
  const { ask, email, word } = await owner();
  set.mailTakesMs = 700;
  try {
    await ask("POST", "/profile/export_data");
    await app.inject({ method: "POST", url: "/remind.json", payload: { email } });
    await signUp(email, word);
    await ask("POST", "/profile/edit.json", { name: "password", value: "a-new-password" });
    await ask("POST", "/manager/add_manager", { email: "late@example.org", name: word });
    // Some of these are being mailed by now, others wait.
    const running = await pg.pool.query("SELECT 1 FROM pgboss.job WHERE state = 'active'");
    expect(running.rowCount).toBeGreaterThan(0);
    expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
    expect(await traces(word)).toEqual([]);
    await pause(2000);
    expect(await traces(word)).toEqual([]);
    const { rows } = await pg.pool.query("SELECT name FROM pgboss.job WHERE state <> 'completed'");
    expect(rows).toEqual([]);
  } finally {
    set.mailTakesMs = 0;
  }
}, 30_000);

test("slow erasure continues in a job that names nobody", async () => {
  const { ask, email, word } = await owner();
  set.mailTakesMs = 8000;
  try {
    await app.inject({ method: "POST", url: "/remind.json", payload: { email } });
    await expect
      .poll(async () => (await pg.pool.query("SELECT 1 FROM pgboss.job WHERE state = 'active'")).rowCount)
      .toBeGreaterThan(0);
    // The mail takes longer than the reply waits.
    expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
    const left = await pg.pool.query("SELECT name FROM pgboss.job WHERE name = 'forget-people'");
    expect(left.rowCount).toBe(1);
    expect((await traces(word)).filter((trace) => trace.includes("forget-people"))).toEqual([]);
    await pg.pool.query("UPDATE pgboss.job SET start_after = now() WHERE name = 'forget-people'");
    await expect
      .poll(async () => (await pg.pool.query("SELECT 1 FROM pgboss.job WHERE state <> 'completed'")).rowCount, {
        timeout: 15_000,
      })
      .toBe(0);
    expect(await traces(word)).toEqual([]);
  } finally {
    set.mailTakesMs = 0;
  }
}, 40_000);

test("other users lose nothing", async () => {
  const { ask, email } = await owner();
  const neighbour = await owner();
  await app.inject({ method: "POST", url: "/remind.json", payload: { email: neighbour.email } });
  await ticketTo(mails, neighbour.email);
  const before = await traces(neighbour.word);
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
  expect(await traces(neighbour.word)).toEqual(before);
});

test("one of several simultaneous deletions deletes, and a member who joins at that moment is deleted too", async () => {
  const { ask, email, word } = await owner();
  await ask("POST", "/manager/add_manager", { email: `${word}@example.org`, name: word });
  const ticket = await ticketTo(mails, `${word}@example.org`);
  const [joined, added, ...replies] = await Promise.all([
    app.inject({ method: "POST", url: `/ticket/${ticket}.json`, payload: { pass: PASSWORD, pass_confirm: PASSWORD } }),
    ask("POST", "/profile/guest/add", { role_code: "GST" }),
    ...Array.from({ length: 4 }, () => remove(ask, { email, password: PASSWORD })),
  ]);
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  for (const { statusCode } of [joined, added, ...replies]) expect(statusCode).toBeLessThan(500);
  expect(await traces(word)).toEqual([]);
});

test("a manager who is accepting an invitation is waited for and deleted too", async () => {
  const { ask, email, word, accountId } = await owner();
  await ask("POST", "/manager/add_manager", { email: `${word}@example.org`, name: word });
  await ticketTo(mails, `${word}@example.org`);
  const joining = await pg.pool.connect();
  try {
    // Pauses the use of a link halfway.
    await joining.query("BEGIN");
    await joining.query("UPDATE tickets SET activated_at = now(), payload = '{}' WHERE email = $1", [
      `${word}@example.org`,
    ]);
    const deletion = remove(ask, { email, password: PASSWORD });
    await pause(300);
    await joining.query(
      `WITH person AS (INSERT INTO users (email, name) VALUES ($1, $2) RETURNING id)
       INSERT INTO memberships (user_id, account_id, role) SELECT id, $3, 'manager' FROM person`,
      [`${word}@example.org`, word, accountId],
    );
    await joining.query("COMMIT");
    expect((await deletion).statusCode).toBe(200);
  } finally {
    joining.release();
  }
  expect(await traces(word)).toEqual([]);
});
