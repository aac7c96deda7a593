import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Profile, ROLES, TEXTS } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { silentLog } from "../../../platform/log.ts";
import { openMailer, readMailbox } from "../../../platform/mail/index.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { campaignBalanceOf, refillCampaignBalance } from "../../payments/index.ts";
import { PASSWORD, accountsServer, cookieOf, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { giveAuthenticator, testSealer } from "../testing/give-authenticator.ts";
import { asVisitor, newMember } from "../testing/new-member.ts";
import { ticketIn, ticketTo } from "../testing/ticket-links.ts";
import { tracesOf } from "../testing/traces-of.ts";

const { pg } = await testStores();
const mailDir = await mkdtemp(join(tmpdir(), "millrace-mail-"));
afterAll(() => rm(mailDir, { recursive: true }));
const files = await openMailer({
  smtpUrl: undefined,
  from: "Millrace <mail@millrace.example>",
  dir: mailDir,
  log: silentLog,
});
/** Mails take as long as a slow mail server lets them. */
let mailTakesMs = 0;
const closed: number[] = [];
let unclosable = -1;
const { app } = await accountsServer(pg.pool, {
  sealer: testSealer,
  mailer: {
    ...files,
    send: async (mail) => {
      await pause(mailTakesMs);
      await files.send(mail);
    },
  },
  closeAccount: async (_, accountId) => {
    if (accountId === unclosable) throw new Error("cannot be closed");
    closed.push(accountId);
  },
});
const mails = () => readMailbox(mailDir);

let number = 0;
/** An owner with a name and an e-mail that nobody else has a part of. */
async function owner() {
  const word = `zebulon${String.fromCodePoint(97 + (number % 26))}${"x".repeat(number++ % 7)}q`;
  const email = `${word}@example.com`;
  const made = await newOwner(pg.pool, email);
  const ask = await asUser(app, email);
  await pg.pool.query("UPDATE accounts SET name = $2 WHERE id = $1", [made.accountId, `Inc of ${word}`]);
  expect((await ask("POST", "/profile/edit.json", { name: "name", value: word })).statusCode).toBe(200);
  return { ...made, email, word, ask };
}
const remove = (ask: Ask, proof: object) => ask("POST", "/profile/delete_account", proof);
const traces = (...words: string[]) => tracesOf(pg.pool, mailDir, words);
const signUp = (email: string, name = "Again") =>
  app.inject({
    method: "POST",
    url: "/reg.json",
    payload: { email, name, password: PASSWORD, passConfirm: PASSWORD, role: "NEW", agree: true },
  });

test("after a deletion the person is in no table, no job and no mail; the money stays with a nameless account", async () => {
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
  await pg.pool.query("INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'A', 'b.c', 'ios')", [
    accountId,
  ]);
  await newMember(pg.pool, accountId, { email: `manager-${email}`, role: "manager" });
  await ask("POST", "/profile/guest/add", { role_code: "GST" });
  await ask("POST", "/profile/access_token");
  await ask("POST", "/profile/export_data");
  await ask("POST", "/profile/edit.json", { name: "password", value: "a-new-password" });
  await ask("POST", "/manager/add_manager", { email: "guest@example.org", name: word });
  await ticketTo(mails, "guest@example.org");
  // Notices come to it beside the link, in any order.
  await expect
    .poll(async () => (await mails()).some((mail) => mail.to === email && ticketIn(mail) !== undefined), {
      timeout: 10_000,
    })
    .toBe(true);
  expect((await traces(word)).length).toBeGreaterThan(10);

  const reply = await remove(ask, { email, password: PASSWORD });
  expect([reply.statusCode, reply.json()]).toEqual([200, { ok: 1, redirect_uri: "/" }]);
  expect(reply.cookies).toMatchObject([{ name: "millrace", value: "" }]);
  expect(await traces(word, "+4930123456")).toEqual([]);

  expect(closed).toContain(accountId);
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
});

test("where a deleted person acted from is gone from the audit log, and what they did is not", async () => {
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

test("it stays gone: mails, exports and sign-ups that were on their way leave nothing behind", async () => {
  const { ask, email, word } = await owner();
  mailTakesMs = 700;
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
    mailTakesMs = 0;
  }
}, 30_000);

test("the same e-mail can sign up anew, and is somebody new", async () => {
  const { ask, email, userId } = await owner();
  await remove(ask, { email, password: PASSWORD });
  expect((await signUp(email)).statusCode).toBe(200);
  const ticket = await ticketTo(mails, email);
  const payload = { pass: PASSWORD, pass_confirm: PASSWORD };
  const opened = await app.inject({ method: "POST", url: `/ticket/${ticket}.json`, payload });
  expect(opened.statusCode).toBe(200);
  const profile = (await (await asUser(app, email))("GET", "/profile.json")).json<Profile>();
  expect(profile).toMatchObject({ email, name: "Again", surname: "", sub_users: [] });
  const { rows } = await pg.pool.query<{ id: number }>("SELECT id FROM users WHERE email = $1", [email]);
  expect(rows[0]?.id).not.toBe(userId);
});

test("what takes longer than the reply waits is forgotten by a job, which names nobody", async () => {
  const { ask, email, word } = await owner();
  mailTakesMs = 8000;
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
    mailTakesMs = 0;
  }
}, 40_000);

test("where another area cannot end its part, nothing is deleted and nothing is forgotten", async () => {
  const { ask, email, word, accountId } = await owner();
  const before = await traces(word);
  unclosable = accountId;
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(500);
  expect(await traces(word)).toEqual(before);
  expect((await pg.pool.query("SELECT FROM pgboss.job WHERE name = 'forget-people'")).rowCount).toBe(0);
});

test("sub-users and managers go with the account; who belongs to another one too stays there", async () => {
  const { ask, email, accountId } = await owner();
  const other = await owner();
  const gone = await newMember(pg.pool, accountId, { email: `gone-${email}`, role: "manager" });
  const stays = await newMember(pg.pool, accountId, { email: "stays@example.com", role: "manager" });
  await pg.pool.query("INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, 'manager')", [
    stays.userId,
    other.accountId,
  ]);
  const theirs = await asUser(app, `gone-${email}`);
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
  expect((await theirs("GET", "/session.json")).statusCode).toBe(401);
  const { rows } = await pg.pool.query("SELECT id FROM users WHERE id = ANY($1)", [[gone.userId, stays.userId]]);
  expect(rows).toEqual([{ id: stays.userId }]);
  const session = await (await asUser(app, "stays@example.com"))("GET", "/session.json");
  expect(session.json()).toMatchObject({ role: "manager" });
});

test("nobody else loses anything", async () => {
  const { ask, email } = await owner();
  const neighbour = await owner();
  await app.inject({ method: "POST", url: "/remind.json", payload: { email: neighbour.email } });
  await ticketTo(mails, neighbour.email);
  const before = await traces(neighbour.word);
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
  expect(await traces(neighbour.word)).toEqual(before);
});

test.each([
  [{ email: "other@example.com", password: PASSWORD }, 422, { email: "This is not the e-mail of your account" }],
  [{ email: "", password: PASSWORD }, 400, { email: TEXTS.required }],
  [{ password: "wrong-horse" }, 422, { password: "Wrong password" }],
  [{ password: "" }, 400, { password: TEXTS.required }],
  [{ password: undefined }, 400, { password: TEXTS.required }],
  [{ user_id: 1 }, 400, { user_id: "This field is not known" }],
])("with %j nothing is deleted", async (wrong, status, error) => {
  const { ask, email, userId } = await owner();
  const reply = await remove(ask, { email, password: PASSWORD, ...wrong });
  expect([reply.statusCode, reply.json()]).toEqual([status, { error }]);
  const { rowCount } = await pg.pool.query("SELECT FROM users WHERE id = $1", [userId]);
  expect(rowCount).toBe(1);
});

test("the e-mail is taken in any case, and a person without a password needs none", async () => {
  const { ask, email, userId } = await owner();
  await pg.pool.query("UPDATE users SET password_hash = NULL WHERE id = $1", [userId]);
  expect((await remove(ask, { email: ` ${email.toUpperCase()} ` })).statusCode).toBe(200);
});

test("with an authenticator its code is needed, and is not used up by a wrong password", async () => {
  const { ask, email, userId } = await owner();
  const { codeAt } = await giveAuthenticator(pg.pool, userId);
  await pg.pool.query("UPDATE sessions SET otp_verified_until = 'infinity' WHERE user_id = $1", [userId]);
  const proof = { email, password: PASSWORD };
  const without = await remove(ask, proof);
  expect([without.statusCode, without.json()]).toEqual([400, { error: { otp_code: TEXTS.required } }]);
  const wrong = await remove(ask, { ...proof, otp_code: await codeAt(Date.now() - 3_600_000) });
  expect([wrong.statusCode, wrong.json()]).toEqual([422, { error: TEXTS.wrongCode }]);
  const code = await codeAt(Date.now());
  expect((await remove(ask, { ...proof, password: "wrong-horse", otp_code: code })).statusCode).toBe(422);
  expect((await remove(ask, { ...proof, otp_code: code })).statusCode).toBe(200);
});

test("guesses at the password are stopped", async () => {
  const { ask, email } = await owner();
  const statuses: number[] = [];
  for (let guess = 0; guess < 30; guess++)
    statuses.push((await remove(ask, { email, password: `guess-${guess}` })).statusCode);
  expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
  expect(statuses.at(-1)).toBe(429);
});

test("nobody but the owner deletes an account, not even a visiting admin", async () => {
  const { email, accountId, userId } = await owner();
  const visitor = await asVisitor(app, pg.pool, email);
  expect((await remove(visitor.ask, { email, password: PASSWORD })).statusCode).toBe(403);
  for (const role of ROLES.filter((one) => one !== "owner")) {
    const theirs = `${role.toLowerCase()}-${email}`;
    await newMember(pg.pool, accountId, { email: theirs, role, isSuper: true });
    const reply = await remove(await asUser(app, theirs), { email: theirs, password: PASSWORD });
    expect([role, reply.statusCode]).toEqual([role, 403]);
  }
  const { rowCount } = await pg.pool.query("SELECT FROM users WHERE id = $1", [userId]);
  expect(rowCount).toBe(1);
});

test("the last admin cannot be deleted with an account of their own, one of two can", async () => {
  const { ask, email, userId } = await owner();
  const platform = await newOwner(pg.pool, `platform-${email}`);
  await pg.pool.query("DELETE FROM memberships WHERE role = 'admin'");
  const admin = "INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, 'admin')";
  await pg.pool.query(admin, [userId, platform.accountId]);
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(409);
  expect((await ask("GET", "/session.json")).statusCode).toBe(200);
  const second = await owner();
  await pg.pool.query(admin, [second.userId, platform.accountId]);
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
});

test("of deletions at once one deletes, and whoever joins at that moment does not stay behind", async () => {
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

test("a manager who is just joining is waited for, and goes as well", async () => {
  const { ask, email, word, accountId } = await owner();
  await ask("POST", "/manager/add_manager", { email: `${word}@example.org`, name: word });
  await ticketTo(mails, `${word}@example.org`);
  const joining = await pg.pool.connect();
  try {
    // What using the link does, held in its middle.
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
