import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { deviceOf, traceOf } from "./support/ask-for-ad.ts";
import { faultsOn, LOOKING_MS } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();
const MOST_STEPS = 4;
const MOST_ASKS = 200;

/** A request of a demo app that got no ad, once its trace is stored. */
async function requestWithoutAd(context: BrowserContext): Promise<{ app: string; auction: string; sentence: string }> {
  const app = await appNamed(context, "Paper Fleet");
  const device = await deviceOf(platform, app);
  for (let asks = 0; asks < MOST_ASKS; asks++) {
    const { ads, auction } = await device.ask("main_banner", "banner");
    if (ads.length > 0) continue;
    const { imps } = await traceOf(context, auction);
    return { app, auction, sentence: imps[0]?.sentence ?? "" };
  }
  throw new Error(`Each of ${MOST_ASKS} requests got an ad`);
}

const rows = (page: Page) => page.getByRole("list", { name: "Requests, newest first" }).getByRole("link");

test.each([1440, 360])(
  "the cause of a request without an ad is at most four steps from the app's page, at %i px",
  { timeout: 300_000 },
  async (width) => {
    const context = await people.publisher();
    const { app, auction, sentence } = await requestWithoutAd(context);
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/apps/${app}/performance`);
    let steps = 0;
    const step = async (to: Locator) => {
      await to.click();
      steps++;
    };

    await step(page.getByRole("navigation", { name: "App" }).getByRole("link", { name: "Requests" }));
    await page.getByLabel("Auction ID").waitFor();
    if (width < 640) await step(page.getByRole("button", { name: "Filters", exact: true }));
    await step(page.getByRole("button", { name: "No ad", exact: true }));
    await page.waitForURL(({ search }) => search.includes("outcome=no_ad"));
    const row = page.locator(`a[href^="/auctions/${auction}"]`);
    await row.waitFor();
    await step(row);
    await page.getByText(sentence, { exact: true }).waitFor();
    expect(sentence).toMatch(/^This banner request got no ad: .+\.$/);
    expect(steps).toBeLessThanOrEqual(MOST_STEPS);
    await page.close();
  },
);

test(
  "the requests and an auction fit, pass the accessibility checks, and lead on",
  { timeout: LOOKING_MS },
  async () => {
    const context = await people.publisher();
    const { app, auction } = await requestWithoutAd(context);
    const page = await context.newPage();
    await page.goto(`/apps/${app}/requests`);
    await rows(page).first().waitFor();
    expect(await faultsOn(page, "the requests of an app")).toEqual([]);

    await page.getByLabel("Auction ID").fill(auction);
    await page.keyboard.press("Enter");
    await page.waitForURL(({ pathname }) => pathname === `/auctions/${auction}`);
    const lanes = page.getByRole("listbox", { name: "Partners asked" });
    await lanes.waitFor();
    expect(await faultsOn(page, "an auction")).toEqual([]);

    const first = lanes.getByRole("option").first();
    await first.focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => lanes.getByRole("option").nth(1).getAttribute("aria-selected")).toBe("true");
    // The floor leads to the rule that set it, below the partners' scorecards.
    await page.getByRole("link", { name: /^Why\? The floor/ }).click();
    const floor = page.getByRole("region", { name: "Floors" }).getByLabel("Floor in $");
    await expect.poll(async () => (await floor.boundingBox())?.y ?? Infinity, { timeout: 20_000 }).toBeLessThan(900);
    await page.goBack();
    await page.getByRole("link", { name: "Filter requests like this" }).click();
    await rows(page).first().waitFor();
    expect(new URL(page.url()).searchParams.get("outcome")).toBe("no_ad");
    await page.close();
  },
);
