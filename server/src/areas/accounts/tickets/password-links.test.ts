import { TEXTS, TICKET_ERRORS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { hashPassword } from "../passwords.ts";
import { PASSWORD, PUBLIC_URL, accountsServer, cookieOf, newOwner } from "../testing/accounts-server.ts";
import { giveAuthenticator } from "../testing/give-authenticator.ts";
import { mailsTo } from "../testing/mails-to.ts";
import { from, passes, ticketIn, ticketTo, urlOf } from "../testing/ticket-links.ts";
import { requestTicket } from "./request-ticket.ts";
import { ticketThrottle } from "./ticket-throttle.ts";

const pg = await testPostgres();
const STEP_MS = 30_000;
const HOUR_MS = 3_600_000;
const NEW = "battery-staple";
let nowMs = Math.ceil(Date.now() / STEP_MS) * STEP_MS;
const clock = { now: () => nowMs };
const { app, mails, jobs } = await accountsServer(pg.pool, { clock });

let number = 0;
/** A new person with a new address for each test. */
async function newUser(sides: Parameters<typeof newOwner>[2] = {}) {
  const email = `pass${++number}@example.com`;
  const { userId, accountId } = await newOwner(pg.pool, email, sides);
  const ask = from(app, `198.51.100.${number}`);
  const forget = async (count = 1) => {
    await ask("POST", "/remind.json", { email });
    return ticketTo(mails, email, count);
  };
  const choose = async (passwordHash: string) => {
    const payload = async () => ({ passwordHash });
    const deps = { pool: pg.pool, clock, jobs, ticketThrottle: ticketThrottle() };
    await requestTicket(deps, { type: "change_pass", email, userId, payload });
    return ticketTo(mails, email);
  };
  const signIn = (password: string) => ask("POST", "/login.json", { email, password });
  return { email, userId, accountId, ask, forget, choose, signIn };
}
const isIn = async (cookie: string) =>
  (await app.inject({ url: "/session.json", headers: { cookie } })).statusCode === 200;
const sessionOf = (reply: { cookies: { name: string; value: string }[] }) =>
  reply.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

test("a forgotten password is reset through a mailed link, which reading does not use up", async () => {
  const { email, ask, forget, signIn } = await newUser();
  const ticket = await forget();
  for (let looks = 0; looks < 3; looks++) {
    expect((await ask("GET", urlOf(ticket))).json()).toEqual({ type: "reset_pass", has_pass: false });
  }
  const reply = await ask("POST", urlOf(ticket), passes(NEW));
  expect([reply.statusCode, reply.json()]).toEqual([200, { type: "reset_pass", redirect_to: "/campaign" }]);
  const session = await app.inject({ url: "/session.json", headers: { cookie: sessionOf(reply) } });
  expect(session.json()).toMatchObject({ email, need_verify_otp: false });
  expect([(await signIn(PASSWORD)).statusCode, (await signIn(NEW)).statusCode]).toEqual([422, 200]);
});

test("a reset ends all other sessions and is in the audit log", async () => {
  const { email, userId, accountId, ask, forget } = await newUser({ canCampaign: false });
  const [one, other] = [await cookieOf(app, email), await cookieOf(app, email)];
  const reply = await ask("POST", urlOf(await forget()), passes(NEW));
  expect(reply.json()).toMatchObject({ redirect_to: "/apps" });
  expect([await isIn(one), await isIn(other), await isIn(sessionOf(reply))]).toEqual([false, false, true]);
  const { rows } = await pg.pool.query("SELECT action, account_id, details FROM audit_log WHERE actor_user_id = $1", [
    userId,
  ]);
  expect(rows).toEqual([{ action: "password_reset", account_id: accountId, details: {} }]);
});

test("a sign-in with the old password that overlaps the reset leaves nobody signed in", async () => {
  const { email, ask, forget, signIn } = await newUser();
  const ticket = await forget();
  const familiar = from(app, "192.0.2.40", { cookie: sessionOf(await signIn(PASSWORD)) });
  // Passwords are checked one at a time: the reset queues behind these checks, and the sign-ins behind the reset.
  const others = Array.from({ length: 20 }, () => hashPassword("another"));
  const reset = ask("POST", urlOf(ticket), passes(NEW));
  await others[0];
  const late = await Promise.all(
    Array.from({ length: 8 }, () => familiar("POST", "/login.json", { email, password: PASSWORD })),
  );
  expect(await isIn(sessionOf(await reset))).toBe(true);
  // On a busy machine, one may have ended before the reset began.
  for (const reply of late) expect(await isIn(sessionOf(reply))).toBe(false);
  expect((await signIn(NEW)).statusCode).toBe(200);
});

test("no mail is sent to an e-mail without a login, a blocked user or a sub-user", async () => {
  const blocked = await newUser();
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [blocked.userId]);
  const sub = "SDEV-abcd2345@users.millrace.invalid";
  await newOwner(pg.pool, sub);
  const { email, ask, forget } = await newUser();
  for (const to of ["nobody@example.com", blocked.email, sub]) {
    const reply = await ask("POST", "/remind.json", { email: to });
    expect([reply.statusCode, reply.json()]).toEqual([200, { sent_to: to.toLowerCase() }]);
  }
  // Jobs run in order: once this mail is there, the others have been handled.
  await forget();
  const waiting = () =>
    pg.pool.query("SELECT FROM tickets WHERE email = ANY($1)", [["nobody@example.com", blocked.email]]);
  await expect.poll(async () => (await waiting()).rowCount).toBe(0);
  const reached = (await mails()).map(({ to }) => to);
  expect(reached).toContain(email);
  expect(reached.filter((to) => ["nobody@example.com", blocked.email].includes(to) || to.endsWith(".invalid"))).toEqual(
    [],
  );
});

