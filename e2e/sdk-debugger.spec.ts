import { type Format, FORMATS } from "@millrace/contract";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import type { DemoConfig } from "../demo/page/demo-config.ts";
import { adServer, type AdServer } from "./support/ad-server.ts";
import { faultsOn, LOOKING_MS } from "./support/screens.ts";
import { sdkBrowser } from "./support/sdk-browser.ts";
import { eventsOf, startSdk } from "./support/sdk-page.ts";
import { signIn } from "./support/sign-in.ts";
import { AWAITED } from "./support/timing.ts";

const platform = inject("platform");
const sdk = sdkBrowser();
let server: AdServer;
let context: BrowserContext;
let page: Page;
let dialog: Locator;

beforeEach(async () => {
  server = await adServer(sdk.sdkDir);
  const { endpoint } = server;
  server.pagePolicy = `default-src 'none'; script-src ${endpoint}; connect-src ${endpoint}; frame-src ${endpoint}; media-src ${endpoint}; img-src ${endpoint}`;
  context = await sdk.browser.newContext();
  page = await context.newPage();
  dialog = page.getByRole("dialog", { name: "Debugger" });
});
afterEach(async () => {
  await context.close();
  await server.close();
});

/** Below the number of calls that a debugger may make in a minute. */
const SELDOM = { timeout: 60_000, interval: 2000 };

