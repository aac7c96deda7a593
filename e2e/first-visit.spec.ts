import type { BrowserContext } from "playwright-core";
import { expect, inject, test } from "vitest";
import { type PageScript, watchScript } from "./support/page-script.ts";
import { REMEMBER_LOGIN } from "./support/remember-login.ts";
import { demoApp } from "./support/sign-in.ts";
import { ADVERTISER, testUsers } from "./support/test-users.ts";

const QUIET_MS = 2000;
const MOST_BYTES = 200 * 1024;

const platform = inject("platform");
const people = testUsers();

/** The script that a first visit loads, until loading stops. */
async function scriptOf(context: BrowserContext, address: string, shows: string): Promise<PageScript> {
  const page = await context.newPage();
  const script = watchScript(page);
  await page.goto(address);
  await page.locator(shows).first().waitFor();
  // Charts load a moment later. The pages poll, so they never become idle.
  await page.waitForLoadState("load");
  await page.waitForTimeout(QUIET_MS);
  return script();
}

test("a first visit of the app list loads at most 200 KB of script, and no chart", async () => {
  const { bytes, withCharts } = await scriptOf(await people.publisher(), "/apps", "#content tbody tr");
  expect(bytes).toBeGreaterThan(0);
  expect(withCharts).toBe(bytes);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("a first visit of the performance page loads at most 200 KB of script besides its charts and its map", async () => {
  const { bytes, withCharts } = await scriptOf(
    await people.publisher(),
    "/apps/performance",
    "main [aria-roledescription=chart]",
  );
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  expect(withCharts).toBeGreaterThan(bytes);
});

test("a first visit of an app's statistics loads at most 200 KB of script, and its table when one scrolls to it", async () => {
  const address = `/apps/${await demoApp(platform)}/performance`;
  const { bytes } = await scriptOf(await people.publisher(), address, "main [aria-roledescription=chart]");
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("a first visit of the campaigns or of their form loads at most 200 KB of script, and no chart", async () => {
  const { context } = await people.newPerson({ role: "ADV" });
  for (const [address, shows] of [
    ["/campaign", "main a[href='/campaign/add']"],
    ["/campaign/add", "main form"],
  ] as const) {
    const { bytes, withCharts } = await scriptOf(context, address, shows);
    expect(bytes).toBeGreaterThan(0);
    expect(withCharts).toBe(bytes);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  }
});

test("a first visit of the cross promotions or of their form loads at most 200 KB of script, and no chart", async () => {
  for (const [address, shows] of [
    ["/inhouse", "#content tbody tr"],
    ["/inhouse/add", "main form"],
  ] as const) {
    const { bytes, withCharts } = await scriptOf(await people.publisher(), address, shows);
    expect(bytes).toBeGreaterThan(0);
    expect(withCharts).toBe(bytes);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  }
});

test("the session and a page's first figures are asked for with the document, and once", async () => {
  const context = await people.publisher();
  await context.addInitScript({ content: REMEMBER_LOGIN });
  for (const [address, call] of [
    ["/apps", "/apps.json"],
    ["/apps/performance", "/apps/performance/stats"],
    [`/apps/${await demoApp(platform)}/performance`, "/stats.json"],
  ] as const) {
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(address);
    await page.locator("main [aria-pressed], main tbody tr").first().waitFor();
    const first = (part: string) => asked.filter((url) => url.includes(part) && !/func=(?!totals)/.test(url));
    expect(first("/session.json")).toHaveLength(1);
    expect(first(call)).toHaveLength(1);
    const module = asked.findIndex((url) => url.includes("-page-"));
    expect(asked.indexOf(first(call)[0] ?? "")).toBeLessThan(module);
    await page.close();
  }
});

test("a first visit of the campaigns' performance loads at most 200 KB of script", async () => {
  const advertiser = await people.signedIn({ email: ADVERTISER, password: platform.password });
  const { bytes } = await scriptOf(advertiser, "/campaign/performance", "main [aria-roledescription=chart]");
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("the landing page loads at most 200 KB of script, and no chart", async () => {
  const { bytes, withCharts } = await scriptOf(await people.visitor(), "/", "h1");
  expect(bytes).toBeGreaterThan(0);
  expect(withCharts).toBe(bytes);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("scripts are served as compressed by the build, and cached forever", async () => {
  const page = await (await fetch(platform.url, { headers: { accept: "text/html" } })).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  const reply = await fetch(platform.url + script, { headers: { "accept-encoding": "br" } });
  expect(reply.headers.get("content-encoding")).toBe("br");
  expect(Number(reply.headers.get("content-length"))).toBeGreaterThan(0);
  expect(reply.headers.get("cache-control")).toContain("immutable");
  expect(reply.headers.get("vary")).toContain("accept-encoding");
});
