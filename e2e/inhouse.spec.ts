import { CAMPAIGN_STATUS_TEXTS, TEXTS } from "@millrace/contract";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { isPlayed, someFilm } from "./support/real-video.ts";
import { addApp } from "./support/add-app.ts";
import type { NewPerson } from "./support/new-person.ts";
import { waitForAddress, button, hasFocus, inDialog, region, rowOf, withPage } from "./support/on-page.ts";
import { pngOf } from "./support/png-of.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();
let publisher: NewPerson;
beforeAll(async () => {
  publisher = await people.newPerson({ isPlain: true });
  await addApp(publisher.context, "android", "Tide");
  await addApp(publisher.context, "ios", "Moss");
});

async function fillIn(page: Page, title: string, format: "Image" | "Video" = "Image"): Promise<void> {
  await page.getByLabel("App", { exact: true }).selectOption({ label: "Tide · Android" });
  await page.getByRole("radio", { name: new RegExp(`^${format}`) }).check();
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Description").fill("Our puzzle");
  await page.getByLabel("Target URL").fill("https://tide.example/");
  await page.getByLabel("Store country").selectOption({ label: "Germany" });
  await page.getByLabel("Moss · iOS").check();
  for (const [shape, width, height] of [
    ["landscape", 480, 320],
    ["portrait", 320, 480],
  ] as const) {
    const file = { name: `${shape}.png`, mimeType: "image/png", buffer: pngOf(width, height) };
    await page.getByLabel(`Choose a ${shape} image, or drop it here`).setInputFiles(file);
    await button(page, `Remove the ${shape} image`).waitFor();
  }
}

test("a cross promotion is added with real images, edited, frozen, resumed and deleted", async () => {
  await withPage(publisher.context, "/inhouse", async (page) => {
    await page.getByText("No cross promotions found").waitFor();
    await page.getByRole("link", { name: "Add InHouse Campaign" }).click();
    await waitForAddress(page, "/inhouse/add");
    await button(page, "Save campaign").click();
    await page.getByText(TEXTS.checkFields).waitFor();
    await hasFocus(page.getByLabel("App", { exact: true }));
    for (const text of [TEXTS.addApplication, TEXTS.addImage, TEXTS.invalidUrl]) await page.getByText(text).waitFor();
    const fake = { name: "b.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") };
    await page.getByLabel("Choose a portrait image, or drop it here").setInputFiles(fake);
    await page.getByText(/^b\.png: ./).waitFor();
    await fillIn(page, "Try Tide");
    // Versions of the chosen app's platform alone.
    await page.getByLabel("All versions of iOS").waitFor();
    expect(await page.getByLabel("All versions of Android").count()).toBe(0);
    await region(page, "What it will do").getByText("Only where nobody bought the place").waitFor();
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/inhouse");
    const row = rowOf(page, "Try Tide");
    await row.getByText("Fills unsold places").waitFor();
    await row.getByText(CAMPAIGN_STATUS_TEXTS.play).waitFor();

    await row.getByRole("link", { name: "Edit Try Tide" }).click();
    await page.getByLabel(/Compete at/).fill("2.50");
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/inhouse");
    await row.getByText("Competes at $2.50").waitFor();
    const run = page.getByRole("switch", { name: "Run Try Tide" });
    await run.click();
    await row.getByText(CAMPAIGN_STATUS_TEXTS.frozen).waitFor();
    await run.click();
    await row.getByText(CAMPAIGN_STATUS_TEXTS.play).waitFor();
    await button(page, "Delete Try Tide").click();
    await inDialog(page, "Delete campaign").click();
    await page.getByText("No cross promotions found").waitFor();
    expect(await page.title()).toBe("Cross Promo · Millrace");
  });
});

test("a cross promotion's video plays before it is saved, and after that beside its address for installs", async () => {
  await withPage(publisher.context, "/inhouse/add", async (page) => {
    await page.getByLabel("Title").waitFor();
    await fillIn(page, "Watch Tide", "Video");
    await button(page, "Save campaign").click();
    await region(page, "Creative").getByText(TEXTS.required).waitFor();
    await page.getByLabel("Choose a video, or drop it here").setInputFiles(await someFilm());
    await isPlayed(page.getByLabel("The uploaded creative").first());
    await page.getByLabel("Played on").selectOption({ label: "Landscape screens" });
    await isPlayed(page.getByLabel("On a landscape screen: 320 × 180 pixels"));
    await page.getByLabel("Skip").selectOption({ label: "After 10 seconds" });
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/inhouse");
    const row = rowOf(page, "Watch Tide");
    await row.getByText("Video", { exact: true }).waitFor();
    await row.getByRole("link", { name: "Edit Watch Tide" }).click();
    expect(await page.getByLabel("Skip").inputValue()).toBe("10");
    await isPlayed(page.getByLabel("On a landscape screen: 320 × 180 pixels"));
    // Its postbacks load once it is seen.
    await region(page, "Installs").scrollIntoViewIfNeeded();
    await button(page, "Send a test postback").click();
    await page.getByText("The test postback was accepted. Nothing is counted for it.").waitFor();
    await page.getByRole("link", { name: "Cancel" }).click();
    await waitForAddress(page, "/inhouse");
    await button(page, "Delete Watch Tide").click();
    await inDialog(page, "Delete campaign").click();
    await page.getByText("No cross promotions found").waitFor();
  });
});

test("the cross promotions' screens fit and pass the accessibility checks", { timeout: LOOKING_MS }, async () => {
  await withPage(publisher.context, "/inhouse", async (page) => {
    await page.getByText("No cross promotions found").waitFor();
    expect(await faultsOn(page, "no cross promotions", LOOKS_WITH_TABLET)).toEqual([]);
    await page.getByRole("link", { name: "Add InHouse Campaign" }).click();
    // The files load once they are near.
    await page.keyboard.press("End");
    await page.getByRole("radio", { name: /^Video/ }).check();
    await button(page, "Save campaign").click();
    await page.getByText(TEXTS.checkFields).waitFor();
    expect(await faultsOn(page, "a refused cross promotion", LOOKS_WITH_TABLET)).toEqual([]);
    await fillIn(page, "Fitting");
    expect(await tabThrough(page)).toEqual([]);
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/inhouse");
    await rowOf(page, "Fitting").waitFor();
    expect(await faultsOn(page, "cross promotions", LOOKS_WITH_TABLET)).toEqual([]);
  });
});
