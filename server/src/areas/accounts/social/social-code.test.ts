import { SOCIAL_ERRORS } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { startOidcProvider } from "../../../platform/testing/start-oidc-provider.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { giveAuthenticator } from "../testing/give-authenticator.ts";
import {
  REDIRECT_URIS,
  type SocialBrowser,
  socialBrowser,
  socialSettings,
  statusOf,
} from "../testing/social-browser.ts";

const pg = await testPostgres();
const provider = await startOidcProvider({ redirectUris: REDIRECT_URIS });
afterAll(() => provider.close());
let nowMs = Date.now();
const { app } = await accountsServer(pg.pool, {
  clock: { now: () => nowMs },
  settings: socialSettings({ google: provider, facebook: provider }),
});

let number = 0;
/** A user with a password and an authenticator, whose first social sign-in waits for the code. */
async function userOwingCode(query: Record<string, string> = {}) {
  const sub = `otp${++number}`;
  const who = { sub, email: `${sub}@example.com`, email_verified: "true" } as const;
  const { userId } = await newOwner(pg.pool, who.email);
  const authenticator = await giveAuthenticator(pg.pool, userId, ["aaaa-bbbb-cccc"]);
  const browser = socialBrowser(app);
  const end = await browser.signIn("google", who, query);
  const { error, service, reqid = "" } = Object.fromEntries(end.searchParams);
  expect([end.pathname, error, service]).toEqual(["/login", "require_otp_code", "google"]);
  expect(await statusOf(browser)).toBe(401);
  return { userId, who, browser, reqid, code: () => authenticator.codeAt(nowMs) };
}
const enter = (browser: SocialBrowser, payload: object, service = "google") =>
  browser.ask({ method: "POST", url: `/login/${service}`, payload });
const isLinked = async (userId: number) =>
  (await pg.pool.query("SELECT FROM social_identities WHERE user_id = $1", [userId])).rowCount === 1;

test("the right code completes a social sign-in, links the identity, and is asked for at the next sign-in too", async () => {
  const { userId, who, browser, reqid, code } = await userOwingCode({ redirect_to: "/profile?tab=1" });
  expect(await isLinked(userId)).toBe(false);
  const reply = await enter(browser, { reqid, otp_code: await code() });
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    { ok: 1, redirect_to: "/profile?tab=1", user_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
  ]);
  const session = await browser.ask({ url: "/session.json" });
  expect(session.json()).toMatchObject({ email: who.email, need_verify_otp: false });
  expect([...browser.cookies.keys()]).toEqual(["__Host-millrace", "__Host-millrace-device"]);
  expect(await isLinked(userId)).toBe(true);
  const again = await socialBrowser(app).signIn("google", { sub: who.sub });
  expect(again.searchParams.get("error")).toBe("require_otp_code");
});

test("the code is also read from the query, and a recovery code replaces it", async () => {
  const first = await userOwingCode();
  const query = { reqid: first.reqid, otp_code: await first.code() };
  const inQuery = await first.browser.ask({ method: "POST", url: "/login/google", query });
  expect([inQuery.statusCode, await statusOf(first.browser)]).toEqual([200, 200]);

  const second = await userOwingCode();
  const recovery = await enter(second.browser, { reqid: second.reqid, recovery_code: "AAAABBBBCCCC" });
  expect([recovery.statusCode, await statusOf(second.browser)]).toEqual([200, 200]);
});

