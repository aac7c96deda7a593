import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adServer, type AdServer } from "./support/ad-server.ts";
import { hasFocus } from "./support/on-page.ts";
import { bannerScript, sdkBrowser } from "./support/sdk-browser.ts";
import { eventsOf as pageEvents, loadAndShow, startSdk as startOn } from "./support/sdk-page.ts";
import { AWAITED } from "./support/timing.ts";

const sdk = sdkBrowser();
let server: AdServer;
let context: BrowserContext;
let page: Page;

beforeEach(async () => {
  server = await adServer(sdk.sdkDir);
  context = await sdk.browser.newContext({ viewport: { width: 360, height: 640 } });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

const startSdk = (more: { framePage?: boolean } = {}) => startOn(page, server, more);
type EventTypes = Parameters<typeof pageEvents> extends [Page, ...infer Types] ? Types : never;
const eventsOf = (...types: EventTypes) => pageEvents(page, ...types);

async function showBanner(): Promise<void> {
  await page.evaluate(() => {
    const place = document.querySelector<HTMLElement>("#place");
    if (place) void window.Millrace.showAd("home", { into: place, size: "320x50" });
  });
}

/** The ad's frame, inside the SDK's frame. */
const adIn = (place: string) => page.frameLocator(`${place} iframe`).frameLocator("iframe");

const takenBeacons = () => server.received.filter((taken) => taken !== "ping").sort();

const PRYING = `<p id="ad">prying</p><script>
const tries = { cookie: () => document.cookie, storage: () => localStorage.length, page: () => parent.document.title, top: () => top.location.href };
const reached = Object.keys(tries).filter((name) => { try { tries[name](); return true } catch { return false } });
document.getElementById("ad").textContent = "reached: " + reached.join() + " origin: " + origin;
</script>`;

test("a banner renders in a sandbox that cannot reach the page or its storage", async () => {
  server.markups = [PRYING];
  await startSdk();
  await showBanner();
  const frame = adIn("#place");
  await frame.getByText("reached:").waitFor();
  await expect.poll(() => frame.locator("#ad").textContent()).toBe("reached:  origin: null");
  const iframe = page.locator("#place iframe");
  expect(await iframe.getAttribute("sandbox")).toBe("allow-scripts allow-popups");
  expect(await iframe.getAttribute("title")).toBe("Advertisement");
  await expect.poll(() => iframe.boundingBox()).toMatchObject({ width: 320, height: 50 });
});

test("an impression fires once, with the revenue callback, and skipped ads fire their loss", async () => {
  server.markups = [" ", "<b>second</b>", "<b>third</b>"];
  await startSdk();
  await showBanner();
  await vi.waitFor(() => expect(takenBeacons()).toEqual(["impression 1", "loss 0"]), AWAITED);
  await expect
    .poll(() => eventsOf("revenuePaid"))
    .toEqual([
      {
        type: "revenuePaid",
        zone: "home",
        format: "banner",
        network: "partner-1",
        auction: "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11",
        priceMicros: 1500,
        precision: "exact",
        country: "DE",
      },
    ]);
  expect(await eventsOf("initialized", "loaded", "displayed")).toHaveLength(3);
});

test("an installation keeps its id and first day across restarts", async () => {
  const before = new Date().toISOString().slice(0, 10);
  await startSdk();
  await vi.waitFor(() => expect(server.inits).toHaveLength(1), AWAITED);
  const [first] = server.inits;
  expect([before, new Date().toISOString().slice(0, 10)]).toContain(first?.["first_day"]);
  await page.clock.setSystemTime(Date.now() + 3 * 86_400_000);
  await startSdk();
  await vi.waitFor(() => expect(server.inits).toHaveLength(2), AWAITED);
  expect(server.inits[1]).toMatchObject({ install_id: first?.["install_id"], first_day: first?.["first_day"] });
});

test("an ad of which one address never answers counts all the same", async () => {
  await page.route("**/hangs.png", () => {});
  server.markups = [`<b>ad</b><img src="${server.endpoint}/hangs.png">`];
  await startSdk();
  await showBanner();
  await vi.waitFor(() => expect(takenBeacons()).toEqual(["impression 0"]), AWAITED);
  expect(await eventsOf("displayed", "displayFailed")).toMatchObject([{ type: "displayed" }]);
  await adIn("#place").getByText("ad").waitFor();
});

test("a click opens the advertiser's page outside the sandbox and is counted", async () => {
  server.markups = [`<a href="${server.endpoint}/landing">buy</a>`];
  await startSdk();
  await showBanner();
  const opening = context.waitForEvent("page");
  await adIn("#place").getByText("buy").click();
  const landing = await opening;
  await landing.waitForLoadState();
  expect(await landing.title()).toBe("Landing");
  expect(await landing.evaluate(() => origin)).toBe(server.endpoint);
  expect(await landing.evaluate(() => opener === null)).toBe(true);
  await vi.waitFor(() => expect(takenBeacons()).toContain("click 0"), AWAITED);
});

test("an ad cannot click itself or open anything but a web address", async () => {
  const say = (url: string) => `parent.postMessage({ millrace: 1, open: ${JSON.stringify(url)} }, "*")`;
  server.markups = [`<b>ad</b><script>window.open("https://shop.example/"); ${say("https://shop.example/")}</script>`];
  server.pageScript = bannerScript(server);
  await page.goto(server.pageOrigin);
  await vi.waitFor(() => expect(takenBeacons()).toContain("impression 0"), AWAITED);
  await page.waitForTimeout(300);
  expect(context.pages()).toHaveLength(1);
  expect(takenBeacons()).toEqual(["impression 0"]);

  // From here on, a user clicks. The address must still be http or https.
  server.pageScript = "";
  server.markups = ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "blob:null/1"].map(
    (url) => `<button onclick='${say(url)}'>press</button>`,
  );
  for (const markup of server.markups) {
    server.markups = [markup];
    await startSdk();
    await showBanner();
    await adIn("#place").getByText("press").click();
  }
  await page.waitForTimeout(300);
  expect(context.pages()).toHaveLength(1);
  expect(takenBeacons().filter((taken) => taken.startsWith("click"))).toEqual([]);
});

test("a failed beacon is sent after the page is reloaded", async () => {
  server.cutBeacons = true;
  await startSdk();
  await showBanner();
  await expect.poll(() => eventsOf("revenuePaid")).toHaveLength(1);
  await page.waitForTimeout(300);
  expect(takenBeacons()).toEqual([]);

  server.cutBeacons = false;
  server.markups = [];
  await startSdk();
  await vi.waitFor(() => expect(takenBeacons()).toEqual(["impression 0"]), AWAITED);
  const left = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(".out.")).length);
  await vi.waitFor(async () => expect(await left()).toBe(0), AWAITED);
});

