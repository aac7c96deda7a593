import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adServer, type AdServer } from "./support/ad-server.ts";
import { sdkBrowser } from "./support/sdk-browser.ts";
import { eventsOf, startSdk } from "./support/sdk-page.ts";
import { AWAITED } from "./support/timing.ts";

const sdk = sdkBrowser();
let server: AdServer;
let context: BrowserContext;
let page: Page;

beforeEach(async () => {
  server = await adServer(sdk.sdkDir);
  server.markupType = "native";
  server.markups = [native()];
  server.files.set("/count.js", {
    type: "text/javascript",
    body: `new Image().src = ${JSON.stringify(server.endpoint)} + "/track/script-" + origin`,
  });
  context = await sdk.browser.newContext({ viewport: { width: 360, height: 640 } });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

const native = (more: object = {}) =>
  JSON.stringify({
    ver: "1.2",
    link: { url: `${server.endpoint}/landing`, clicktrackers: [`${server.endpoint}/track/click`] },
    privacy: `${server.endpoint}/privacy`,
    assets: [
      { id: 1, title: { text: "<b>Tide</b> tea" } },
      { id: 4, data: { value: "Brewed at the harbour" } },
      { id: 5, data: { value: "Taste it" } },
      { id: 6, data: { value: "Harbour Tea" } },
    ],
    eventtrackers: [
      { event: 1, method: 1, url: `${server.endpoint}/track/impression` },
      { event: 1, method: 1, url: `${server.endpoint}/beacon/impression?t=0` },
      { event: 1, method: 2, url: `${server.endpoint}/count.js` },
    ],
    ...more,
  });

async function showNative(draws = false): Promise<unknown> {
  await startSdk(page, server);
  return page.evaluate(async (draws) => {
    const into = document.querySelector<HTMLElement>("#place");
    const loaded = await window.Millrace.loadAd({ zone: "feed", format: "native" });
    if (!loaded.ok || !into) return loaded;
    return window.Millrace.showAd("feed", {
      into,
      ...(draws && {
        draw: ({ title, callToAction, privacy }, element) => {
          const [text, why] = [document.createElement("p"), document.createElement("a")];
          text.textContent = `${callToAction}: ${title}`;
          why.textContent = "AdChoices";
          why.href = privacy ?? "";
          element.append(text, why);
        },
      }),
    });
  }, draws);
}

test("the default view shows the assets as text, counts once, and leads to the advertiser", async () => {
  expect(await showNative()).toMatchObject({ ok: true, format: "native" });
  const card = page.getByRole("article", { name: "Advertisement" });
  await card.getByText("<b>Tide</b> tea").waitFor();
  expect(await card.getByRole("link", { name: "Why this ad?" }).getAttribute("href")).toBe(
    `${server.endpoint}/privacy`,
  );
  const opening = context.waitForEvent("page");
  await card.getByRole("button", { name: "Taste it" }).press("Enter");
  await (await opening).waitForLoadState();
  await vi.waitFor(() => expect(server.received.sort()).toEqual(["click 0", "impression 0"]), AWAITED);
  await vi.waitFor(() => expect([...server.tracked].sort()).toEqual(["click", "impression", "script-null"]), AWAITED);
  expect(await eventsOf(page, "displayed", "clicked")).toHaveLength(2);
  await page.evaluate(() => window.Millrace.destroyAd("feed"));
  expect(await page.locator("#place > *").count()).toBe(0);
});

test("an app draws the assets itself, and a click on what it drew counts", async () => {
  expect(await showNative(true)).toMatchObject({ ok: true });
  const opening = context.waitForEvent("page");
  await page.getByText("Taste it: <b>Tide</b> tea").click();
  await (await opening).waitForLoadState();
  await vi.waitFor(() => expect(server.received).toContain("click 0"), AWAITED);
});

test("a link to the privacy page opens it in the app's own view, too, and is no click on the ad", async () => {
  server.files.set("/privacy", { type: "text/html", body: "<title>Why</title>" });
  await showNative(true);
  const opening = context.waitForEvent("page");
  await page.getByRole("link", { name: "AdChoices" }).click();
  const opened = await opening;
  await opened.waitForLoadState();
  expect(await opened.title()).toBe("Why");
  expect([page.url(), await eventsOf(page, "clicked")]).toEqual([`${server.pageOrigin}/`, []]);
  expect(server.paths).not.toContain("/landing");
});

test.each([
  ["no JSON", () => "{"],
  ["no title", () => native({ assets: [] })],
  ["a link that is no web address", () => native({ link: { url: "javascript:alert(1)" } })],
])("an ad with %s is passed over", async (_, markup) => {
  server.markups = [markup()];
  expect(await showNative()).toMatchObject({ ok: false, code: "render" });
});
