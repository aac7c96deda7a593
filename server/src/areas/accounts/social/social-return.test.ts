import { afterAll, expect, test } from "vitest";
import type { Log } from "../../../platform/log.ts";
import { startOidcProvider } from "../../../platform/testing/start-oidc-provider.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { PUBLIC_URL, accountsServer } from "../testing/accounts-server.ts";
import { countUsers } from "../testing/people-by-email.ts";
import {
  REDIRECT_URIS,
  pathOf,
  redirectOf,
  socialBrowser,
  socialSettings,
  statusOf,
  verified,
} from "../testing/social-browser.ts";
import { deleteExpiredRequests } from "./pending-request.ts";

// How a return is tied to its browser, its identity provider and its ten minutes.

const pg = await testPostgres();
const provider = await startOidcProvider({ redirectUris: REDIRECT_URIS });
const another = await startOidcProvider({ redirectUris: REDIRECT_URIS });
afterAll(() => Promise.all([provider.close(), another.close()]));

let lateMs = 0;
const logged: string[] = [];
const keep = (facts: object, message: string) => void logged.push(JSON.stringify(facts), message);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
const { app } = await accountsServer(pg.pool, {
  log,
  clock: { now: () => Date.now() + lateMs },
  settings: socialSettings({ google: provider, facebook: another }),
});

test("a return address works once: a repeat is refused without exchanging its code", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("once"));
  const cookies = new Map(browser.cookies);
  expect(pathOf(redirectOf(await browser.oauthCallback(back)))).toBe("/apps");
  const exchanges = provider.exchanges();
  const replay = socialBrowser(app);
  for (const [name, value] of cookies) replay.cookies.set(name, value);
  expect(pathOf(redirectOf(await replay.oauthCallback(back)))).toBe("/login?error=reqid_expired&service=google");
  expect(await statusOf(replay)).toBe(401);
  expect(provider.exchanges()).toBe(exchanges);
});

test("a return in another browser is refused and leaves both sign-ins intact", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("bound"));
  const other = socialBrowser(app);
  const exchanges = provider.exchanges();
  for (const prepare of [async () => undefined, () => other.begin("google")]) {
    await prepare();
    expect(pathOf(redirectOf(await other.oauthCallback(back)))).toBe("/login?error=reqid_expired&service=google");
    expect(await statusOf(other)).toBe(401);
  }
  expect(provider.exchanges()).toBe(exchanges);
  expect(pathOf(redirectOf(await browser.oauthCallback(back)))).toBe("/apps");
});

test("a changed, missing or other identity provider's state is refused", async () => {
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
    const end = redirectOf(await browser.oauthCallback(path));
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
  expect(pathOf(redirectOf(await browser.oauthCallback(back)))).toBe("/login?error=other&service=google");
  expect([await statusOf(browser), await countUsers(pg.pool, "mixed-up@example.com")]).toEqual([401, 0]);
});

test("a return from another issuer (RFC 9207) or with another user's code is refused", async () => {
  const browser = socialBrowser(app);
  const back = new URL(await browser.atProvider(await browser.begin("google"), verified("mix")), PUBLIC_URL);
  back.searchParams.set("iss", another.issuer);
  expect(pathOf(redirectOf(await browser.oauthCallback(pathOf(back))))).toBe("/login?error=other&service=google");

  const thief = socialBrowser(app);
  const [mine, theirs] = [await browser.begin("google"), await thief.begin("google")];
  const stolen = new URL(await browser.atProvider(mine, verified("robbed")), PUBLIC_URL);
  stolen.searchParams.set("state", theirs.searchParams.get("state") ?? "");
  expect(pathOf(redirectOf(await thief.oauthCallback(pathOf(stolen))))).toBe("/login?error=other&service=google");
  expect(await statusOf(thief)).toBe(401);
});

test("an unreachable identity provider fails the return with an error and the next sign-in with a problem", async () => {
  const gone = await startOidcProvider({ redirectUris: REDIRECT_URIS });
  const { app: other } = await accountsServer(pg.pool, { settings: socialSettings({ google: gone }) });
  const browser = socialBrowser(other);
  const back = await browser.atProvider(await browser.begin("google"), verified("gone"));
  await gone.close();
  expect(pathOf(redirectOf(await browser.oauthCallback(back)))).toBe("/login?error=other&service=google");
  expect((await browser.ask({ method: "POST", url: "/login/facebook" })).statusCode).toBe(404);
  expect((await browser.ask({ url: "/login/facebook/return?state=x" })).statusCode).toBe(404);

  const { app: third } = await accountsServer(pg.pool, { settings: socialSettings({ google: gone }) });
  const refused = await socialBrowser(third).ask({ method: "POST", url: "/login/google" });
  expect([refused.statusCode, refused.json()]).toEqual([
    503,
    { error: "Google does not answer right now. Please try again or sign in another way" },
  ]);
  expect(refused.headers["retry-after"]).toBe("30");
});

test("a return after ten minutes is refused, and expired requests are deleted", async () => {
  const browser = socialBrowser(app);
  const back = await browser.atProvider(await browser.begin("google"), verified("late"));
  lateMs = 601_000;
  expect(pathOf(redirectOf(await browser.oauthCallback(back)))).toBe("/login?error=reqid_expired&service=google");
  lateMs = 0;
  expect(pathOf(redirectOf(await browser.oauthCallback(back)))).toBe("/apps");

  await browser.begin("google");
  const kept = async () => (await pg.pool.query("SELECT FROM social_requests")).rowCount;
  const before = await kept();
  await deleteExpiredRequests(pg.pool, new Date());
  expect([before, await kept()]).toEqual([before, before]);
  await deleteExpiredRequests(pg.pool, new Date(Date.now() + 601_000));
  expect([Number(before) > 0, await kept()]).toEqual([true, 0]);
});

test("another site cannot begin a sign-in, and an address can begin at most a hundred", async () => {
  const browser = socialBrowser(app);
  const headers = { "sec-fetch-site": "cross-site" };
  expect((await browser.ask({ method: "POST", url: "/login/google", headers })).statusCode).toBe(403);
  for (let tries = 0; tries < 100; tries++) await browser.begin("google");
  const slowed = await browser.ask({ method: "POST", url: "/login/google" });
  expect([slowed.statusCode, Number(slowed.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect((await socialBrowser(app).ask({ method: "POST", url: "/login/google" })).statusCode).toBe(200);
});

test("codes, states and the browser binding are neither logged nor stored in the clear", async () => {
  const browser = socialBrowser(app);
  const address = await browser.begin("google");
  const state = address.searchParams.get("state") ?? "";
  const held = browser.cookies.get("__Host-millrace-social") ?? "";
  address.searchParams.set("nonce", "another");
  const back = await browser.atProvider(address, verified("secrets"));
  const { rows } = await pg.pool.query<{ row: string }>("SELECT to_jsonb(r)::text AS row FROM social_requests r");
  expect(rows.some(({ row }) => row.includes(state))).toBe(true);
  expect(rows.filter(({ row }) => row.includes(held))).toEqual([]);
  await browser.oauthCallback(back);
  expect(logged.join("\n")).toContain("a social sign-in failed at its identity provider");
  const code = new URL(back, PUBLIC_URL).searchParams.get("code") ?? "";
  for (const secret of [state, held, code, provider.clientSecret, "secrets@example.com"]) {
    expect(secret).not.toBe("");
    expect(logged.filter((line) => line.includes(secret))).toEqual([]);
  }
});