test("five wrong codes lock the code step, even for a right code", async () => {
  const { userId, browser, reqid, code } = await userOwingCode();
  const wrong = [
    { otp_code: "000000" },
    // Recovery codes are not rate-limited: they cannot be guessed.
    { recovery_code: "nope" },
    { otp_code: "000001" },
    { otp_code: "000002" },
    { otp_code: "000003" },
    { otp_code: "000004" },
  ];
  for (const given of wrong) {
    const reply = await enter(browser, { reqid, ...given });
    expect([reply.statusCode, reply.json()]).toEqual([422, { error: "wrong_otp_code" }]);
  }
  const slowed = await enter(browser, { reqid, otp_code: await code() });
  expect([slowed.statusCode, Number(slowed.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect([await statusOf(browser), await isLinked(userId)]).toEqual([401, false]);
});

test("a malformed code is wrong, and a missing one is asked for", async () => {
  const { browser, reqid } = await userOwingCode();
  const query = { reqid, otp_code: "12x" };
  expect((await browser.ask({ method: "POST", url: "/login/google", query })).json()).toEqual({
    error: "wrong_otp_code",
  });
  const without = await enter(browser, { reqid });
  expect([without.statusCode, without.json()]).toEqual([400, { error: { otp_code: "This field is required" } }]);
});

test("another browser, identity provider or reqid, and a code after ten minutes, get reqid_expired", async () => {
  const { browser, reqid, code } = await userOwingCode();
  const over = [422, { error: "reqid_expired" }];
  const otp_code = await code();
  const tries = [
    () => enter(socialBrowser(app), { reqid, otp_code }),
    () => enter(browser, { reqid, otp_code }, "facebook"),
    () => enter(browser, { reqid: "x", otp_code }),
    () => enter(browser, { reqid: reqid.slice(1) + "x", otp_code }),
  ];
  for (const attempt of tries) {
    const reply = await attempt();
    expect([reply.statusCode, reply.json()]).toEqual(over);
  }
  nowMs += 601_000;
  const late = await enter(browser, { reqid, otp_code: await code() });
  expect([late.statusCode, late.json(), await statusOf(browser)]).toEqual([...over, 401]);
});

test("a reqid for an e-mail does not work at the code step, nor the reverse", async () => {
  const { browser, reqid } = await userOwingCode();
  const payload = { email: "x@example.com", name: "Xy", role: "NEW", agree: true, reqid };
  expect((await browser.ask({ method: "POST", url: "/reg.json", payload })).statusCode).toBe(422);
  const end = await browser.signIn("google", { sub: "stranger" });
  const other = end.searchParams.get("reqid") ?? "";
  expect((await enter(browser, { reqid: other, otp_code: "000000" })).json()).toEqual({ error: "reqid_expired" });
});

test("the same code sent twice at once opens one session", async () => {
  const { userId, browser, reqid, code } = await userOwingCode();
  const otp_code = await code();
  const replies = await Promise.all([1, 2, 3, 4].map(() => enter(browser, { reqid, otp_code })));
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  const { rows } = await pg.pool.query("SELECT FROM sessions WHERE user_id = $1", [userId]);
  expect(rows).toHaveLength(1);
});

test("a reqid opens one session, even when a code and a recovery code arrive at once", async () => {
  const { userId, browser, reqid, code } = await userOwingCode();
  const held = new Map(browser.cookies);
  const payloads = [{ otp_code: await code() }, { recovery_code: "aaaa-bbbb-cccc" }];
  const replies = await Promise.all(payloads.map((given) => enter(browser, { reqid, ...given })));
  expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 422]);
  await pg.pool.query("UPDATE recovery_codes SET used_at = NULL WHERE user_id = $1", [userId]);
  for (const [name, value] of held) browser.cookies.set(name, value);
  const replay = await enter(browser, { reqid, recovery_code: "aaaa-bbbb-cccc" });
  expect([replay.statusCode, replay.json()]).toEqual([422, { error: "reqid_expired" }]);
});

test("a user blocked in the meantime is refused with the right code, and nothing is linked", async () => {
  const { userId, browser, reqid, code } = await userOwingCode();
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [userId]);
  const reply = await enter(browser, { reqid, otp_code: await code() });
  expect([reply.statusCode, await statusOf(browser), await isLinked(userId)]).toEqual([403, 401, false]);
});

test("a user who has linked another account of the identity provider in the meantime gets its error", async () => {
  const { userId, browser, reqid, code } = await userOwingCode();
  await pg.pool.query("INSERT INTO social_identities (service, subject, user_id) VALUES ('google', 'meanwhile', $1)", [
    userId,
  ]);
  const reply = await enter(browser, { reqid, otp_code: await code() });
  expect([reply.statusCode, reply.json()]).toEqual([409, { error: SOCIAL_ERRORS.bind_another_account }]);
  expect(await statusOf(browser)).toBe(401);
});
