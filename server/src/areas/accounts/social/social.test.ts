import { TEXTS } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { startOidcProvider } from "../../../platform/testing/start-oidc-provider.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { PUBLIC_URL, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { countUsers, identitiesOf } from "../testing/people-by-email.ts";
import {
  REDIRECT_URIS,
  pathOf,
  redirectOf,
  socialBrowser,
  socialSettings,
  statusOf,
  verified,
} from "../testing/social-browser.ts";
import { browserAt, ticketTo } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const provider = await startOidcProvider({ redirectUris: REDIRECT_URIS });
const atUserInfo = await startOidcProvider({ redirectUris: REDIRECT_URIS, claimsInIdToken: false });
afterAll(() => Promise.all([provider.close(), atUserInfo.close()]));
const { app, mails } = await accountsServer(pg.pool, {
  settings: socialSettings({ google: provider, facebook: atUserInfo }),
});
const usersCalled = (email: string) => countUsers(pg.pool, email);
const linkedTo = (email: string) => identitiesOf(pg.pool, email);

test("the browser is redirected to the identity provider with state, nonce, PKCE and the exact return address", async () => {
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

test("a new user with a verified e-mail gets an account and is asked to accept the terms", async () => {
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
  expect([...browser.cookies.keys()]).toEqual(["__Host-millrace", "__Host-millrace-device"]);
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

test("a returning user is found by subject, whatever their e-mail is now", async () => {
  await socialBrowser(app).signIn("google", verified("again"));
  const browser = socialBrowser(app);
  const end = await browser.signIn("google", { sub: "again", email: "new@example.com", email_verified: "false" });
  expect(pathOf(end)).toBe("/apps");
  expect((await browser.ask({ url: "/session.json" })).json()).toMatchObject({ email: "again@example.com" });
  expect(await usersCalled("new@example.com")).toBe(0);
});

test("an advertiser's new account is for campaigns, and redirect_to accepts only our own paths", async () => {
  expect(pathOf(await socialBrowser(app).signIn("google", verified("adv"), { role: "ADV" }))).toBe("/campaign");
  const wanted = await socialBrowser(app).signIn("google", verified("adv"), { redirect_to: "/campaign?p=2" });
  expect(pathOf(wanted)).toBe("/campaign?p=2");
  for (const redirect_to of ["https://evil.test/", "//evil.test", "/\\evil.test"]) {
    const end = await socialBrowser(app).signIn("google", verified("adv"), { redirect_to });
    expect(end.href).toBe(`${PUBLIC_URL}/campaign`);
  }
});

test("a verified e-mail, also one from userinfo, links the identity to its existing user", async () => {
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
  expect(await linkedTo("old@example.com")).toEqual(["google old-1", "facebook old-1"]);
});

test("an unverified e-mail neither links an identity nor opens an account", async () => {
  await newOwner(pg.pool, "victim@example.com");
  for (const email of ["victim@example.com", "fresh@example.com"]) {
    const browser = socialBrowser(app);
    const end = await browser.signIn("google", { sub: `thief of ${email}`, email, email_verified: "false" });
    expect(pathOf(end)).toBe("/login?error=email_not_verify&service=google");
    expect(await statusOf(browser)).toBe(401);
  }
  expect([await linkedTo("victim@example.com"), await usersCalled("fresh@example.com")]).toEqual([[], 0]);
});

test("a user who has linked another account of the identity provider gets its error", async () => {
  await socialBrowser(app).signIn("google", verified("first"));
  const browser = socialBrowser(app);
  const end = await browser.signIn("google", { ...verified("first"), sub: "second" });
  expect(pathOf(end)).toBe("/login?error=bind_another_account&service=google");
  expect(await statusOf(browser)).toBe(401);
});

test("an e-mail without email_verified is proven by our mail, which links the identity", async () => {
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
  expect(await linkedTo("fay@example.com")).toEqual([]);

  const url = `/ticket/${await ticketTo(mails, "fay@example.com")}.json`;
  expect((await browser.ask({ url })).json()).toEqual({ type: "sign_up", has_pass: true });
  expect((await browser.ask({ method: "POST", url, payload: {} })).statusCode).toBe(200);
  expect(await linkedTo("fay@example.com")).toEqual(["facebook fay"]);
  expect(pathOf(await socialBrowser(app).signIn("facebook", who))).toBe("/campaign");
});

test("the mail of such a sign-up links no identity when opened in another browser", async () => {
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
  expect(await linkedTo("gil@example.com")).toEqual([]);
  expect((await stranger.signIn("facebook", who)).pathname).toBe("/signup");
  expect(await statusOf(stranger)).toBe(401);
});

test("a missing or malformed e-mail makes the sign-up ask for one", async () => {
  for (const who of [{ sub: "none" }, { sub: "none", email: "no e-mail", email_verified: "true" as const }]) {
    const end = await socialBrowser(app).signIn("google", who);
    expect([end.pathname, end.searchParams.get("error"), end.searchParams.has("email")]).toEqual([
      "/signup",
      "no_email",
      false,
    ]);
  }
});

test("cancelling at the identity provider returns with access_denied and ends the request", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), "cancel");
  expect(pathOf(redirectOf(await browser.oauthCallback(back)))).toBe("/login?error=access_denied&service=google");
  expect(pathOf(redirectOf(await browser.oauthCallback(back)))).toBe("/login?error=reqid_expired&service=google");
});

test("error texts of the identity provider never appear in our addresses", async () => {
  const browser = socialBrowser(app);
  const state = (await browser.begin("google")).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ state, error: "<script>", error_description: "evil" });
  const end = redirectOf(await browser.oauthCallback(`/login/google/return?${query.toString()}`));
  expect(pathOf(end)).toBe("/login?error=other&service=google");
});

test("simultaneous returns create one user, in one browser or two", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("crowd"));
  const cookies = new Map(browser.cookies);
  const ends = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const tab = socialBrowser(app);
      for (const [name, value] of cookies) tab.cookies.set(name, value);
      return redirectOf(await tab.oauthCallback(back)).pathname;
    }),
  );
  expect(ends.filter((path) => path === "/apps")).toHaveLength(1);

  const two = await Promise.all(Array.from({ length: 8 }, () => socialBrowser(app).signIn("google", verified("twin"))));
  expect(two.map(pathOf)).toEqual(Array.from({ length: 8 }, () => "/apps"));
  expect([await usersCalled("crowd@example.com"), await usersCalled("twin@example.com")]).toEqual([1, 1]);
});

test("script in names is stored as text, cut to the maximum length", async () => {
  const browser = socialBrowser(app);
  await browser.signIn("google", verified("script", { name: '<script>alert("x")</script>' }));
  expect((await browser.ask({ url: "/session.json" })).json()).toMatchObject({ name: '<script>alert("x")</scrip' });
});

test("a blocked user is refused", async () => {
  await socialBrowser(app).signIn("google", verified("blocked"));
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE email = 'blocked@example.com'");
  const browser = socialBrowser(app);
  expect(pathOf(await browser.signIn("google", verified("blocked")))).toBe("/login?error=blocked&service=google");
  expect(await statusOf(browser)).toBe(401);
});