test("links begin with the configured origin, whatever the request's Host header", async () => {
  const { email } = await newUser();
  const liar = from(app, "192.0.2.77", {
    host: "evil.test",
    "x-forwarded-host": "evil.test",
    forwarded: "host=evil.test",
    origin: "https://evil.test",
    "sec-fetch-site": "same-origin",
  });
  expect((await liar("POST", "/remind.json", { email })).statusCode).toBe(200);
  const [mail] = await mailsTo(mails, email, 1);
  expect(mail?.text).toContain(`${PUBLIC_URL}/ticket/`);
  expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toContain("evil.test");
});

test("a link reports why it cannot be used: unknown, replaced, used or expired", async () => {
  const { ask, forget } = await newUser();
  const older = await forget();
  const newer = await forget(2);
  const uuid = newer.slice(0, 36);
  const told = async (ticket: string) => {
    const look = (await ask("GET", urlOf(ticket))).json<{ error?: string }>();
    const use = await ask("POST", urlOf(ticket), passes(NEW));
    return [look.error, use.statusCode, use.json<{ error: string }>().error];
  };
  for (const wrong of [`${uuid}-${"0".repeat(32)}`, `${uuid}-`, uuid, "x", older.slice(0, 36) + newer.slice(36)]) {
    expect(await told(wrong)).toEqual(["not_found", 404, TICKET_ERRORS.not_found]);
  }
  expect(await told(older)).toEqual(["not_last", 409, TICKET_ERRORS.not_last]);
  nowMs += HOUR_MS;
  expect(await told(newer)).toEqual(["expired", 409, TICKET_ERRORS.expired]);
  const last = await forget(3);
  expect((await ask("POST", urlOf(last), passes(NEW))).statusCode).toBe(200);
  expect(await told(last)).toEqual(["activated", 409, TICKET_ERRORS.activated]);
});

test("the new password is checked with the product's texts, and unknown fields are refused", async () => {
  const { ask, forget } = await newUser();
  const url = urlOf(await forget());
  const wrong = async (body: object) => (await ask("POST", url, body)).json<{ error: object }>().error;
  expect(await wrong({})).toEqual({ pass: TEXTS.required });
  expect(await wrong(passes("short"))).toEqual({ pass: TEXTS.passwordTooShort });
  expect(await wrong(passes("with space"))).toEqual({ pass: TEXTS.passwordAlphabet });
  expect(await wrong({ pass: NEW, pass_confirm: PASSWORD })).toEqual({ pass_confirm: TEXTS.passwordsDiffer });
  expect(await wrong({ ...passes(NEW), email: "other@example.com", user_id: 1 })).toEqual({
    email: "This field is not known",
    user_id: "This field is not known",
  });
  const proto = await app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/json" },
    payload: `{"pass":"${NEW}","pass_confirm":"${NEW}","__proto__":{"type":"manager"}}`,
  });
  expect([proto.statusCode, proto.body]).toEqual([400, '{"error":{"__proto__":"This field is not known"}}']);
  expect((await ask("POST", url, passes(NEW))).statusCode).toBe(200);
});

