import type { Locator, Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { addApp } from "./support/add-app.ts";
import { deviceOf } from "./support/ask-for-ad.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();

const steps = (page: Page) => page.getByRole("region", { name: "First steps" });
const step = (page: Page, name: string) => steps(page).locator(`[data-step="${name}"]`);
const untilDone = (page: Page, name: string) => step(page, name).and(page.locator('[data-state="done"]')).waitFor();

/** Moves the focus with the Tab key, as far as a page has controls. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 150; presses++) {
    if (await wanted.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("The Tab key does not reach it");
}

/** Sends test ads until a bidder buys one; bidders of the demo decline some requests. */
async function sendUntilWon(page: Page, format: string): Promise<void> {
  await page.getByLabel("Ad to test").selectOption({ label: format });
  const answer = page.getByText(/ CPM, \d+ ms|^No ad, \d+ ms/);
  for (let tries = 0; tries < 15; tries++) {
    const answered = page.waitForResponse((reply) => reply.url().endsWith("/test_ad"));
    await page.getByRole("button", { name: "Send a test ad" }).click();
    await answered;
    await answer.waitFor();
    if ((await answer.textContent())?.includes(" won with $")) return;
  }
  throw new Error(`No bidder bought a test ad (${format})`);
}

test.each([1440, 360])(
  "a new publisher is led from the sign-up to the first ad, at %i px",
  { timeout: LOOKING_MS },
  async (width) => {
    await people.withPerson(async (page, { context }) => {
      await page.setViewportSize({ width, height: 900 });
      const app = await addApp(context, "android", "First game");
      await page.goto(`/apps/${app}/settings`);
      await untilDone(page, "app");
      await page.getByText("No SDK yet").waitFor();

      await page.getByRole("button", { name: "Send a test ad" }).click();
      await page.getByText(/^No ad, \d+ ms: No partner could be asked/).waitFor();
      await page.getByRole("button", { name: "Connect the demo's partners" }).click();
      await untilDone(page, "demand");

      // The exchange learns of new keys within seconds.
      await sendUntilWon(page, "Banner");
      const ad = page.frameLocator('iframe[title="Test ad"]');
      await ad.locator("a").first().waitFor();
      expect(await ad.locator("body").evaluate(() => self.origin)).toBe("null");
      await page.getByRole("link", { name: "Show the auction" }).click();
      await page.waitForURL(/\/auctions\/[0-9a-f-]{36}$/);

      await page.goto(`/apps/${app}/performance`);
      await step(page, "snippet").getByText("Waiting for the first session").waitFor();
      const device = await deviceOf(platform, app);
      await untilDone(page, "snippet");
      await device.ask("menu", "banner");
      await untilDone(page, "request");
      expect(await step(page, "impression").getAttribute("data-state")).toBe("waiting");
      await device.show("menu", "banner");
      // The last step was done: the list makes room for the figures.
      await steps(page).waitFor({ state: "detached" });
    });
  },
);

test("video, native and audio test ads are shown in the page", { timeout: LOOKING_MS }, async () => {
  await people.withPerson(async (page, { context }) => {
    const app = await addApp(context, "android", "Formats");
    await page.goto(`/apps/${app}/settings`);
    await page.getByRole("button", { name: "Connect the demo's partners" }).click();
    await untilDone(page, "demand");
    const ad = page.frameLocator('iframe[title="Test ad"]');
    await sendUntilWon(page, "Video");
    const video = ad.locator("video");
    await video.waitFor();
    await expect.poll(() => video.evaluate((media: HTMLVideoElement) => media.readyState)).toBeGreaterThan(0);
    await sendUntilWon(page, "Native");
    await ad.locator(".card").waitFor();
    await sendUntilWon(page, "Audio");
    await ad.locator("audio").waitFor();
  });
});

test(
  "first steps and test ads fit, pass the accessibility checks, and work by keyboard",
  { timeout: LOOKING_MS },
  async () => {
    await people.withPerson(async (page, { context }) => {
      const app = await addApp(context, "roku", "Keyboard");
      await page.goto(`/apps/${app}/settings`);
      await untilDone(page, "app");
      await tabTo(page, page.getByRole("button", { name: "Connect the demo's partners" }));
      await page.keyboard.press("Enter");
      await untilDone(page, "demand");
      await tabTo(page, page.getByRole("button", { name: "Send a test ad" }));
      await page.keyboard.press("Enter");
      await page.getByText(/ CPM, \d+ ms|^No ad, \d+ ms/).waitFor();
      const faults = await faultsOn(page, "Integrate");
      await page.goto(`/apps/${app}/performance`);
      await untilDone(page, "demand");
      expect([...faults, ...(await faultsOn(page, "Statistics of a new app"))]).toEqual([]);
    });
  },
);
