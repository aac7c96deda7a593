import { afterAll, expect, test } from "vitest";
import { startOidcProvider } from "../../../platform/testing/start-oidc-provider.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { PASSWORD, PUBLIC_URL, accountsServer, newOwner } from "../testing/accounts-server.ts";
import {
  type AtProvider,
  REDIRECT_URIS,
  type SocialBrowser,
  redirectOf,
  socialBrowser,
  socialSettings,
} from "../testing/social-browser.ts";
import { mailsTo } from "../testing/mails-to.ts";

const pg = await testPostgres();
const provider = await startOidcProvider({ redirectUris: REDIRECT_URIS });
afterAll(() => provider.close());
const settings = socialSettings({ google: provider, facebook: provider });
const { app, mails } = await accountsServer(pg.pool, { settings });

async function signedIn(email: string): Promise<SocialBrowser & { userId: number }> {
  const { userId } = await newOwner(pg.pool, email);
  const browser = socialBrowser(app);
  await signInAgain(browser, email);
  return { ...browser, userId };
}
const signInAgain = (browser: SocialBrowser, email: string) =>
  browser.ask({ method: "POST", url: "/login.json", payload: { email, password: PASSWORD } });

const PAGE = { accept: "text/html", "sec-fetch-mode": "navigate" };
const beginLink = (browser: SocialBrowser, service = "google") =>
  browser.ask({ url: `/profile/${service}`, headers: PAGE });
/** Links an identity and returns the final path. */
async function link(browser: SocialBrowser, who: AtProvider | "cancel", service = "google"): Promise<string> {
  const back = await browser.atProvider(redirectOf(await beginLink(browser, service)), who);
  const end = redirectOf(await browser.oauthCallback(back));
  return end.pathname + end.search;
}
const unlink = (browser: SocialBrowser, service = "google") =>
  browser.ask({ method: "POST", url: `/profile/${service}`, payload: { del: 1 } });
const linkedTo = async (userId: number) => {
  const { rows } = await pg.pool.query<{ subject: string }>(
    "SELECT subject FROM social_identities WHERE user_id = $1 ORDER BY service, subject",
    [userId],
  );
  return rows.map(({ subject }) => subject);
};

const statusesOf = (replies: { statusCode: number }[]) =>
  replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other);

test("a signed-in user links an identity provider, signs in with it and removes it; the audit log has both acts", async () => {
  const browser = await signedIn("links@example.com");
  expect(await link(browser, { sub: "links", email: "other@example.com" })).toBe("/profile");
  expect(await link(browser, { sub: "links", email: "other@example.com" })).toBe("/profile");
  expect(await linkedTo(browser.userId)).toEqual(["links"]);
  const elsewhere = socialBrowser(app);
  expect((await elsewhere.signIn("google", { sub: "links" })).href).toBe(`${PUBLIC_URL}/apps`);
  expect((await elsewhere.ask({ url: "/session.json" })).json()).toMatchObject({ email: "links@example.com" });

  expect((await unlink(browser)).json()).toEqual({ ok: 1 });
  expect(await linkedTo(browser.userId)).toEqual([]);
  expect((await socialBrowser(app).signIn("google", { sub: "links" })).pathname).toBe("/signup");
  expect((await unlink(browser)).statusCode).toBe(404);
  const { rows } = await pg.pool.query(
    "SELECT action, subject, account_id IS NOT NULL AS placed FROM audit_log WHERE actor_user_id = $1 ORDER BY id",
    [browser.userId],
  );
  expect(rows).toEqual([
    { action: "social_linked", subject: "google", placed: true },
    { action: "social_unlinked", subject: "google", placed: true },
  ]);
});

test("each link and removal, also a link made through a verified e-mail, sends the user one mail", async () => {
  const browser = await signedIn("told@example.com");
  const who = { sub: "told", email: "told@example.com", email_verified: "true" } as const;
  await link(browser, who);
  await link(browser, who);
  await unlink(browser);
  await socialBrowser(app).signIn("google", who);
  await socialBrowser(app).signIn("google", who);
  await socialBrowser(app).signIn("google", { sub: "new", email: "new@example.com", email_verified: "true" });
  const told = (await mailsTo(mails, "told@example.com", 3)).map(({ subject }) => subject);
  expect(told.toSorted()).toEqual([
    "An identity provider was linked to your account",
    "An identity provider was linked to your account",
    "An identity provider was removed from your account",
  ]);
  expect((await mails()).filter(({ to }) => to === "new@example.com")).toEqual([]);
});

test("linking another user's identity or a second account of the same identity provider is refused with its code", async () => {
  const [one, two] = [await signedIn("one@example.com"), await signedIn("two@example.com")];
  expect(await link(one, { sub: "mine" })).toBe("/profile");
  expect(await link(two, { sub: "mine" })).toBe("/profile?error=bind_another_user&service=google");
  expect(await link(one, { sub: "mine too" })).toBe("/profile?error=bind_another_account&service=google");
  expect(await link(one, { sub: "mine" }, "facebook")).toBe("/profile");
  expect([await linkedTo(one.userId), await linkedTo(two.userId)]).toEqual([["mine", "mine"], []]);
});

