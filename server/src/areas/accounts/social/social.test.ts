import { TEXTS } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import type { Log } from "../../../platform/log.ts";
import { startOidcProvider } from "../../../platform/testing/start-oidc-provider.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { PUBLIC_URL, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { REDIRECT_URIS, redirectOf, socialBrowser, socialSettings } from "../testing/social-browser.ts";
import { browserAt, ticketTo } from "../testing/ticket-links.ts";
import { deleteExpiredRequests } from "./pending-request.ts";

const { pg } = await testStores();
const provider = await startOidcProvider({ redirectUris: REDIRECT_URIS });
const atUserInfo = await startOidcProvider({ redirectUris: REDIRECT_URIS, claimsInIdToken: false });
afterAll(() => Promise.all([provider.close(), atUserInfo.close()]));

let lateMs = 0;
const logged: string[] = [];
const keep = (facts: object, message: string) => void logged.push(JSON.stringify(facts), message);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
const { app, mails } = await accountsServer(pg.pool, {
  log,
  clock: { now: () => Date.now() + lateMs },
  settings: socialSettings({ google: provider, facebook: atUserInfo }),
});

const verified = (sub: string, more: object = {}) =>
  ({ sub, email: `${sub}@example.com`, email_verified: "true", ...more }) as const;
const pathOf = ({ pathname, search }: URL) => pathname + search;
const usersCalled = async (email: string) => {
  const { rows } = await pg.pool.query<{ n: string }>("SELECT count(*) n FROM users WHERE email = $1", [email]);
  return Number(rows[0]?.n);
};
const identitiesOf = async (email: string) => {
  const { rows } = await pg.pool.query<{ of: string }>(
    "SELECT service || ' ' || subject AS of FROM social_identities i JOIN users u ON u.id = i.user_id WHERE u.email = $1",
    [email],
  );
  return rows.map(({ of }) => of);
};
type Browser = ReturnType<typeof socialBrowser>;
const statusOf = async (browser: Browser) => (await browser.ask({ url: "/session.json" })).statusCode;

test("the browser is sent to the network with state, nonce, PKCE and the exact address to come back to", async () => {
  const browser = socialBrowser(app);
  const address = await browser.begin("google");
  expect(address.origin).toBe(provider.issuer);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: provider.clientId,
    redirect_uri: `${PUBLIC_URL}/login/google/return`,
    response_type: "code",
    scope: "openid email profile",
    prompt: "select_account",
    state: expect.stringMatching(/^[\w-]{43}$/) as string,
    nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    code_challenge_method: "S256",
  });
  expect([...browser.cookies.keys()]).toEqual(["__Host-millrace-social"]);
  const again = await browser.ask({ method: "POST", url: "/login/google" });
  expect(again.cookies).toMatchObject([{ httpOnly: true, secure: true, sameSite: "Lax", path: "/", maxAge: 600 }]);
});

test("somebody new comes in with an e-mail that the network vouches for, and is asked to agree to the terms", async () => {
  const browser = socialBrowser(app);
  const end = await browser.signIn("google", verified("ann", { given_name: "Ann", family_name: "Bee" }));
  expect(pathOf(end)).toBe("/apps");
  const session = await browser.ask({ url: "/session.json" });
  expect(session.json()).toMatchObject({
    name: "Ann",
    email: "ann@example.com",
    role: "owner",
    roles: { can_apps: true, can_campaign: false },
    globalConfig: { is_first_visit: true, show_agreement: 1 },
  });
  expect([...browser.cookies.keys()]).toEqual(["__Host-millrace"]);
  const { rows } = await pg.pool.query("SELECT surname, password_hash FROM users WHERE email = 'ann@example.com'");
  expect(rows).toEqual([{ surname: "Bee", password_hash: null }]);
  const { rows: acts } = await pg.pool.query(
    `SELECT action, details FROM audit_log WHERE actor_user_id = (SELECT id FROM users WHERE email = 'ann@example.com')
     ORDER BY id`,
  );
  expect(acts).toEqual([
    { action: "account_opened", details: { service: "google" } },
    { action: "social_linked", details: {} },
  ]);
});

