import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import { isPlayed, someFilm } from "./real-video.ts";
import { waitForAddress, button, dialog, inDialog, rowOf, withPage } from "./on-page.ts";
import { pngOf } from "./png-of.ts";
import { OWN_PAGE } from "./session-of.ts";

/** The store's answer, because tests must not depend on it. Saving does not ask the store again. */
export async function withStore(page: Page): Promise<void> {
  const id = "com.example.tide";
  const url = `https://play.google.com/store/apps/details?id=${id}`;
  const item = { id: `android:${id}`, platform: "android", name: "Tide Puzzle", logo_url: null, url };
  const found = { qid: "q1", status: "done", items: [{ ...item, store_id: id, bundle_id: id }] };
  await page.route("**/campaign/app_info", (route) => route.fulfill({ json: found }));
}

/** Runs with the form of a new campaign, opened from the list. */
export const withCampaignForm = (context: BrowserContext, run: (page: Page) => Promise<void>): Promise<void> =>
  withPage(context, "/campaign", async (page) => {
    await withStore(page);
    await page.getByRole("link", { name: "Add Campaign", exact: true }).click();
    await waitForAddress(page, "/campaign/add");
    await page.getByLabel("Campaign name").waitFor();
    await run(page);
  });

/** Fills in a form with everything that is required: an app, a name, a country and a creative, an image by default. */
export async function fillInCampaign(page: Page, name: string, format: "image" | "video" = "image"): Promise<void> {
  await page.getByLabel("App", { exact: true }).fill("com.example.tide");
  await button(page, "Find").click();
  await button(page, "Change").waitFor();
  await page.getByLabel("Campaign name").fill(name);
  await button(page, "Choose countries").click();
  await page.getByLabel("Search countries").fill("Germany");
  await page.getByRole("option", { name: "Germany", exact: true }).click();
  await page.keyboard.press("Escape");
  if (format === "video") await page.getByRole("radio", { name: "Video" }).check();
  await button(page, "Add a creative").click();
  if (format === "video") {
    await page.getByLabel("Choose a video, or drop it here").setInputFiles(await someFilm());
    await isPlayed(page.getByLabel("The uploaded creative"));
  } else {
    const buffer = pngOf(320, 480);
    await page
      .getByLabel("Choose an image, or drop it here")
      .setInputFiles({ name: "tide.png", mimeType: "image/png", buffer });
    await page.getByAltText("The uploaded creative").waitFor();
  }
  await page.getByLabel("Click URL").fill("https://shop.example/tide");
  await button(page, "Add").click();
}

/** Adds a campaign and returns its id. */
export async function addCampaign(context: BrowserContext, name: string): Promise<string> {
  let uuid = "";
  await withCampaignForm(context, async (page) => {
    await fillInCampaign(page, name);
    const [reply] = await Promise.all([
      page.waitForResponse((response) => new URL(response.url()).pathname === "/campaign/add"),
      button(page, "Save campaign").click(),
    ]);
    uuid = ((await reply.json()) as { uuid: string }).uuid;
    await waitForAddress(page, "/campaign");
  });
  return uuid;
}

/** Adds 500 dollars to an advertiser's balance, as an admin. */
export async function refillBalance({ request }: BrowserContext, email: string): Promise<void> {
  const found = await request.get(`/admin/users.json?search=${email}`);
  const { users } = (await found.json()) as { users: { uuid: string }[] };
  const data = { amount: 500_000_000, reason: "Test", key: randomUUID() };
  const reply = await request.post(`/admin/users/${users[0]?.uuid}/refill`, { data, headers: OWN_PAGE });
  if (!reply.ok()) throw new Error(`The refill was answered ${reply.status()}: ${await reply.text()}`);
}

/** Approves the only creative that an advertiser has waiting, as an admin. */
export const approveCreative = (admin: BrowserContext, email: string, campaign: string): Promise<void> =>
  withPage(admin, `/admin/moderation/creatives?search=${encodeURIComponent(email)}`, async (page) => {
    await rowOf(page, campaign)
      .getByRole("button", { name: /^Approve/ })
      .click();
    await dialog(page).waitFor();
    await inDialog(page, "Approve creative").click();
    await page.getByText("No creatives found").waitFor();
  });
