import { createHmac } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { addApp } from "./support/add-app.ts";
import {
  addCampaign,
  approveCreative,
  fillInCampaign,
  refillBalance,
  withCampaignForm,
} from "./support/add-campaign.ts";
import { clearOfMidnight, dayAgo } from "./support/clear-of-midnight.ts";
import { phoneOf } from "./support/ask-for-ad.ts";
import { waitForAddress, button, region, rowOf, withPage } from "./support/on-page.ts";
import { servePage } from "./support/serve-page.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { ADVERTISER, testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();

const PAGE = "/campaign/performance";
const today = () => `ds=${dayAgo(0)}&de=${dayAgo(0)}`;
// What a campaign buys is shown on the same day.
clearOfMidnight(240_000);

test("an advertiser without campaigns is led to them, and with one sees its filters, figures and files", async () => {
  const { context } = await people.newPerson({ role: "ADV" });
  await withPage(context, PAGE, (page) => page.getByText("Statistics start with the first campaign").waitFor());
  await addCampaign(context, "Autumn");
  await withPage(context, `${PAGE}?ds=2026-01-01&de=2026-01-02&view=campaign`, async (page) => {
    await expect.poll(() => page.title()).toBe("Performance · Millrace");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Performance" }).first().waitFor();
    await page.getByText("Campaign Balance").first().waitFor();
    await region(page, "Costs by campaigns").getByText("Your campaigns bought nothing in this period.").waitFor();
    await button(page, "All campaigns").click();
    await page.getByRole("option", { name: "Autumn" }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).searchParams.getAll("campaign")).toHaveLength(1);
    await region(page, "Costs by campaigns").getByRole("button", { name: "Clear the filters" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.getAll("campaign")).toEqual([]);

    // The table loads when one scrolls to it; its files have what the address says.
    await page.mouse.wheel(0, 5000);
    const file = region(page, "Statistics").getByRole("link", { name: "Download CSV" });
    const address = await file.getAttribute("href");
    expect(address).toContain("ds=2026-01-01&de=2026-01-02");
    const reply = await page.request.get(address ?? "");
    expect(await reply.text()).toMatch(/^Campaign,Requests,Impressions/);
    const pdf = await page.request.get(address?.replace(".csv", ".pdf") ?? "");
    expect((await pdf.body()).subarray(0, 5).toString()).toBe("%PDF-");
  });
});

/** Clicks the ad of a page, which leads to the advertiser's shop, and returns the click id that the shop gets. */
async function clickAd(viewer: BrowserContext, page: Page, shopUrl: string): Promise<string> {
  const opened = viewer.waitForEvent("page");
  await page.locator("img").first().click();
  const shop = await opened;
  await shop.waitForURL(`${shopUrl}?**`);
  return new URL(shop.url()).searchParams.get("click_id") ?? "";
}

/** Reports an install as docs/postbacks.md says, signed with a secret. */
async function reportInstall(address: string, clickId: string, secret: string): Promise<number> {
  const params = `click_id=${encodeURIComponent(clickId)}&event=install`;
  const signature = createHmac("sha256", secret).update(params).digest("hex");
  return (await fetch(`${address}?${params}&signature=${signature}`)).status;
}

