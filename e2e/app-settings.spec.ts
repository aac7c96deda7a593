import { randomUUID } from "node:crypto";
import { type AppSettings, TEXTS } from "@millrace/contract";
import { expect, inject, test } from "vitest";
import { SCRIPT, addApp, isHacked } from "./support/add-app.ts";
import { appNamed } from "./support/app-named.ts";
import { deviceOf } from "./support/ask-for-ad.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { OWN_PAGE } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";
import { dialog, region } from "./support/on-page.ts";

const platform = inject("platform");
const people = testUsers();

test("the instructions update the page's hash and link to other pages", async () => {
  await people.withPerson(async (page, { context }) => {
    const app = await addApp(context, "ios", "Guide");
    await page.goto(`/apps/${app}/settings`);
    const frame = page.frameLocator('iframe[title="Instructions"]');
    await frame.getByRole("tab", { name: "Roku" }).click();
    await page.waitForURL(({ hash }) => hash === "#roku");
    await page.reload();
    await frame.getByRole("tab", { name: "Roku", selected: true }).waitFor();
    await page.evaluate(() => window.postMessage({ type: "redirect", url: "/profile" }, window.location.origin));
    await frame.getByRole("link", { name: "app-ads.txt" }).click();
    // The page ignores its own message and follows the one of its frame.
    await page.waitForURL(({ pathname }) => pathname !== `/apps/${app}/settings`);
    expect(new URL(page.url()).pathname).toBe("/apps/app-ads");
    await page.goBack();
    await frame.getByRole("tab", { name: "tvOS" }).click();
    await frame.getByRole("link", { name: "The exchange's calls" }).click();
    await page.getByRole("heading", { name: "Calls: exchange" }).waitFor();
  });
});

test("on a phone, an app's current tab is in sight", async () => {
  await people.withPerson(async (page, { context }) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(`/apps/${await addApp(context, "firetv", "Tabs")}/settings`);
    const tabs = page.getByRole("navigation", { name: "App" });
    // It comes with the app, and moves the tabs after it.
    await tabs.getByRole("link", { name: "Keys" }).waitFor();
    const tab = await tabs.getByRole("link", { name: "Integrate" }).boundingBox();
    expect((tab?.x ?? 0) + (tab?.width ?? Infinity)).toBeLessThanOrEqual(360);
  });
});

test("a select looks the same whichever page is opened first", async () => {
  await people.withPerson(async (page, { context }) => {
    const app = await addApp(context, "ios", "Selects");
    const chevronAt = async (path: string, label: string) => {
      await page.goto(`/apps/${app}/${path}`);
      const field = page.getByLabel(label, { exact: true }).first();
      return (await field.locator("..").locator("svg").boundingBox())?.width;
    };
    const width = await chevronAt("mediation", "Format");
    expect(width).toBeLessThan(20);
    expect(await chevronAt("settings", "Ad to test")).toBe(width);
  });
});

test("a zone appears after its first ad, shows its name as text, and can be deleted", async () => {
  const context = await people.publisher();
  const page = await context.newPage();
  const app = await appNamed(context, "Small Kitchen");
  const zone = `front_${randomUUID()}`;
  const device = await deviceOf(platform, app);
  const isThere = async () => {
    const settings = await context.request.get(`/apps/${app}/settings.json`, { headers: OWN_PAGE });
    return ((await settings.json()) as AppSettings).zones.some((one) => one.zone === zone);
  };
  await device.ask(zone, "banner");
  await device.show(zone, "banner");
  // The zone is registered shortly after the impression.
  await expect.poll(isThere).toBe(true);
  await page.goto(`/apps/${app}/zones`);
  await page.getByRole("button", { name: `Edit ${zone}` }).click();
  await page.getByLabel("Refresh in seconds").fill("4");
  await page.getByRole("button", { name: "Save zone" }).click();
  await page.getByText("At least 10 seconds").waitFor();
  await page.getByLabel("Refresh in seconds").fill("45");
  await page.getByLabel("Name", { exact: true }).fill(SCRIPT.slice(0, 64));
  await page.getByRole("button", { name: "Save zone" }).click();
  const row = region(page, "Zones").getByRole("row").filter({ hasText: zone });
  await row.getByText(SCRIPT.slice(0, 64)).waitFor();
  await row.getByText("45 s").waitFor();
  await row.getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByText("reappears with its next counted impression").waitFor();
  await dialog(page).getByRole("button", { name: "Delete zone" }).click();
  await row.waitFor({ state: "detached" });
  await page.reload();
  await region(page, "Zones").getByRole("row").nth(1).waitFor();
  expect(await row.count()).toBe(0);
  expect(await isThere()).toBe(false);
  expect(await isHacked(page)).toBe(false);
});

test("the lines of app-ads.txt on the page match the download", async () => {
  const context = await people.publisher();
  const page = await context.newPage();
  await page.goto("/apps");
  await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "app-ads.txt" }).click();
  const lines = region(page, "app-ads.txt").getByRole("listitem");
  await lines.first().waitFor();
  const file = await (await context.request.get("/app-ads.txt")).text();
  await expect
    .poll(async () => {
      const shown = await lines.locator("code").allInnerTexts();
      return shown.length > 0 && shown.every((line) => file.split("\n").includes(line));
    })
    .toBe(true);
});

test("settings, keys and app-ads.txt fit and pass the accessibility checks", { timeout: LOOKING_MS }, async () => {
  const context = await people.publisher();
  const page = await context.newPage();
  const app = await appNamed(context, "Small Kitchen");
  await page.goto("/apps");
  await page.getByRole("button", { name: "Add New App" }).click();
  await dialog(page).getByRole("button", { name: "Search" }).click();
  await page.getByText("Your bundle ID or app url is required").waitFor();
  expect(await faultsOn(page, "add, published")).toEqual([]);
  await dialog(page)
    .getByRole("tab", { name: /In development/ })
    .click();
  await page.getByLabel("Platform").waitFor();
  expect(await faultsOn(page, "add, in development")).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "delete Small Kitchen" }).click();
  await dialog(page).getByRole("button", { name: "Delete app" }).waitFor();
  expect(await faultsOn(page, "delete")).toEqual([]);
  await page.goto(`/apps/${app}/settings`);
  await page.frameLocator("iframe").getByRole("tab", { name: "Roku" }).waitFor();
  expect(await faultsOn(page, "instructions")).toEqual([]);
  const tabs = page.getByRole("navigation", { name: "App" });
  await tabs.getByRole("link", { name: "Zones" }).click();
  await region(page, "Zones").getByRole("row").nth(1).waitFor();
  expect(await faultsOn(page, "zones")).toEqual([]);
  await tabs.getByRole("link", { name: "Mediation" }).click();
  await page.getByLabel("Floor in $").fill("");
  await page.getByRole("button", { name: "Save floors" }).click();
  await page.getByText(TEXTS.checkFields).waitFor();
  expect(await faultsOn(page, "mediation")).toEqual([]);
  await page.goto(`/apps/${app}/dsp`);
  await page.getByRole("button", { name: "Add keys" }).click();
  await page.getByLabel("Partner *").selectOption({ label: "Lab brand" });
  await page.getByLabel("Seat ID").waitFor();
  expect(await faultsOn(page, "keys")).toEqual([]);
  await page.goto("/apps/app-ads");
  await region(page, "app-ads.txt").getByRole("listitem").first().waitFor();
  expect(await faultsOn(page, "app-ads.txt")).toEqual([]);
});