test("who is known by the network's own name of them comes in again, whatever their e-mail is by now", async () => {
  await socialBrowser(app).signIn("google", verified("again"));
  const browser = socialBrowser(app);
  const end = await browser.signIn("google", { sub: "again", email: "new@example.com", email_verified: "false" });
  expect(pathOf(end)).toBe("/apps");
  expect((await browser.ask({ url: "/session.json" })).json()).toMatchObject({ email: "again@example.com" });
  expect(await usersCalled("new@example.com")).toBe(0);
});

test("an advertiser's new account is for campaigns, and redirect_to leads to paths of ours alone", async () => {
  expect(pathOf(await socialBrowser(app).signIn("google", verified("adv"), { role: "ADV" }))).toBe("/campaign");
  const wanted = await socialBrowser(app).signIn("google", verified("adv"), { redirect_to: "/campaign?p=2" });
  expect(pathOf(wanted)).toBe("/campaign?p=2");
  for (const redirect_to of ["https://evil.test/", "//evil.test", "/\\evil.test"]) {
    const end = await socialBrowser(app).signIn("google", verified("adv"), { redirect_to });
    expect(end.href).toBe(`${PUBLIC_URL}/campaign`);
  }
});

test("a verified e-mail of an existing user links, also where userinfo tells it", async () => {
  await newOwner(pg.pool, "old@example.com");
  const who = { sub: "old-1", email: "Old@Example.com", email_verified: "true" } as const;
  for (const service of ["google", "facebook"]) {
    const browser = socialBrowser(app);
    expect(pathOf(await browser.signIn(service, who))).toBe("/apps");
    expect((await browser.ask({ url: "/session.json" })).json()).toMatchObject({
      email: "old@example.com",
      name: "Pub",
    });
  }
  expect(await identitiesOf("old@example.com")).toEqual(["google old-1", "facebook old-1"]);
});

test("an e-mail that the network says is not verified neither links nor opens an account", async () => {
  await newOwner(pg.pool, "victim@example.com");
  for (const email of ["victim@example.com", "fresh@example.com"]) {
    const browser = socialBrowser(app);
    const end = await browser.signIn("google", { sub: `thief of ${email}`, email, email_verified: "false" });
    expect(pathOf(end)).toBe("/login?error=email_not_verify&service=google");
    expect(await statusOf(browser)).toBe(401);
  }
  expect([await identitiesOf("victim@example.com"), await usersCalled("fresh@example.com")]).toEqual([[], 0]);
});

test("a user who has linked another account of the network is told so", async () => {
  await socialBrowser(app).signIn("google", verified("first"));
  const browser = socialBrowser(app);
  const end = await browser.signIn("google", { ...verified("first"), sub: "second" });
  expect(pathOf(end)).toBe("/login?error=bind_another_account&service=google");
  expect(await statusOf(browser)).toBe(401);
});

