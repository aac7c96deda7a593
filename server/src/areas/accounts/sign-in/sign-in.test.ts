import { TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { PASSWORD, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { giveAuthenticator } from "../testing/give-authenticator.ts";
import { newMember } from "../testing/new-member.ts";

const pg = await testPostgres();
const STEP_MS = 30_000;
let nowMs = Math.ceil(Date.now() / STEP_MS) * STEP_MS;
const { app } = await accountsServer(pg.pool, { clock: { now: () => nowMs } });
await newOwner(pg.pool, "Pub@Example.com", { canCampaign: false });
await newOwner(pg.pool, "adv@example.com", { canApps: false });

let number = 0;
const signIn = (body: object, headers: Record<string, string> = {}) =>
  app.inject({
    method: "POST",
    url: "/login.json",
    payload: body,
    // Each from another address, so that only the intended limits count.
    headers: { "x-forwarded-for": `203.0.113.${++number}`, ...headers },
  });
const cookieOf = (reply: Awaited<ReturnType<typeof signIn>>) => {
  const [cookie] = reply.cookies;
  if (!cookie) throw new Error("no cookie was set");
  return cookie;
};
const sessionWith = (token: string) => app.inject({ url: "/session.json", cookies: { millrace: token } });
const PUB = { email: "pub@example.com", password: PASSWORD };

async function userWithAuthenticator(email: string, recoveryCodes: string[] = []) {
  const { userId } = await newOwner(pg.pool, email);
  return { email, password: PASSWORD, userId, ...(await giveAuthenticator(pg.pool, userId, recoveryCodes)) };
}

test("the right password opens a session of its user, and logout ends it", async () => {
  const reply = await signIn(PUB);
  expect([reply.statusCode, reply.json()]).toEqual([200, { redirect_to: "/apps" }]);
  const cookie = cookieOf(reply);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", maxAge: 30 * 86_400 });

  const session = await sessionWith(cookie.value);
  expect(session.json()).toMatchObject({
    email: "pub@example.com",
    current_role: "apps",
    role: "owner",
    user_balance: { balance: 12_000_000, revenue: 340_000 },
    need_verify_otp: false,
    is_switched: false,
  });

  const headers = { accept: "application/json", "sec-fetch-site": "same-origin" };
  await app.inject({ url: "/logout", headers, cookies: { millrace: cookie.value } });
  expect((await sessionWith(cookie.value)).statusCode).toBe(401);
});

test("the logout address also works when typed in; a link on another site or in a mail preview does nothing", async () => {
  const { value } = cookieOf(await signIn(PUB));
  const logout = (more: object) =>
    app.inject({
      url: "/logout",
      headers: { accept: "text/html", "sec-fetch-site": "none", "sec-fetch-mode": "navigate", ...more },
      cookies: { millrace: value },
    });
  for (const more of [{}, { "sec-fetch-user": "?1", "sec-fetch-site": "cross-site" }]) {
    expect((await logout(more)).statusCode).toBe(403);
    expect((await sessionWith(value)).statusCode).toBe(200);
  }
  const reply = await logout({ "sec-fetch-user": "?1" });
  expect([reply.statusCode, reply.headers.location]).toEqual([302, "/"]);
  expect((await sessionWith(value)).statusCode).toBe(401);
});

test("over HTTPS the cookie is Secure and has the __Host- prefix", async () => {
  const reply = await signIn(PUB, { "x-forwarded-proto": "https" });
  expect(cookieOf(reply)).toMatchObject({ name: "__Host-millrace", secure: true, path: "/" });
});

test("the store holds a token's hash, never the token", async () => {
  const { value } = cookieOf(await signIn(PUB));
  const { rows } = await pg.pool.query<{ token_hash: string }>("SELECT token_hash FROM sessions");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map((row) => row.token_hash)).not.toContain(value);
});

test("signing in again ends the browser's session and issues a new token", async () => {
  const first = cookieOf(await signIn(PUB)).value;
  const second = await app.inject({
    method: "POST",
    url: "/login.json",
    payload: PUB,
    cookies: { millrace: first },
  });
  expect(cookieOf(second).value).not.toBe(first);
  expect((await sessionWith(first)).statusCode).toBe(401);
});

test.each([
  ["guest", "GST", "/campaign"],
  ["developer", "SDEV", "/profile"],
] as const)("an advertiser with role %s lands on a page the role may open", async (_, role, home) => {
  const { accountId } = await newOwner(pg.pool, `adv-of-${role.toLowerCase()}@example.com`, { canApps: false });
  const email = `adv-${role.toLowerCase()}@example.com`;
  await newMember(pg.pool, accountId, { email, role });
  const reply = await signIn({ email, password: PASSWORD });
  expect(reply.json()).toEqual({ redirect_to: home });
  expect((await sessionWith(cookieOf(reply).value)).json()).toMatchObject({
    role,
    user_balance: null,
    campaign_balance: null,
  });
});

test("an advertiser lands on campaigns; redirect_to accepts only our own paths", async () => {
  const home = await signIn({ email: "adv@example.com", password: PASSWORD });
  expect(home.json()).toEqual({ redirect_to: "/campaign" });
  const asked = await signIn({ ...PUB, redirect_to: "/apps?p=2" });
  expect(asked.json()).toEqual({ redirect_to: "/apps?p=2" });
  for (const evil of ["//evil.test", "https://evil.test/", "/\\evil.test", "javascript:alert(1)"]) {
    const refused = await signIn({ ...PUB, redirect_to: evil });
    expect(refused.json()).toEqual({ redirect_to: "/apps" });
  }
});

test("a wrong password and an unknown e-mail get the same text", async () => {
  const wrong = await signIn({ email: "pub@example.com", password: "wrong-horse" });
  const unknown = await signIn({ email: "nobody@example.com", password: "wrong-horse" });
  expect(wrong.statusCode).toBe(422);
  expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body]);
  expect(wrong.cookies).toEqual([]);
});

