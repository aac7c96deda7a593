import { TEXTS } from "@millrace/contract";
import { generate } from "otplib";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { PASSWORD, accountsServer, cookieOf, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { clearAuthenticator } from "./clear-authenticator.ts";

const pg = await testPostgres();
const DAY_MS = 86_400_000;
const STEP_MS = 30_000;
let nowMs = Math.ceil(Date.now() / STEP_MS) * STEP_MS;
const { app, mails, mailTo } = await accountsServer(pg.pool, { clock: { now: () => nowMs } });

let number = 0;
/** A new signed-in user for each test. */
async function newUser() {
  const email = `otp${++number}@example.com`;
  return { email, userId: (await newOwner(pg.pool, email)).userId, ask: await asUser(app, email) };
}

interface Setup {
  otp_secret: string;
  otpauth_url: string;
  recovery_codes: string[];
  expires: string;
}
const begin = async (ask: Ask) => (await ask("GET", "/api/otp_secret_generate")).json<Setup>();
/** The code that the person's authenticator shows now, or as many half minutes later. */
const codeOf = (secret: string, steps = 0) => generate({ secret, epoch: nowMs / 1000 + steps * 30 });
const save = (ask: Ask, secret: string, code: string) =>
  ask("POST", `/api/otp_secret_save?${new URLSearchParams({ code, secret }).toString()}`);
const verify = (ask: Ask, code: string) => ask("POST", `/api/otp_verify_code?code=${code}`);
const clear = (ask: Ask, code: string) => ask("GET", `/api/otp_secret_clear?code=${code}`);
let address = 0;
/** Each from another address, so that only the codes are rate-limited here. */
const signIn = (email: string, more: object = {}) =>
  app.inject({
    method: "POST",
    url: "/login.json",
    headers: { "x-forwarded-for": `198.51.100.${++address % 250}` },
    payload: { email, password: PASSWORD, ...more },
  });

/** With the authenticator on, and a session that has given its code; the clock is past every code used so far. */
async function userWithAuthenticator() {
  const person = await newUser();
  const setup = await begin(person.ask);
  expect((await save(person.ask, setup.otp_secret, await codeOf(setup.otp_secret))).statusCode).toBe(200);
  nowMs += 3 * STEP_MS;
  const ask = await asUser(app, person.email, { otp_code: await codeOf(setup.otp_secret) });
  nowMs += 3 * STEP_MS;
  return { ...person, ask, secret: setup.otp_secret, recoveryCodes: setup.recovery_codes };
}
const FORGET_CODES = `WITH s AS (UPDATE sessions SET otp_verified_until = NULL WHERE user_id = $1)
  UPDATE users SET otp_last_step = 0 WHERE id = $1`;
const needsCode = async (ask: Ask) => (await ask("GET", "/session.json")).json<{ need_verify_otp: boolean }>();

test("a set-up returns secret, QR address and ten recovery codes once, and takes effect only after its code", async () => {
  const { email, userId, ask } = await newUser();
  const setup = await begin(ask);
  expect(setup.otp_secret).toMatch(/^[A-Z2-7]{32}$/);
  const url = new URL(setup.otpauth_url);
  expect([url.protocol, url.searchParams.get("secret"), url.searchParams.get("issuer")]).toEqual([
    "otpauth:",
    setup.otp_secret,
    "Millrace at millrace.example",
  ]);
  expect(decodeURIComponent(url.pathname)).toContain(`Millrace at millrace.example:${email}`);
  expect(new Set(setup.recovery_codes).size).toBe(10);
  for (const code of setup.recovery_codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  expect(Date.parse(setup.expires) - nowMs).toBe(10 * 60_000);
  expect((await signIn(email)).json()).toEqual({ redirect_to: "/apps" });

  const { rows } = await pg.pool.query("SELECT secret, recovery_hashes FROM otp_setups WHERE user_id = $1", [userId]);
  const kept = JSON.stringify(rows);
  for (const secret of [setup.otp_secret, ...setup.recovery_codes]) expect(kept).not.toContain(secret);
  expect((rows[0] as { secret: Buffer }).secret.includes(setup.otp_secret)).toBe(false);
});

test("saving ends this session and its cookie, makes other sessions MFA pending, and sends a mail", async () => {
  const { email, ask } = await newUser();
  const other = await asUser(app, email);
  const { otp_secret: secret } = await begin(ask);
  const reply = await save(ask, secret, await codeOf(secret));
  expect([reply.statusCode, reply.json()]).toEqual([200, { success: true }]);
  expect(reply.cookies).toMatchObject([{ name: "millrace", value: "" }]);
  expect((await ask("GET", "/session.json")).statusCode).toBe(401);

  expect(await needsCode(other)).toMatchObject({ need_verify_otp: true });
  expect((await other("GET", "/api/otp_secret_generate")).statusCode).toBe(403);
  const mail = await mailTo(email);
  expect(mail.subject).toBe("Your authenticator is on");
  // A new password would ask for the thief's code.
  expect(mail.text).toMatch(/contact us now[^]*support@millrace.example, also if you can no[^]*\/support/);
  expect(mail.text).not.toContain("reset your password");
  expect((await signIn(email)).json()).toEqual({ require_otp_code: 1 });

  // The code that switched it on is used up.
  expect((await verify(other, await codeOf(secret))).json()).toEqual({ error: TEXTS.wrongCode });
  nowMs += STEP_MS;
  // The second one follows a lost reply.
  for (const _ of ["first", "second"])
    expect((await verify(other, await codeOf(secret))).json()).toEqual({ success: true });
  expect(await needsCode(other)).toMatchObject({ need_verify_otp: false });
});

test("a code is valid in its session for 30 days and no longer", async () => {
  const { ask, email } = await userWithAuthenticator();
  const { rows } = await pg.pool.query<{ until: Date }>(
    "SELECT s.otp_verified_until AS until FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1",
    [email],
  );
  expect(rows.map(({ until }) => Math.round((until.getTime() - nowMs) / DAY_MS))).toEqual([30]);
  // The session itself ends with them, so it is made to last longer here.
  await pg.pool.query("UPDATE sessions SET expires_at = expires_at + interval '10 days'");
  const before = nowMs;
  nowMs = before + 29 * DAY_MS;
  expect(await needsCode(ask)).toMatchObject({ need_verify_otp: false });
  nowMs = before + 31 * DAY_MS;
  expect(await needsCode(ask)).toMatchObject({ need_verify_otp: true });
});

test.each([
  ["a wrong code", async (secret: string) => ({ secret, code: await codeOf(secret, 5) }), TEXTS.wrongCode],
  [
    "another secret, with a code of it",
    async () => ({ secret: "A".repeat(32), code: await codeOf("A".repeat(32)) }),
    "This set-up has expired. Please start again",
  ],
])("%s saves nothing", async (_, given, sentence) => {
  const { email, ask } = await newUser();
  const { otp_secret: secret } = await begin(ask);
  const { code, secret: told } = await given(secret);
  const reply = await save(ask, told, code);
  expect([reply.statusCode, reply.json()]).toEqual([422, { error: sentence }]);
  expect((await ask("GET", "/session.json")).statusCode).toBe(200);
  expect((await signIn(email)).json()).toEqual({ redirect_to: "/apps" });
});

test("a set-up expires after ten minutes, or when another one begins", async () => {
  const { ask } = await newUser();
  const { otp_secret: first } = await begin(ask);
  const { otp_secret: second } = await begin(ask);
  expect((await save(ask, first, await codeOf(first))).statusCode).toBe(422);
  nowMs += 10 * 60_000;
  expect((await save(ask, second, await codeOf(second))).statusCode).toBe(422);
});

test("errors of code fields use the product's texts", async () => {
  const { ask } = await newUser();
  expect((await save(ask, "A", "12345")).json()).toEqual({ error: { code: TEXTS.codeLength } });
  expect((await save(ask, "A", "12345a")).json()).toMatchObject({ error: { code: TEXTS.codeDigits } });
});

test("no set-up can begin while an authenticator is on", async () => {
  const { ask } = await userWithAuthenticator();
  expect((await ask("GET", "/api/otp_secret_generate")).statusCode).toBe(409);
});

test("of 50 sign-ins with one code at the same time, one succeeds", async () => {
  const { email, secret } = await userWithAuthenticator();
  const code = await codeOf(secret);
  const replies = await Promise.all(Array.from({ length: 50 }, () => signIn(email, { otp_code: code })));
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

test("a recovery code works once too, without regard to case and hyphens", async () => {
  const { email, recoveryCodes } = await userWithAuthenticator();
  const spoken = (recoveryCodes[0] ?? "").toUpperCase().replaceAll("-", " ");
  const replies = await Promise.all(Array.from({ length: 5 }, () => signIn(email, { recovery_code: spoken })));
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

test("a code older than the last used one is refused even within its time", async () => {
  const { email, secret } = await userWithAuthenticator();
  expect((await signIn(email, { otp_code: await codeOf(secret, 1) })).statusCode).toBe(200);
  expect((await signIn(email, { otp_code: await codeOf(secret) })).statusCode).toBe(422);
});

test("a code is accepted half a minute early or late, and not a minute", async () => {
  const { ask, secret, userId } = await userWithAuthenticator();
  const replies: number[] = [];
  for (const steps of [-2, -1, 0, 1, 2]) {
    await pg.pool.query(FORGET_CODES, [userId]);
    replies.push((await verify(ask, await codeOf(secret, steps))).statusCode);
  }
  expect(replies).toEqual([422, 200, 200, 200, 422]);
});

test("1,000 guesses in a session are stopped after five, and the right code with them; elsewhere it still works", async () => {
  const { ask, secret, email, userId } = await userWithAuthenticator();
  await pg.pool.query(FORGET_CODES, [userId]);
  const statuses: number[] = [];
  for (let guess = 0; guess < 1000; guess++)
    statuses.push((await verify(ask, String(guess).padStart(6, "0"))).statusCode);
  expect(statuses.filter((status) => status === 422)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(995);
  const refused = await verify(ask, await codeOf(secret));
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await signIn(email, { otp_code: await codeOf(secret) })).statusCode).toBe(200);
});

test("switching off requires a code, ends this session and sends a mail", async () => {
  const { ask, email, userId, secret } = await userWithAuthenticator();
  const wrong = await clear(ask, await codeOf(secret, 7));
  expect([wrong.statusCode, wrong.json()]).toEqual([422, { error: TEXTS.wrongCode }]);
  expect((await ask("GET", "/session.json")).statusCode).toBe(200);

  const right = await clear(ask, await codeOf(secret));
  expect([right.statusCode, right.json()]).toEqual([200, { success: true }]);
  expect(right.cookies).toMatchObject([{ name: "millrace", value: "" }]);
  expect((await ask("GET", "/session.json")).statusCode).toBe(401);
  expect((await signIn(email)).json()).toEqual({ redirect_to: "/apps" });
  await expect
    .poll(async () => (await mails()).filter(({ to }) => to === email).map(({ subject }) => subject))
    .toEqual(["Your authenticator is off", "Your authenticator is on"]);
  const { rows } = await pg.pool.query("SELECT 1 FROM recovery_codes WHERE user_id = $1", [userId]);
  expect(rows).toEqual([]);
});

test("a recovery code switches off too; without an authenticator the call is refused", async () => {
  const { ask, email, recoveryCodes } = await userWithAuthenticator();
  expect((await clear(ask, recoveryCodes[3] ?? "")).statusCode).toBe(200);
  expect((await clear(await asUser(app, email), recoveryCodes[4] ?? "")).statusCode).toBe(409);
});

test("a code entered for an earlier authenticator does not count for a new one", async () => {
  const { ask, email, secret, recoveryCodes } = await userWithAuthenticator();
  const other = await asUser(app, email, { recovery_code: recoveryCodes[0] ?? "" });
  await clear(ask, await codeOf(secret));
  expect(await needsCode(other)).toMatchObject({ need_verify_otp: false });
  const again = await asUser(app, email);
  const { otp_secret: second } = await begin(again);
  expect((await save(again, second, await codeOf(second))).statusCode).toBe(200);
  expect(await needsCode(other)).toMatchObject({ need_verify_otp: true });
});

test("an impersonating admin can neither begin, enter nor clear an authenticator", async () => {
  const { email, userId, secret } = await userWithAuthenticator();
  const admin = await newOwner(pg.pool, `admin-${email}`);
  await pg.pool.query("UPDATE memberships SET role = 'admin' WHERE user_id = $1", [admin.userId]);
  const visit = await asUser(app, email, { otp_code: await codeOf(secret) });
  await pg.pool.query("UPDATE sessions SET switched_by = $2 WHERE user_id = $1", [userId, admin.userId]);
  nowMs += STEP_MS;
  expect((await visit("GET", "/session.json")).statusCode).toBe(200);
  expect((await clear(visit, await codeOf(secret))).statusCode).toBe(403);
  expect((await verify(visit, await codeOf(secret))).statusCode).toBe(403);
  expect((await visit("GET", "/api/otp_secret_generate")).statusCode).toBe(403);
});

test("an admin who sets up an authenticator elsewhere while impersonating takes no earlier code along", async () => {
  const { ask, userId } = await newUser();
  const visited = await newUser();
  await pg.pool.query("UPDATE sessions SET switched_by = $2, otp_verified_until = $3 WHERE user_id = $1", [
    visited.userId,
    userId,
    new Date(nowMs + DAY_MS),
  ]);
  const setup = await begin(ask);
  await save(ask, setup.otp_secret, await codeOf(setup.otp_secret));
  const { rows } = await pg.pool.query("SELECT otp_verified_until FROM sessions WHERE switched_by = $1", [userId]);
  expect(rows).toEqual([{ otp_verified_until: null }]);
});

test("no page of another origin can switch an authenticator off", async () => {
  const { email, secret } = await userWithAuthenticator();
  const cookie = await cookieOf(app, email, { otp_code: await codeOf(secret) });
  nowMs += STEP_MS;
  const url = `/api/otp_secret_clear?code=${await codeOf(secret)}`;
  for (const site of ["cross-site", "same-site"])
    expect((await app.inject({ url, headers: { cookie, "sec-fetch-site": site } })).statusCode).toBe(403);
  expect((await signIn(email)).json()).toEqual({ require_otp_code: 1 });
});

test("changes are in the audit log, by ids alone", async () => {
  const { ask, userId, secret, email } = await userWithAuthenticator();
  await clear(ask, await codeOf(secret));
  const { rows } = await pg.pool.query<{ action: string }>(
    "SELECT action, subject, details::text FROM audit_log WHERE actor_user_id = $1 ORDER BY id",
    [userId],
  );
  expect(rows.map(({ action }) => action)).toEqual(["authenticator_on", "authenticator_off"]);
  expect(JSON.stringify(rows)).not.toContain(email);
});

test("a user without authenticator and recovery codes signs in by password again, once the operator has removed it", async () => {
  const { email, userId, ask } = await userWithAuthenticator();
  const deps = { pool: pg.pool, clock: { now: () => nowMs } };
  expect(await clearAuthenticator(deps, email.toUpperCase())).toBe(true);
  expect((await ask("GET", "/session.json")).statusCode).toBe(401);
  expect((await signIn(email)).json()).toEqual({ redirect_to: "/apps" });
  const { rows } = await pg.pool.query(
    "SELECT details FROM audit_log WHERE subject = $1 AND action = 'authenticator_off'",
    [String(userId)],
  );
  expect(rows).toEqual([{ details: { by: "operator" } }]);
  for (const one of [email, "nobody@example.com"]) expect(await clearAuthenticator(deps, one)).toBe(false);
});