test("without a word on whether the e-mail is verified, its owner proves it by our mail, and is in by the network then", async () => {
  const browser = socialBrowser(app);
  const who = { sub: "fay", email: "fay@example.com", given_name: "Fay", family_name: "Dee" };
  const end = await browser.signIn("facebook", who, { role: "ADV", redirect_to: "/campaign?p=2" });
  expect(end.pathname).toBe("/signup");
  const { reqid = "", ...query } = Object.fromEntries(end.searchParams);
  expect(query).toEqual({
    error: "no_email",
    service: "facebook",
    name: "Fay",
    surname: "Dee",
    role: "ADV",
    email: "fay@example.com",
    redirect_to: "/campaign?p=2",
  });
  expect([await statusOf(browser), await usersCalled("fay@example.com")]).toEqual([401, 0]);

  const payload = { email: "fay@example.com", name: "Fay", role: "ADV", agree: true, reqid };
  const elsewhere = await socialBrowser(app).ask({ method: "POST", url: "/reg.json", payload });
  expect([elsewhere.statusCode, elsewhere.json()]).toEqual([422, { error: TEXTS.socialSessionExpired }]);
  expect((await browser.ask({ method: "POST", url: "/reg.json", payload })).statusCode).toBe(200);
  expect((await browser.ask({ method: "POST", url: "/reg.json", payload })).statusCode).toBe(422);
  expect(await identitiesOf("fay@example.com")).toEqual([]);

  const url = `/ticket/${await ticketTo(mails, "fay@example.com")}.json`;
  expect((await browser.ask({ url })).json()).toEqual({ type: "sign_up", has_pass: true });
  expect((await browser.ask({ method: "POST", url, payload: {} })).statusCode).toBe(200);
  expect(await identitiesOf("fay@example.com")).toEqual(["facebook fay"]);
  expect(pathOf(await socialBrowser(app).signIn("facebook", who))).toBe("/campaign");
});

test("opened in another browser, the mail of such a sign-up links no account of the network: it may be a stranger's", async () => {
  const stranger = socialBrowser(app);
  const who = { sub: "mallory", email: "gil@example.com" };
  const reqid = (await stranger.signIn("facebook", who)).searchParams.get("reqid");
  const payload = { email: "gil@example.com", name: "Gil", role: "NEW", agree: true, reqid };
  expect((await stranger.ask({ method: "POST", url: "/reg.json", payload })).statusCode).toBe(200);

  const url = `/ticket/${await ticketTo(mails, "gil@example.com")}.json`;
  const owner = browserAt(app, "198.51.100.9");
  expect((await owner("GET", url)).json()).toEqual({ type: "sign_up", has_pass: false });
  expect((await owner("POST", url, {})).json()).toEqual({ error: { pass: TEXTS.required } });
  expect((await owner("POST", url, { pass: "gils-own", pass_confirm: "gils-own" })).statusCode).toBe(200);
  expect(await identitiesOf("gil@example.com")).toEqual([]);
  expect((await stranger.signIn("facebook", who)).pathname).toBe("/signup");
  expect(await statusOf(stranger)).toBe(401);
});

test("without an e-mail, or with one that is none, the sign-up asks for it", async () => {
  for (const who of [{ sub: "none" }, { sub: "none", email: "no e-mail", email_verified: "true" as const }]) {
    const end = await socialBrowser(app).signIn("google", who);
    expect([end.pathname, end.searchParams.get("error"), end.searchParams.has("email")]).toEqual([
      "/signup",
      "no_email",
      false,
    ]);
  }
});

test("who cancels at the network comes back with that error, and what was begun is over", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), "cancel");
  expect(pathOf(redirectOf(await browser.comeBack(back)))).toBe("/login?error=access_denied&service=google");
  expect(pathOf(redirectOf(await browser.comeBack(back)))).toBe("/login?error=reqid_expired&service=google");
});

test("words of the network's are not put into our addresses", async () => {
  const browser = socialBrowser(app);
  const state = (await browser.begin("google")).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ state, error: "<script>", error_description: "evil" });
  const end = redirectOf(await browser.comeBack(`/login/google/return?${query.toString()}`));
  expect(pathOf(end)).toBe("/login?error=other&service=google");
});

test("a return works once: the same address again is refused, and its code not exchanged", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("once"));
  const cookies = new Map(browser.cookies);
  expect(pathOf(redirectOf(await browser.comeBack(back)))).toBe("/apps");
  const exchanges = provider.exchanges();
  const replay = socialBrowser(app);
  for (const [name, value] of cookies) replay.cookies.set(name, value);
  expect(pathOf(redirectOf(await replay.comeBack(back)))).toBe("/login?error=reqid_expired&service=google");
  expect(await statusOf(replay)).toBe(401);
  expect(provider.exchanges()).toBe(exchanges);
});