test("with an authenticator the link also needs a code, and a wrong code does not use it up", async () => {
  const { userId, ask, forget } = await newUser();
  const { codeAt } = await giveAuthenticator(pg.pool, userId);
  const url = urlOf(await forget());
  expect((await ask("GET", url)).json()).toEqual({ type: "reset_pass", has_pass: false, error: "need_verify_otp" });
  const without = await ask("POST", url, passes(NEW));
  expect([without.statusCode, without.json()]).toEqual([400, { error: { otp_code: TEXTS.required } }]);
  const wrong = await ask("POST", url, { ...passes(NEW), otp_code: await codeAt(nowMs - HOUR_MS) });
  expect([wrong.statusCode, wrong.json(), wrong.cookies]).toEqual([422, { error: TEXTS.wrongCode }, []]);
  const right = await ask("POST", url, { ...passes(NEW), otp_code: await codeAt(nowMs) });
  const session = await app.inject({ url: "/session.json", headers: { cookie: sessionOf(right) } });
  expect(session.json()).toMatchObject({ need_verify_otp: false });
});

test("a recovery code works for a reset too, once", async () => {
  const { userId, ask, forget } = await newUser();
  await giveAuthenticator(pg.pool, userId, ["aaaa-bbbb-cccc-dddd"]);
  const code = { recovery_code: "AAAABBBBCCCCDDDD" };
  expect((await ask("POST", urlOf(await forget()), { ...passes(NEW), ...code })).statusCode).toBe(200);
  expect((await ask("POST", urlOf(await forget(2)), { ...passes(NEW), ...code })).statusCode).toBe(422);
});

test("a password chosen in the profile takes effect when its link is used, without further input", async () => {
  const { email, ask, choose, signIn } = await newUser();
  const other = await cookieOf(app, email);
  const url = urlOf(await choose(await hashPassword(NEW)));
  expect((await ask("GET", url)).json()).toEqual({ type: "change_pass", has_pass: true });
  expect([(await signIn(PASSWORD)).statusCode, (await signIn(NEW)).statusCode]).toEqual([200, 422]);
  const foreign = await ask("POST", url, passes("another-one"));
  expect([foreign.statusCode, foreign.json()]).toEqual([
    400,
    { error: { pass: "This link does not take a password" } },
  ]);
  const reply = await ask("POST", url, {});
  expect([reply.statusCode, reply.json()]).toEqual([200, { type: "change_pass", redirect_to: "/campaign" }]);
  expect([(await signIn(PASSWORD)).statusCode, (await signIn(NEW)).statusCode]).toEqual([422, 200]);
  expect([await isIn(other), await isIn(sessionOf(reply))]).toEqual([false, true]);
  expect((await ask("GET", url)).json()).toEqual({ type: "change_pass", has_pass: true, error: "activated" });
});

test("a user tricked into opening another user's change link stays signed in as themselves", async () => {
  const { choose, signIn } = await newUser();
  const victim = await newUser();
  const cookie = await cookieOf(app, victim.email);
  const reply = await app.inject({
    method: "POST",
    url: urlOf(await choose(await hashPassword(NEW))),
    headers: { cookie, "sec-fetch-site": "same-origin" },
    payload: {},
  });
  expect([reply.statusCode, reply.cookies]).toEqual([200, []]);
  const session = await app.inject({ url: "/session.json", headers: { cookie } });
  expect(session.json()).toMatchObject({ email: victim.email });
  expect((await signIn(NEW)).statusCode).toBe(200);
});