const AUCTION = "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11";
const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const reply = (name = "Puzzle") => ({
  app: { uuid: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", name, is_live: true, is_switched_off: false },
  token_expires_at: "2026-11-24T11:00:00.000Z",
  latest_sdk_version: "1.0.0",
  app_ads: "missing",
  zones: [{ zone: "home", name: "Home", format: "video", refresh_seconds: 30 }],
  partners: [
    { provider: "cedar", name, is_on: true, has_banner_keys: true, has_video_keys: true, is_paused: false },
    { provider: "larch", name: "Larch", is_on: true, has_banner_keys: false, has_video_keys: false, is_paused: false },
  ],
  adapters: [{ adapter: "Cedar", line_item: name, format: "video" }],
  auctions: [
    {
      auction: AUCTION,
      at: "2026-11-24T10:00:00.000Z",
      zone: "home",
      format: "banner",
      test: false,
      sentence: `${name} won the banner`,
      detail: "",
      price: 2_500_000,
      answered_ms: 41.2,
      participants: [
        {
          provider: "cedar",
          name,
          result: "timeout",
          label: "Timed out",
          text: "No answer in time",
          price: null,
          latency_ms: 100,
        },
      ],
    },
  ],
});

async function open(token?: string): Promise<void> {
  await startSdk(page, server, { framePage: true });
  await vi.waitFor(async () => expect(await eventsOf(page, "initialized")).toHaveLength(1), AWAITED);
  await page.evaluate(() => window.Millrace.loadAd({ zone: "home", format: "banner" }));
  expect(await page.evaluate((given) => window.Millrace.showDebugger(given), token)).toEqual({ ok: true });
  await dialog.waitFor();
}
const part = (name: string) => dialog.locator("section").filter({ has: page.getByRole("heading", { name, level: 2 }) });
const lineOf = async (section: string, name: string) => {
  const found = part(section)
    .locator(".lines > li")
    .filter({ has: page.locator("strong", { hasText: name }) });
  return (await found.first().innerText()).replaceAll(/\s+/g, " ");
};

test("without a token, it shows what the page knows, and asks the platform nothing", async () => {
  await open();
  const seen = async (name: string, text: string) => expect(await lineOf("Set-up", name)).toContain(text);
  await vi.waitFor(() => seen("SDK version", "OK"), AWAITED);
  await seen("App", "OK");
  await seen("Configuration", "OK");
  await seen("Storage", "OK");
  await seen("Test mode", "OK");
  await seen("app-ads.txt", "Enter a token");
  expect(await lineOf("Zones", "home")).toContain("Seen on this page (banner)");
  await part("Last auctions").locator("summary").click();
  const link = dialog.getByRole("link", { name: "Open the auction in the dashboard" });
  expect(await link.getAttribute("href")).toBe(`${server.endpoint}/auctions/${AUCTION}`);
  expect(server.debugCalls).toEqual([]);
  expect(server.paths.filter((path) => path === "/sdk/v1/ad")).toHaveLength(1);
});

test("with a token, it shows the partners, the adapters that are missing, and each partner's result", async () => {
  server.debug = { status: 200, body: JSON.stringify(reply()) };
  await open();
  await dialog.getByLabel("Debug token").fill("a-token");
  await page.keyboard.press("Enter");
  await vi.waitFor(async () => expect(await lineOf("Set-up", "app-ads.txt")).toContain("Problem"), AWAITED);
  expect(server.debugCalls).toEqual([{ token: "a-token", auctions: [AUCTION] }]);
  expect(await lineOf("Zones", "home")).toContain("Problem");
  expect(await lineOf("Partners and adapters", "Puzzle")).toContain("keys for banners and video");
  expect(await lineOf("Partners and adapters", "Cedar")).toContain("Not registered in this app");
  await part("Last auctions").locator("summary").click();
  expect(await part("Last auctions").innerText()).toMatch(
    /Puzzle won the banner[^]*CPM \$2\.50[^]*Timed out, 100 ms[^]*No answer in time/,
  );
});

test("a hostile answer becomes text, and a garbled one a sentence", async () => {
  server.debug = { status: 200, body: JSON.stringify(reply(HOSTILE)) };
  await open("a-token");
  await vi.waitFor(async () => expect(await part("Partners and adapters").innerText()).toContain(HOSTILE), AWAITED);
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  for (const [status, body, says] of [
    [200, "<!doctype html>", "is not from Millrace"],
    [200, JSON.stringify(reply()).slice(0, 90), "is not from Millrace"],
    [200, "[]", "is not from Millrace"],
    [400, `{"error":{"token":"This debug token is not valid"}}`, "This debug token is not valid"],
    [500, "", "answered 500"],
  ] as const) {
    server.debug = { status, body };
    await dialog.getByRole("button", { name: "Refresh" }).click();
    await vi.waitFor(async () => expect(await dialog.getByRole("alert").innerText()).toContain(says), AWAITED);
    await vi.waitFor(async () => expect(await lineOf("Set-up", "app-ads.txt")).toContain("Enter a token"), AWAITED);
  }
  server.debug = { status: 200, body: JSON.stringify({ ...reply(), partners: [null, 7], auctions: [{}], zones: "x" }) };
  await dialog.getByRole("button", { name: "Refresh" }).click();
  await vi.waitFor(async () => expect(await lineOf("Set-up", "app-ads.txt")).toContain("Problem"), AWAITED);
  expect(await part("Partners and adapters").innerText()).toContain("keys at no partner");
});

test("it is a dialog that keeps the focus, and Escape gives it back to where it was", async () => {
  await startSdk(page, server, { framePage: true });
  await page.locator("#before").focus();
  await page.evaluate(() => window.Millrace.showDebugger());
  await dialog.waitFor();
  const focused = () =>
    page.evaluate(() => {
      const inside = document.activeElement?.shadowRoot?.activeElement;
      return inside?.textContent ?? inside?.id ?? document.activeElement?.id ?? "";
    });
  expect(await focused()).toBe("Debugger");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Refresh");
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe("before");
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("before");
});

test("axe finds nothing on it, on a phone and on a desktop, light and dark", { timeout: LOOKING_MS }, async () => {
  server.debug = { status: 200, body: JSON.stringify(reply()) };
  // The test's own tool needs a page without a policy.
  server.pagePolicy = null;
  await open("a-token");
  await vi.waitFor(async () => expect(await lineOf("Set-up", "app-ads.txt")).toContain("Problem"), AWAITED);
  for (const summary of await dialog.locator("summary").all()) await summary.click();
  expect(await faultsOn(page, "the debugger")).toEqual([]);
});

const BUTTONS = {
  banner: "Banner",
  interstitial: "Interstitial",
  video: "Video",
  rewarded: "Rewarded video",
  native: "Native",
  audio: "Audio",
};
const show = (format: Format) => dialog.getByRole("button", { name: BUTTONS[format], exact: true }).click();
const logged = async () => (await dialog.locator(".log").innerText()).split("\n");

test.each(FORMATS)(
  "a drawn %s ad is shown under a strict policy, and nothing of it leaves the page",
  async (format) => {
    await open();
    const before = server.paths.filter((path) => !path.endsWith(".mjs")).length;
    await show(format);
    await vi.waitFor(async () => expect(await logged()).toContain("displayed"), AWAITED);
    const ad = page.getByRole("dialog", { name: "Advertisement" });
    if (format === "interstitial" || format === "video" || format === "rewarded") await ad.waitFor();
    if (format === "native")
      expect(await dialog.getByRole("article", { name: "Advertisement" }).innerText()).toContain("Test ad");
    if (format === "rewarded") {
      await ad
        .locator("video")
        .evaluate((video: HTMLVideoElement) => (video.currentTime = Math.max(0, video.duration - 0.5)));
      await vi.waitFor(async () => expect(await logged()).toContain("rewardReceived: 1 test reward"), AWAITED);
    }
    const since = server.paths.filter((path) => !path.endsWith(".mjs")).slice(before);
    expect(since.filter((path) => !/^\/sdk\/(frame\.(html|js)|test\.(mp4|svg))$/.test(path))).toEqual([]);
    // The app hears nothing of the debugger's own ads.
    expect(await eventsOf(page, "displayed", "revenuePaid", "requested")).toHaveLength(1);
  },
);

test("the app's own requests get test ads while it says so, and real ones after that", async () => {
  await open();
  await dialog.getByLabel("The app's own requests get these ads too").check();
  await dialog.getByRole("button", { name: "Close" }).click();
  const badge = page.getByRole("button", { name: "Debugger: test ads are on" });
  await badge.waitFor();
  const asked = server.adRequests.length;
  const loaded = await page.evaluate(() => window.Millrace.loadAd({ zone: "card", format: "native" }));
  expect(loaded).toMatchObject({ ok: true, network: "debugger", zone: "card" });
  await page.evaluate(() =>
    window.Millrace.showAd("card", { into: document.querySelector<HTMLElement>("#place") ?? document.body }),
  );
  expect(await page.locator("#place").innerText()).toContain("Test ad");
  await vi.waitFor(
    async () => expect(await eventsOf(page, "revenuePaid")).toMatchObject([{ priceMicros: 0 }]),
    AWAITED,
  );
  const delivered = async () => JSON.stringify(await eventsOf(page, "delivery"));
  await vi.waitFor(async () => expect(await delivered()).toContain("/sdk/debugger/beacon/impression"), AWAITED);
  expect([server.adRequests.length, server.received.filter((each) => each !== "ping")]).toEqual([asked, []]);
  await badge.click();
  await dialog.getByLabel("The app's own requests get these ads too").uncheck();
  await page.keyboard.press("Escape");
  await badge.waitFor({ state: "detached" });
  const real = await page.evaluate(() => window.Millrace.loadAd({ zone: "again", format: "banner" }));
  expect(real).toMatchObject({ ok: true, network: "partner-0" });
});

test("a partner is forced by a test request in the app's session", async () => {
  server.debug = { status: 200, body: JSON.stringify(reply("Cedar Ads")) };
  await open("a-token");
  const source = dialog.getByLabel("Where test ads come from");
  await vi.waitFor(async () => expect(await source.innerText()).toContain("Cedar Ads"), AWAITED);
  await source.selectOption("cedar");
  await show("banner");
  await vi.waitFor(async () => expect(await logged()).toContain("displayed"), AWAITED);
  expect(server.adRequests.at(-1)).toMatchObject({
    session: "a-session",
    zone: "debugger",
    format: "banner",
    test: 1,
    debug: { token: "a-token", provider: "cedar" },
  });
  expect(server.inits).toHaveLength(1);
});

test("before initialize, and without its file, it does not open, and says why", async () => {
  await page.goto(server.pageOrigin);
  expect(await page.evaluate(() => window.Millrace.showDebugger())).toMatchObject({
    ok: false,
    code: "not_initialized",
  });
  await page.route("**/debugger.mjs", (route) => route.abort());
  await startSdk(page, server);
  expect(await page.evaluate(() => window.Millrace.showDebugger())).toMatchObject({ ok: false, code: "network" });
});

test("on the sample game, a token of the dashboard shows its partners and the reasons of its last auction", async () => {
  const config = (await (await fetch(`${platform.url}/demo/config.json`)).json()) as DemoConfig;
  const { cookie } = await signIn(platform);
  const made = await fetch(`${platform.url}/apps/${config.app}/debug_token`, {
    method: "POST",
    headers: { cookie, "sec-fetch-site": "same-origin" },
  });
  const { token } = (await made.json()) as { token: string };
  await page.goto(`${platform.url}/demo/app`);
  await expect
    .poll(
      () =>
        page
          .locator("#log li")
          .filter({ hasText: /Impression|No ad/ })
          .count(),
      AWAITED,
    )
    .toBeGreaterThan(0);
  await page.getByRole("button", { name: "Debugger" }).click();
  await dialog.getByLabel("Debug token").fill(token);
  await page.keyboard.press("Enter");
  await vi.waitFor(async () => expect(await lineOf("Set-up", "App")).toContain("known and approved"), AWAITED);
  await vi.waitFor(async () => {
    await dialog.getByRole("button", { name: "Refresh" }).click();
    expect(await part("Last auctions").locator(".partners li").count()).toBeGreaterThan(3);
  }, SELDOM);
  await dialog.getByLabel("Where test ads come from").selectOption("all");
  await show("banner");
  await vi.waitFor(async () => expect((await logged()).join()).toMatch(/displayed|No banner ad/), AWAITED);
});
