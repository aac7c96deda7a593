import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launchBrowser } from "./support/launch-browser.ts";
import { type PageScript, watchScript } from "./support/page-script.ts";
import { publisher, visitor } from "./support/people.ts";

const MOST_BYTES = 200 * 1024;

const platform = inject("platform");
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** What a browser loads that has never been here, until the page rests. */
async function scriptOf(context: BrowserContext, address: string, shows: string): Promise<PageScript> {
  try {
    const page = await context.newPage();
    const script = watchScript(page);
    await page.goto(address);
    await page.locator(shows).first().waitFor();
    await page.waitForLoadState("networkidle");
    return await script();
  } finally {
    await context.close();
  }
}

test.each([
  ["/apps", "#content tbody tr"],
  ["/apps/performance", "[aria-label='Key figures'] [aria-pressed]"],
])("a first visit of %s loads at most 200 KB of script beside its charts", async (address, shows) => {
  const { bytes } = await scriptOf(await publisher(browser, platform), address, shows);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("the front door loads at most 200 KB of script, and no chart", async () => {
  const { bytes, withCharts } = await scriptOf(await visitor(browser, platform), "/", "h1");
  expect(bytes).toBeGreaterThan(0);
  expect(withCharts).toBe(bytes);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("scripts come packed as the build has packed them, and are kept for ever", async () => {
  const page = await (await fetch(platform.url, { headers: { accept: "text/html" } })).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  const reply = await fetch(platform.url + script, { headers: { "accept-encoding": "br" } });
  expect(reply.headers.get("content-encoding")).toBe("br");
  expect(Number(reply.headers.get("content-length"))).toBeGreaterThan(0);
  expect(reply.headers.get("cache-control")).toContain("immutable");
  expect(reply.headers.get("vary")).toContain("accept-encoding");
});
