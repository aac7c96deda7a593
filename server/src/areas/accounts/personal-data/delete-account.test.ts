import { type Profile, ROLES, TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { hashPassword } from "../passwords.ts";
import { PASSWORD, newOwner } from "../testing/accounts-server.ts";
import { asUser } from "../testing/as-user.ts";
import { deletionServer } from "../testing/deletion-server.ts";
import { giveAuthenticator } from "../testing/give-authenticator.ts";
import { asVisitor, newMember } from "../testing/new-member.ts";
import { ticketTo } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const { app, set, balances, mails, owner, remove, traces, signUp } = await deletionServer(pg.pool);

test("the same e-mail can sign up again as a new user", async () => {
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

test("if another area cannot end its part, nothing is deleted", async () => {
  const { ask, email, word, accountId } = await owner();
  const before = await traces(word);
  set.unclosable = accountId;
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(500);
  expect(await traces(word)).toEqual(before);
  expect((await pg.pool.query("SELECT FROM pgboss.job WHERE name = 'forget-people'")).rowCount).toBe(0);
});

test("sub-users and managers are deleted with the account unless they belong to another one", async () => {
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

test.each([
  [{ email: "other@example.com", password: PASSWORD }, 422, { email: "This is not the e-mail of your account" }],
  [{ email: "", password: PASSWORD }, 400, { email: TEXTS.required }],
  [{ password: "wrong-horse" }, 422, { password: "Wrong password" }],
  [{ password: "" }, 400, { password: TEXTS.required }],
  [{ password: undefined }, 400, { password: TEXTS.required }],
  [{ user_id: 1 }, 400, { user_id: "This field is not known" }],
])("with %j the account is not deleted", async (wrong, status, error) => {
  const { ask, email, userId } = await owner();
  const reply = await remove(ask, { email, password: PASSWORD, ...wrong });
  expect([reply.statusCode, reply.json()]).toEqual([status, { error }]);
  const { rowCount } = await pg.pool.query("SELECT FROM users WHERE id = $1", [userId]);
  expect(rowCount).toBe(1);
});

test("the e-mail is always required; a user without a password needs no password", async () => {
  const { ask, email, userId } = await owner();
  await pg.pool.query("UPDATE users SET password_hash = NULL WHERE id = $1", [userId]);
  expect((await remove(ask, { email: ` ${email.toUpperCase()} ` })).statusCode).toBe(200);
});

test("a user with an authenticator also needs its code, which a wrong password does not use up", async () => {
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

test("an account that is owed money is deleted only if that is given up, which is asked after the password", async () => {
  const { ask, email, accountId } = await owner();
  const proof = { email, password: PASSWORD };
  balances.set(accountId, { earned: 4_000_120_000, prepaid: 12_345_678 });
  expect((await ask("GET", "/profile.json")).json<Profile>().owed).toEqual({
    earned: 4_000_120_000,
    prepaid: 12_340_000,
  });
  expect((await remove(ask, { ...proof, password: "wrong-horse" })).json()).toEqual({
    error: { password: "Wrong password" },
  });
  const refused = await remove(ask, { ...proof, give_up: false });
  expect([refused.statusCode, refused.json()]).toEqual([
    422,
    {
      error: {
        give_up:
          "The account is still owed $4,000.12 of earnings and $12.34 of prepaid balance, which would be given up",
      },
    },
  ]);
  expect((await remove(ask, { ...proof, give_up: true })).statusCode).toBe(200);
});

test("a payment that is on its way is named before a deletion, as nothing pays it again if it comes back", async () => {
  const { ask, email, accountId } = await owner();
  balances.set(accountId, { earned: 0, prepaid: 0, onItsWay: 300_000_000 });
  expect((await ask("GET", "/profile.json")).json<Profile>().owed).toMatchObject({ on_its_way: 300_000_000 });
  const proof = { email, password: PASSWORD };
  const refused = await remove(ask, proof);
  expect([refused.statusCode, refused.json()]).toEqual([
    422,
    { error: { give_up: "$300.00 is on its way, and would be given up if it comes back" } },
  ]);
  balances.set(accountId, { earned: 20_000, prepaid: 0, onItsWay: 300_000_000 });
  expect((await remove(ask, proof)).json()).toEqual({
    error: {
      give_up:
        "The account is still owed $0.02 of earnings, which would be given up. $300.00 is on its way, and would be given up if it comes back",
    },
  });
  expect((await remove(ask, { ...proof, give_up: true })).statusCode).toBe(200);
});

test("less than a cent, and what the account owes itself, stand in the way of no deletion", async () => {
  const { ask, email, accountId } = await owner();
  balances.set(accountId, { earned: -5_000_000, prepaid: 9_999 });
  expect((await remove(ask, { email, password: PASSWORD })).statusCode).toBe(200);
});

test("guesses at the password are rate-limited", async () => {
  const { ask, email } = await owner();
  const statuses: number[] = [];
  for (let guess = 0; guess < 30; guess++)
    statuses.push((await remove(ask, { email, password: `guess-${guess}` })).statusCode);
  expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
  expect(statuses.at(-1)).toBe(429);
});

test("only the owner deletes an account, not even an impersonating admin", async () => {
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

test("the last admin cannot delete their account; one of two can", async () => {
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

test("a deletion without the needed code is refused without checking the password", async () => {
  const { ask, email, userId } = await owner();
  await giveAuthenticator(pg.pool, userId);
  await pg.pool.query("UPDATE sessions SET otp_verified_until = 'infinity' WHERE user_id = $1", [userId]);
  // While this many wait, a hash is refused.
  const flood = Promise.allSettled(Array.from({ length: 100 }, () => hashPassword(PASSWORD)));
  const reply = await remove(ask, { email, password: PASSWORD });
  expect([reply.statusCode, reply.json()]).toEqual([400, { error: { otp_code: TEXTS.required } }]);
  await flood;
});