test("an unverified e-mail is not linked, and cancelling returns to the profile", async () => {
  const browser = await signedIn("careful@example.com");
  const unverified = { sub: "careful", email: "careful@example.com", email_verified: "false" } as const;
  expect(await link(browser, unverified)).toBe("/profile?error=email_not_verify&service=google");
  expect(await link(browser, "cancel")).toBe("/profile?error=access_denied&service=google");
  expect(await linkedTo(browser.userId)).toEqual([]);
});

test("linking fails unless the same user is still signed in when the browser returns", async () => {
  const browser = await signedIn("leaves@example.com");
  await newOwner(pg.pool, "comes@example.com");
  for (const change of [() => browser.ask({ url: "/logout" }), () => signInAgain(browser, "comes@example.com")]) {
    await signInAgain(browser, "leaves@example.com");
    const back = await browser.atProvider(redirectOf(await beginLink(browser)), { sub: "leaves" });
    await change();
    const end = redirectOf(await browser.oauthCallback(back));
    expect(end.pathname + end.search).toBe("/profile?error=reqid_expired&service=google");
  }
  const { rows } = await pg.pool.query("SELECT FROM social_identities WHERE subject = 'leaves'");
  expect(rows).toEqual([]);
});

test("an unknown return redirects a signed-in user to the profile", async () => {
  const browser = await signedIn("lost@example.com");
  const end = redirectOf(await browser.oauthCallback("/login/google/return?code=x&state=y"));
  expect(end.pathname + end.search).toBe("/profile?error=reqid_expired&service=google");
});

test("another site, or a browser without a session, can neither link nor unlink", async () => {
  const browser = await signedIn("csrf@example.com");
  await link(browser, { sub: "csrf" });
  const headers = { ...PAGE, "sec-fetch-site": "cross-site" };
  expect((await browser.ask({ url: "/profile/google", headers })).statusCode).toBe(403);
  const removal = { method: "POST", url: "/profile/google", payload: { del: 1 } } as const;
  expect((await browser.ask({ ...removal, headers })).statusCode).toBe(403);
  expect((await socialBrowser(app).ask(removal)).statusCode).toBe(401);
  expect((await browser.ask({ ...removal, payload: { del: 2 } })).statusCode).toBe(400);
  expect(await linkedTo(browser.userId)).toEqual(["csrf"]);
});

test("an impersonating admin can neither link nor unlink", async () => {
  const browser = await signedIn("visited@example.com");
  await link(browser, { sub: "visited" });
  const admin = await newOwner(pg.pool, "admin@example.com");
  await pg.pool.query("UPDATE memberships SET role = 'admin' WHERE user_id = $1", [admin.userId]);
  await pg.pool.query("UPDATE sessions SET switched_by = $2 WHERE user_id = $1", [browser.userId, admin.userId]);
  expect((await beginLink(browser)).statusCode).toBe(403);
  expect((await unlink(browser)).statusCode).toBe(403);
  expect(await linkedTo(browser.userId)).toEqual(["visited"]);
});

test("the last way to sign in cannot be removed, even by two removals at once; with a password it can", async () => {
  const browser = socialBrowser(app);
  await browser.signIn("google", { sub: "only", email: "only@example.com", email_verified: "true" });
  const refused = await unlink(browser);
  expect([refused.statusCode, refused.json()]).toEqual([
    409,
    { error: "Google is your only way to log in. Please set a password first" },
  ]);
  await link(browser, { sub: "only" }, "facebook");
  const both = await Promise.all([unlink(browser, "google"), unlink(browser, "facebook")]);
  expect(statusesOf(both)).toEqual([200, 409]);

  await pg.pool.query("UPDATE users SET password_hash = 'x' WHERE email = 'only@example.com'");
  const rest = await Promise.all([unlink(browser, "google"), unlink(browser, "facebook")]);
  expect(statusesOf(rest)).toEqual([200, 404]);
});

test("an identity provider without settings does not count as a way to sign in and can still be removed", async () => {
  const browser = socialBrowser(app);
  await browser.signIn("google", { sub: "gone", email: "gone@example.com", email_verified: "true" });
  await link(browser, { sub: "gone" }, "facebook");
  const googleAlone = await accountsServer(pg.pool, { settings: socialSettings({ google: provider }) });
  const later = { ...socialBrowser(googleAlone.app) };
  for (const [name, value] of browser.cookies) later.cookies.set(name, value);
  expect((await unlink(later, "google")).statusCode).toBe(409);
  expect((await unlink(later, "facebook")).statusCode).toBe(200);
});