test("a change asks for a code unless the browser has a session with one", async () => {
  const { email, userId, ask, choose } = await newUser();
  const early = await cookieOf(app, email);
  const { codeAt } = await giveAuthenticator(pg.pool, userId);
  const url = urlOf(await choose(await hashPassword(NEW)));
  const own = await cookieOf(app, email, { otp_code: await codeAt(nowMs) });
  const foreign = await cookieOf(app, (await newUser()).email);
  const with_ = (cookie: string) => app.inject({ url, headers: { cookie } });
  const error = "need_verify_otp";
  expect((await ask("GET", url)).json()).toMatchObject({ error });
  expect((await with_(early)).json()).toMatchObject({ error });
  expect((await with_(foreign)).json()).toMatchObject({ error });
  expect((await with_(own)).json()).toEqual({ type: "change_pass", has_pass: true });
  expect((await ask("POST", url, {})).statusCode).toBe(400);
  const reply = await app.inject({ method: "POST", url, payload: {}, headers: { cookie: own } });
  expect([reply.statusCode, await isIn(own), await isIn(sessionOf(reply))]).toEqual([200, false, true]);
});

test("a reset voids a pending change by anyone else, and every older link", async () => {
  const { email, ask, choose, forget, signIn } = await newUser();
  const theirs = await choose(await hashPassword("of-a-thief"));
  expect((await ask("POST", urlOf(await forget(2)), passes(NEW))).statusCode).toBe(200);
  const late = await ask("POST", urlOf(theirs), {});
  expect([late.statusCode, late.json()]).toEqual([409, { error: TICKET_ERRORS.expired }]);
  expect([(await signIn("of-a-thief")).statusCode, (await signIn(NEW)).statusCode]).toEqual([422, 200]);
  const { rows } = await pg.pool.query("SELECT payload FROM tickets WHERE email = $1", [email]);
  expect(rows).toEqual([{ payload: {} }, { payload: {} }]);
});

test("a user blocked after the mail cannot use the link until the block is lifted", async () => {
  const { userId, ask, forget } = await newUser();
  const url = urlOf(await forget());
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [userId]);
  const refused = await ask("POST", url, passes(NEW));
  expect([refused.statusCode, refused.cookies]).toEqual([403, []]);
  await pg.pool.query("UPDATE users SET blocked_at = NULL WHERE id = $1", [userId]);
  expect((await ask("POST", url, passes(NEW))).statusCode).toBe(200);
});

test("a mailbox gets three such mails an hour; further requests look the same and void no link", async () => {
  const { email } = await newUser();
  const replies = [];
  for (let tries = 0; tries < 8; tries++) {
    const reply = await from(app, `192.0.2.${tries}`)("POST", "/remind.json", { email });
    replies.push(`${reply.statusCode} ${reply.body} ${Object.keys(reply.headers).join()}`);
  }
  expect(new Set(replies).size).toBe(1);
  await mailsTo(mails, email, 3);
  // A later mail to another person shows that no mail is left in the queue.
  await (await newUser()).forget();
  const tickets = (await mailsTo(mails, email, 3)).map((mail) => ticketIn(mail) ?? "");
  const answers = tickets.map((ticket) => from(app, "192.0.2.100")("GET", urlOf(ticket)));
  const faults = (await Promise.all(answers)).map((answer) => answer.json<{ error?: string }>().error ?? "none");
  // Two mails are sent at a time, so the link that was asked for last may arrive before another.
  expect(faults.toSorted()).toEqual(["none", "not_last", "not_last"]);
});

test("an address that sends requests for many people is slowed down, with a time to retry", async () => {
  const ask = from(app, "192.0.2.200");
  const statuses = [];
  for (let tries = 0; tries < 61; tries++) {
    statuses.push((await ask("POST", "/remind.json", { email: `many${tries}@example.com` })).statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  const refused = await ask("POST", "/remind.json", { email: "many@example.com" });
  const seconds = Number(refused.headers["retry-after"]);
  expect([seconds > 0, seconds <= 3600]).toEqual([true, true]);
});

test("the store holds no link: neither the ticket nor its job has the salt", async () => {
  const { ask, forget } = await newUser();
  const ticket = await forget();
  const salt = ticket.slice(37);
  expect(salt).toMatch(/^[0-9a-f]{32}$/);
  const dump = async (table: string) => JSON.stringify((await pg.pool.query(`SELECT * FROM ${table}`)).rows);
  expect(await dump("tickets")).toContain(ticket.slice(0, 36));
  expect(`${await dump("tickets")}${await dump("pgboss.job")}${await dump("audit_log")}`).not.toContain(salt);
  expect((await ask("GET", urlOf(ticket.toUpperCase()))).json()).toEqual({ type: "reset_pass", has_pass: false });
});