test("a user without a password cannot sign in with one", async () => {
  const { userId } = await newOwner(pg.pool, "social@example.com");
  await pg.pool.query("UPDATE users SET password_hash = NULL WHERE id = $1", [userId]);
  for (const password of [PASSWORD, "null", "undefined", "decoy"]) {
    expect((await signIn({ email: "social@example.com", password })).statusCode).toBe(422);
  }
});

test("an ended session identifies nobody", async () => {
  const { value } = cookieOf(await signIn(PUB));
  nowMs += 30 * 86_400_000;
  expect((await sessionWith(value)).statusCode).toBe(401);
});

test("with an authenticator, the right password alone opens nothing and asks for a code", async () => {
  const { email } = await userWithAuthenticator("otp@example.com");
  const reply = await signIn({ email, password: PASSWORD });
  expect([reply.statusCode, reply.json(), reply.cookies]).toEqual([200, { require_otp_code: 1 }, []]);
  const wrong = await signIn({ email, password: "wrong-horse" });
  expect([wrong.statusCode, wrong.json()]).toEqual([422, { error: "Wrong e-mail or password" }]);
});

test("the code opens a full session; a code works once, and older codes never after it", async () => {
  const { email, codeAt } = await userWithAuthenticator("code@example.com");
  const code = await codeAt(nowMs);
  const reply = await signIn({ email, password: PASSWORD, otp_code: code });
  expect([reply.statusCode, reply.json()]).toEqual([200, { redirect_to: "/apps" }]);
  expect((await sessionWith(cookieOf(reply).value)).json()).toMatchObject({ email, need_verify_otp: false });
  for (const used of [code, await codeAt(nowMs - STEP_MS)]) {
    const again = await signIn({ email, password: PASSWORD, otp_code: used });
    expect([again.statusCode, again.json(), again.cookies]).toEqual([422, { error: TEXTS.wrongCode }, []]);
  }
  const next = await signIn({ email, password: PASSWORD, otp_code: await codeAt(nowMs + STEP_MS) });
  expect(next.statusCode).toBe(200);
});

test("a code without the right password is not checked", async () => {
  const { email, codeAt } = await userWithAuthenticator("half@example.com");
  const code = await codeAt(nowMs);
  const wrong = await signIn({ email, password: "wrong-horse", otp_code: code });
  expect([wrong.statusCode, wrong.json()]).toEqual([422, { error: "Wrong e-mail or password" }]);
  expect((await signIn({ email, password: PASSWORD, otp_code: code })).statusCode).toBe(200);
});

test("a recovery code replaces a lost authenticator, once, in any spelling", async () => {
  const { email } = await userWithAuthenticator("lost@example.com", ["abcd-efgh-2345-6777"]);
  const other = await signIn({ email, password: PASSWORD, recovery_code: "abcd-efgh-2345-6776" });
  expect([other.statusCode, other.json()]).toEqual([422, { error: TEXTS.wrongCode }]);
  const reply = await signIn({ email, password: PASSWORD, recovery_code: " ABCDEFGH-23456777 " });
  expect([reply.statusCode, reply.cookies[0]?.name]).toEqual([200, "millrace"]);
  const again = await signIn({ email, password: PASSWORD, recovery_code: "abcd-efgh-2345-6777" });
  expect([again.statusCode, again.cookies]).toEqual([422, []]);
});

test("malformed codes get the product's texts", async () => {
  const { email } = await userWithAuthenticator("form@example.com");
  const short = await signIn({ email, password: PASSWORD, otp_code: "123" });
  expect([short.statusCode, short.json()]).toEqual([400, { error: { otp_code: TEXTS.codeLength } }]);
  const letters = await signIn({ email, password: PASSWORD, otp_code: "12a456" });
  expect([letters.statusCode, letters.json()]).toEqual([400, { error: { otp_code: TEXTS.codeDigits } }]);
});

test("a blocked user learns of the block only with the right password, and their sessions end", async () => {
  const { userId } = await newOwner(pg.pool, "blocked@example.com");
  const session = cookieOf(await signIn({ email: "blocked@example.com", password: PASSWORD })).value;
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [userId]);
  const right = await signIn({ email: "blocked@example.com", password: PASSWORD });
  expect([right.statusCode, right.json(), right.cookies]).toEqual([
    403,
    { error: "This account is blocked. Please contact support" },
    [],
  ]);
  const wrong = await signIn({ email: "blocked@example.com", password: "wrong-horse" });
  expect([wrong.statusCode, wrong.json()]).toEqual([422, { error: "Wrong e-mail or password" }]);
  expect((await sessionWith(session)).statusCode).toBe(401);
});

test("unknown fields are refused by name, including `__proto__`", async () => {
  const foreign = await signIn({ ...PUB, role: "admin" });
  expect([foreign.statusCode, foreign.json()]).toEqual([400, { error: { role: "This field is not known" } }]);
  const proto = await app.inject({
    method: "POST",
    url: "/login.json",
    headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.250" },
    payload: `{"email":"pub@example.com","password":"${PASSWORD}","__proto__":{"role":"admin"}}`,
  });
  expect(proto.statusCode).toBe(400);
  expect(proto.body).toBe('{"error":{"__proto__":"This field is not known"}}');
});