test("a return in another browser is refused, with and without a sign-in of its own on its way, and spoils nothing", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("bound"));
  const other = socialBrowser(app);
  const exchanges = provider.exchanges();
  for (const prepare of [async () => undefined, () => other.begin("google")]) {
    await prepare();
    expect(pathOf(redirectOf(await other.comeBack(back)))).toBe("/login?error=reqid_expired&service=google");
    expect(await statusOf(other)).toBe(401);
  }
  expect(provider.exchanges()).toBe(exchanges);
  expect(pathOf(redirectOf(await browser.comeBack(back)))).toBe("/apps");
});

test("changed states, a state of the other network, and none at all are refused", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("state"));
  const code = new URL(back, PUBLIC_URL).searchParams.get("code") ?? "";
  const state = new URL(back, PUBLIC_URL).searchParams.get("state") ?? "";
  for (const path of [
    `/login/google/return?code=${code}`,
    `/login/google/return?code=${code}&state=${state}&state=${state}`,
    `/login/google/return?code=${code}&state=${state.slice(1)}x`,
    `/login/google/return?code=${code}&state=${"x".repeat(5000)}`,
    `/login/facebook/return?code=${code}&state=${state}`,
  ]) {
    const end = redirectOf(await browser.comeBack(path));
    expect([end.pathname, end.searchParams.get("error")]).toEqual(["/login", "reqid_expired"]);
  }
  expect(await statusOf(browser)).toBe(401);
});

test.each([
  ["nonce", "another"],
  ["code_challenge", "x".repeat(43)],
])("an ID token or a code that was asked for with another %s is refused", async (parameter, value) => {
  const browser = socialBrowser(app);
  const address = await browser.begin("google");
  address.searchParams.set(parameter, value);
  const back = await browser.atProvider(address, verified("mixed-up"));
  expect(pathOf(redirectOf(await browser.comeBack(back)))).toBe("/login?error=other&service=google");
  expect([await statusOf(browser), await usersCalled("mixed-up@example.com")]).toEqual([401, 0]);
});

test("a return from another issuer is refused (RFC 9207), and so is a code of somebody else's", async () => {
  const browser = socialBrowser(app);
  const back = new URL(await browser.atProvider(await browser.begin("google"), verified("mix")), PUBLIC_URL);
  back.searchParams.set("iss", atUserInfo.issuer);
  expect(pathOf(redirectOf(await browser.comeBack(pathOf(back))))).toBe("/login?error=other&service=google");

  const thief = socialBrowser(app);
  const [mine, theirs] = [await browser.begin("google"), await thief.begin("google")];
  const stolen = new URL(await browser.atProvider(mine, verified("robbed")), PUBLIC_URL);
  stolen.searchParams.set("state", theirs.searchParams.get("state") ?? "");
  expect(pathOf(redirectOf(await thief.comeBack(pathOf(stolen))))).toBe("/login?error=other&service=google");
  expect(await statusOf(thief)).toBe(401);
});

test("a network that is gone when the browser comes back is an error, and a sign-in begun again is told so at once", async () => {
  const gone = await startOidcProvider({ redirectUris: REDIRECT_URIS });
  const { app: other } = await accountsServer(pg.pool, { settings: socialSettings({ google: gone }) });
  const browser = socialBrowser(other);
  const back = await browser.atProvider(await browser.begin("google"), verified("gone"));
  await gone.close();
  expect(pathOf(redirectOf(await browser.comeBack(back)))).toBe("/login?error=other&service=google");
  expect((await browser.ask({ method: "POST", url: "/login/facebook" })).statusCode).toBe(404);
  expect((await browser.ask({ url: "/login/facebook/return?state=x" })).statusCode).toBe(404);

  const { app: third } = await accountsServer(pg.pool, { settings: socialSettings({ google: gone }) });
  const refused = await socialBrowser(third).ask({ method: "POST", url: "/login/google" });
  expect([refused.statusCode, refused.json()]).toEqual([
    503,
    { error: "Google does not answer right now. Please try again or sign in otherwise" },
  ]);
  expect(refused.headers["retry-after"]).toBe("30");
});