test("ads run in the SDK's frame page if the app's page has a strict Content-Security-Policy", async () => {
  server.pagePolicy = `default-src 'none'; script-src ${server.endpoint}; connect-src ${server.endpoint}; frame-src ${server.endpoint}`;
  server.markups = [PRYING.replace("prying", `<i style="color:rgb(1, 2, 3)">prying</i>`)];
  await startSdk({ framePage: true });
  await showBanner();
  const frame = adIn("#place");
  await frame.getByText("reached:").waitFor();
  await expect.poll(() => frame.locator("#ad").textContent()).toBe("reached:  origin: null");
  await vi.waitFor(() => expect(takenBeacons()).toEqual(["impression 0"]), AWAITED);
});

test("the frame page does nothing if it has an origin", async () => {
  const opened = await context.newPage();
  await opened.goto(`${server.endpoint}/sdk/frame.html`);
  await opened.evaluate(() => postMessage({ millrace: 1, markup: "<b>written</b>" }, "*"));
  await opened.waitForTimeout(200);
  expect(await opened.locator("b").count()).toBe(0);
});

async function showInterstitial(skipAfter: number): Promise<void> {
  await page.locator("#before").focus();
  await loadAndShow(page, "interstitial", skipAfter);
  await page.getByRole("dialog", { name: "Advertisement" }).waitFor();
}

const isClosed = () => page.evaluate(() => window.outcome?.ok ?? false);

test("an interstitial traps the focus, closes by button or Escape after its delay, and returns the focus", async () => {
  // A fake clock, so that the test does not depend on the machine's speed.
  await page.clock.install();
  await startSdk();
  await showInterstitial(600);
  const close = page.getByRole("button", { name: /^Close ad/ });
  expect(await close.getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Escape");
  // Forced, because Playwright would otherwise wait until the button is enabled.
  await close.click({ force: true });
  expect(await isClosed()).toBe(false);
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe("before");
  }

  await page.clock.runFor(600_000);
  await page.getByRole("button", { name: "Close ad", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(isClosed).toBe(true);
  await hasFocus(page.locator("#before"));
  await page.locator("dialog").waitFor({ state: "detached" });

  await showInterstitial(0);
  await page.getByRole("button", { name: "Close ad", exact: true }).click();
  await expect.poll(isClosed).toBe(true);
});

test("Escape inside the ad closes it too", async () => {
  server.markups = [`<input aria-label="inside">`];
  await startSdk();
  await showInterstitial(0);
  await adIn("dialog").getByLabel("inside").press("Escape");
  await expect.poll(isClosed).toBe(true);
});

const CODES = ["initializeFailed", "loadFailed", "displayFailed"] as const;

test("invalid options and an unreachable server never throw into the app", async () => {
  await startSdk();
  await server.close();
  const outcome = await page.evaluate(async () => {
    const { initialize, showAd, loadAd } = window.Millrace;
    const place = document.querySelector<HTMLElement>("#place");
    if (!place) return [];
    return [
      await showAd("no such zone!", { into: place }),
      await loadAd({ zone: "home", format: "banner" }),
      await initialize({ app: "nobody", platform: "android", endpoint: "x" }),
      await showAd("home"),
    ];
  });
  expect(outcome.map((each) => !each.ok && each.code)).toEqual(["options", "network", "options", "not_ready"]);
  expect(await eventsOf(...CODES)).not.toEqual([]);
});

test("what an ad blocker stops has a code of its own", async () => {
  await page.route("**/sdk/v1/ad", (route) => route.abort("blockedbyclient"));
  await startSdk();
  expect(await page.evaluate(() => window.Millrace.loadAd({ zone: "home", format: "banner" }))).toMatchObject({
    ok: false,
    code: "blocked",
  });
});

test("a renderer is loaded when the first ad needs it, and its failure is an ad that cannot be shown", async () => {
  await startSdk();
  await expect.poll(() => server.paths).toContain("/sdk/v1/init");
  expect(server.paths).not.toContain("/sdk/html.mjs");
  await page.route("**/sdk/html.mjs", (route) => route.abort());
  const load = () => page.evaluate(() => window.Millrace.loadAd({ zone: "home", format: "banner" }));
  expect(await load()).toMatchObject({ ok: false, code: "network" });
  expect(await eventsOf("loadFailed")).toHaveLength(1);
});