test("a campaign made in the browser buys what fits it, a click and a signed postback are its conversion, and both sides count the same", async () => {
  const [advertiser, publisher, admin] = [
    await people.newPerson({ role: "ADV" }),
    await people.newPerson(),
    await people.admin(),
  ];
  const app = await addApp(publisher.context, "android", "Market");
  const shop = await servePage("", "The shop");
  // A bid has to name a domain, and browsers find every one below localhost on this machine.
  const shopUrl = `http://shop.localhost:${new URL(shop.url).port}/tide`;
  await refillBalance(admin, advertiser.email);
  await withCampaignForm(advertiser.context, async (page) => {
    await fillInCampaign(page, "Spring");
    await page.getByLabel(/^Start now/).check();
    await page.getByLabel("Bid (CPM)").fill("2.50");
    await page.getByRole("heading", { name: "Measurement" }).scrollIntoViewIfNeeded();
    await page.getByLabel("Click link (optional)").fill(`${shopUrl}?click_id={click_id}`);
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/campaign");
  });
  await approveCreative(admin, advertiser.email, "Spring");

  const ask = phoneOf(platform, app);
  let bid: Awaited<ReturnType<typeof ask>>;
  await expect.poll(async () => (bid = await ask("DEU"))?.price, { interval: 500 }).toBe(2.5);
  // Another person's campaign may buy this one, Spring does not.
  expect((await ask("FRA"))?.cid).not.toBe(bid?.cid);
  const site = await servePage("", bid?.adm ?? "");
  const viewer = await people.visitor({ isPlain: true });
  let clickId = "";
  await withPage(viewer, site.url, async (page) => {
    const picture = page.locator("img").first();
    await expect.poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(320);
    clickId = await clickAd(viewer, page, shopUrl);
  });
  await Promise.all([site.close(), shop.close()]);

  await withPage(advertiser.context, "/campaign", async (page) => {
    await page.getByRole("link", { name: "Edit Spring" }).click();
    await page.getByRole("heading", { name: "Measurement" }).scrollIntoViewIfNeeded();
    const postbacks = region(page, "Postbacks");
    await postbacks.getByRole("button", { name: "Make a secret" }).click();
    await postbacks.getByText(/the secret is not shown again/).waitFor();
    const shown = new URL((await postbacks.getByText(/\/postback\//).textContent()) ?? "");
    const [address, secret] = [shown.origin + shown.pathname, shown.searchParams.get("secret") ?? ""];
    expect(await reportInstall(address, clickId, "a guess")).toBe(401);
    expect(await reportInstall(address, clickId, secret)).toBe(200);
    expect(await reportInstall(address, clickId, secret)).toBe(409);
    // The list is live.
    await rowOf(page, "Accepted").waitFor();
    await rowOf(page, "Counted before").waitFor();
    await rowOf(page, "The secret or the signature is wrong").waitFor();
    expect(await postbacks.getByRole("list").getByRole("listitem").allTextContents()).toEqual([
      "1 Accepted",
      "1 The secret or the signature is wrong",
      "1 Counted before",
    ]);
    await region(page, "Comparison of creatives")
      .getByText(/Creatives are compared once two/)
      .waitFor();
  });

  await withPage(advertiser.context, `${PAGE}?${today()}`, async (page) => {
    const figures = page.getByRole("group", { name: "Key figures" });
    await expect.poll(() => figures.textContent()).toContain("$0.0025");
    await expect.poll(() => figures.textContent()).toMatch(/Conversions1\D/);
  });
  await withPage(advertiser.context, "/campaign", async (page) => {
    await page.getByRole("link", { name: "Campaign balance" }).click();
    await waitForAddress(page, "/payment/balance");
    await rowOf(page, "Spring").getByText("−$0.0025").waitFor();
    await rowOf(page, "Refill").getByText("+$500.00").waitFor();
    expect(await faultsOn(page, "the campaign balance", LOOKS_WITH_TABLET)).toEqual([]);
    expect(await tabThrough(page)).toEqual([]);
  });
  await withPage(publisher.context, `/apps/performance?${today()}`, async (page) => {
    const figures = page.getByRole("group", { name: "Key figures" });
    await expect.poll(() => figures.textContent()).toContain("$0.002");
  });
});

test("a publisher has no such pages", async () => {
  const context = await people.publisher();
  for (const path of [`${PAGE}.json`, "/payment/balance.json"])
    expect((await context.request.get(path)).status()).toBe(403);
});

test("the demo's performance fits and passes the accessibility checks", { timeout: LOOKING_MS }, async () => {
  const context = await people.signedIn({ email: ADVERTISER, password: platform.password });
  await withPage(context, PAGE, async (page) => {
    await region(page, "Costs").locator("[aria-roledescription=chart]").waitFor();
    await page.getByRole("group", { name: "Key figures" }).waitFor();
    expect(await faultsOn(page, "campaigns' performance", LOOKS_WITH_TABLET)).toEqual([]);
  });
});