test("returns at the same moment make one user: of one sign-in in one browser, and of two in two", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("crowd"));
  const cookies = new Map(browser.cookies);
  const ends = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const tab = socialBrowser(app);
      for (const [name, value] of cookies) tab.cookies.set(name, value);
      return redirectOf(await tab.comeBack(back)).pathname;
    }),
  );
  expect(ends.filter((path) => path === "/apps")).toHaveLength(1);

  const two = await Promise.all(Array.from({ length: 8 }, () => socialBrowser(app).signIn("google", verified("twin"))));
  expect(two.map(pathOf)).toEqual(Array.from({ length: 8 }, () => "/apps"));
  expect([await usersCalled("crowd@example.com"), await usersCalled("twin@example.com")]).toEqual([1, 1]);
});

test("script in names stays text, cut to a name's length", async () => {
  const browser = socialBrowser(app);
  await browser.signIn("google", verified("script", { name: '<script>alert("x")</script>' }));
  expect((await browser.ask({ url: "/session.json" })).json()).toMatchObject({ name: '<script>alert("x")</scrip' });
});

test("after ten minutes it is too late, and what is expired is deleted", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("late"));
  lateMs = 601_000;
  expect(pathOf(redirectOf(await browser.comeBack(back)))).toBe("/login?error=reqid_expired&service=google");
  lateMs = 0;
  expect(pathOf(redirectOf(await browser.comeBack(back)))).toBe("/apps");

  await browser.begin("google");
  const kept = async () => (await pg.pool.query("SELECT FROM social_requests")).rowCount;
  const before = await kept();
  await deleteExpiredRequests(pg.pool, new Date());
  expect([before, await kept()]).toEqual([before, before]);
  await deleteExpiredRequests(pg.pool, new Date(Date.now() + 601_000));
  expect([Number(before) > 0, await kept()]).toEqual([true, 0]);
});

test("a blocked user stays out", async () => {
  await socialBrowser(app).signIn("google", verified("blocked"));
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE email = 'blocked@example.com'");
  const browser = socialBrowser(app);
  expect(pathOf(await browser.signIn("google", verified("blocked")))).toBe("/login?error=blocked&service=google");
  expect(await statusOf(browser)).toBe(401);
});

test("a sign-in is not begun by another site, and no more than a hundred times by one address", async () => {
  const browser = socialBrowser(app);
  const headers = { "sec-fetch-site": "cross-site" };
  expect((await browser.ask({ method: "POST", url: "/login/google", headers })).statusCode).toBe(403);
  for (let tries = 0; tries < 100; tries++) await browser.begin("google");
  const slowed = await browser.ask({ method: "POST", url: "/login/google" });
  expect([slowed.statusCode, Number(slowed.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect((await socialBrowser(app).ask({ method: "POST", url: "/login/google" })).statusCode).toBe(200);
});

test("neither codes and states nor what the browser holds is logged or kept readable", async () => {
  const browser = socialBrowser(app);
  const address = await browser.begin("google");
  const state = address.searchParams.get("state") ?? "";
  const held = browser.cookies.get("__Host-millrace-social") ?? "";
  address.searchParams.set("nonce", "another");
  const back = await browser.atProvider(address, verified("secrets"));
  const { rows } = await pg.pool.query<{ row: string }>("SELECT to_jsonb(r)::text AS row FROM social_requests r");
  expect(rows.some(({ row }) => row.includes(state))).toBe(true);
  expect(rows.filter(({ row }) => row.includes(held))).toEqual([]);
  await browser.comeBack(back);
  expect(logged.join("\n")).toContain("a social sign-in failed at its network");
  const code = new URL(back, PUBLIC_URL).searchParams.get("code") ?? "";
  for (const secret of [state, held, code, provider.clientSecret, "secrets@example.com"]) {
    expect(secret).not.toBe("");
    expect(logged.filter((line) => line.includes(secret))).toEqual([]);
  }
});
