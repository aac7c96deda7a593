import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer } from "../../../platform/http/build-server.ts";
import { silentLog } from "../../../platform/log.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { accountsArea, hashPassword, insertOwner } from "../index.ts";
import { signInThrottle } from "./sign-in-throttle.ts";

const { pg } = await testStores();
const clock = { now: () => Date.now() };
const PASSWORD = "correct-horse";
let app: FastifyInstance;

beforeAll(async () => {
  ({ app } = await accountsServer(stores.pg.pool));
  const passwordHash = await hashPassword(PASSWORD);
  const base = { passwordHash, role: "owner", agreedVersion: 1, demo: false } as const;
  await insertOwner(pg.pool, { ...base, email: "Pub@Example.com", name: "Pub", canApps: true, canCampaign: false });
  await insertOwner(pg.pool, { ...base, email: "adv@example.com", name: "Adv", canApps: false, canCampaign: true });
});
afterAll(() => app.close());

const signIn = (body: object, headers: Record<string, string> = {}) =>
  app.inject({ method: "POST", url: "/login.json", payload: body, headers });
const cookieOf = (reply: Awaited<ReturnType<typeof signIn>>) => {
  const [cookie] = reply.cookies;
  if (!cookie) throw new Error("no cookie was set");
  return cookie;
};
const sessionWith = (token: string) => app.inject({ url: "/session.json", cookies: { millrace: token } });

test("the right password opens a session that knows its user, and logout ends it", async () => {
  const reply = await signIn({ email: "pub@example.com", password: PASSWORD });
  expect([reply.statusCode, reply.json()]).toEqual([200, { redirect_to: "/apps" }]);
  const cookie = cookieOf(reply);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", maxAge: 30 * 86_400 });

  const session = await sessionWith(cookie.value);
  expect(session.json()).toMatchObject({
    email: "pub@example.com",
    current_role: "apps",
    user_balance: { balance: 12_000_000, revenue: 340_000 },
  });

  const headers = { accept: "application/json", "sec-fetch-site": "same-origin" };
  await app.inject({ url: "/logout", headers, cookies: { millrace: cookie.value } });
  expect((await sessionWith(cookie.value)).statusCode).toBe(401);
});

test("over HTTPS the cookie is Secure and bound to the host by its name", async () => {
  const reply = await signIn({ email: "pub@example.com", password: PASSWORD }, { "x-forwarded-proto": "https" });
  expect(cookieOf(reply)).toMatchObject({ name: "__Host-millrace", secure: true, path: "/" });
});

test("the store holds no token, only its hash", async () => {
  const { value } = cookieOf(await signIn({ email: "pub@example.com", password: PASSWORD }));
  const { rows } = await pg.pool.query<{ token_hash: string }>("SELECT token_hash FROM sessions");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map((row) => row.token_hash)).not.toContain(value);
});

test("signing in again ends the session that the browser held", async () => {
  const first = cookieOf(await signIn({ email: "pub@example.com", password: PASSWORD })).value;
  await app.inject({
    method: "POST",
    url: "/login.json",
    payload: { email: "pub@example.com", password: PASSWORD },
    cookies: { millrace: first },
  });
  expect((await sessionWith(first)).statusCode).toBe(401);
});

test("an advertiser comes home to campaigns; redirect_to wins only as a path of ours", async () => {
  const home = await signIn({ email: "adv@example.com", password: PASSWORD });
  expect(home.json().redirect_to).toBe("/campaign");
  const asked = await signIn({ email: "pub@example.com", password: PASSWORD, redirect_to: "/apps?p=2" });
  expect(asked.json().redirect_to).toBe("/apps?p=2");
  const evil = await signIn({ email: "pub@example.com", password: PASSWORD, redirect_to: "//evil.test" });
  expect(evil.json().redirect_to).toBe("/apps");
});

test("a wrong password and an unknown e-mail are refused in the same words", async () => {
  const wrong = await signIn({ email: "pub@example.com", password: "wrong-horse" });
  const unknown = await signIn({ email: "nobody@example.com", password: "wrong-horse" });
  expect(wrong.statusCode).toBe(422);
  expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body]);
  expect(wrong.cookies).toEqual([]);
});

test("guesses are slowed down, with the time to come back, and other addresses are not", async () => {
  const from = (address: string) => ({ "x-forwarded-for": address });
  const guess = (address: string) => signIn({ email: "adv@example.com", password: "guess" }, from(address));
  for (let tries = 0; tries < 10; tries++) expect((await guess("198.51.100.1")).statusCode).toBe(422);
  const slowed = await guess("198.51.100.1");
  expect(slowed.statusCode).toBe(429);
  expect(Number(slowed.headers["retry-after"])).toBeGreaterThan(0);
  expect((await guess("198.51.100.2")).statusCode).toBe(422);
});

test("an account guessed at from many addresses is closed to strangers, and not to its owner's own address", async () => {
  const throttle = signInThrottle();
  await throttle.take("Pub@example.com", "192.0.2.1");
  await throttle.forgive("pub@example.com", "192.0.2.1");
  for (let tries = 1; tries < 100; tries++) await throttle.take("pub@example.com", `198.51.100.${tries}`);
  await expect(throttle.take("pub@example.com", "203.0.113.1")).rejects.toMatchObject({ code: "too_many" });
  await throttle.take("pub@example.com", "192.0.2.1");
  await throttle.take("adv@example.com", "203.0.113.1");
});

test("another address of the same IPv6 network is no other guesser", async () => {
  const throttle = signInThrottle();
  for (let tries = 0; tries < 10; tries++) await throttle.take("pub@example.com", `2001:db8:1:2::${tries}`);
  await expect(throttle.take("pub@example.com", "2001:db8:1:2:3::1")).rejects.toMatchObject({ code: "too_many" });
});

test("an ended session is nobody", async () => {
  const { value } = cookieOf(await signIn({ email: "pub@example.com", password: PASSWORD }));
  await pg.pool.query("UPDATE sessions SET expires_at = now() - interval '1 second'");
  expect((await sessionWith(value)).statusCode).toBe(401);
});
