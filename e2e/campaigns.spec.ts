import { CAMPAIGN_STATUS_TEXTS, TEXTS } from "@millrace/contract";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { addCampaign, fillInCampaign, refillBalance, withCampaignForm } from "./support/add-campaign.ts";
import { isPlayed } from "./support/real-video.ts";
import type { NewPerson } from "./support/new-person.ts";
import { waitForAddress, button, dialog, hasFocus, inDialog, region, rowOf, withPage } from "./support/on-page.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { testUsers } from "./support/test-users.ts";

/** Shows an image and changes the title if it becomes markup. */
const HOSTILE = `<img src=x onerror="document.title='run'">`;

const people = testUsers();
let advertiser: NewPerson;
let admin: BrowserContext;
beforeAll(async () => {
  advertiser = await people.newPerson({ role: "ADV" });
  admin = await people.admin();
});

test("a campaign is added with a real image, edited, frozen, resumed and deleted", async () => {
  await refillBalance(admin, advertiser.email);
  await withCampaignForm(advertiser.context, async (page) => {
    await fillInCampaign(page, `Autumn ${HOSTILE}`);
    await region(page, "What it will do").getByText("In Germany").waitFor();
    await button(page, "Choose regions").click();
    await page.getByLabel("Search regions").fill("bay");
    await page.getByRole("option", { name: "Bayern" }).click();
    await page.keyboard.press("Escape");
    await region(page, "What it will do").getByText("In Germany (1 region)").waitFor();
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/campaign");
    const row = rowOf(page, "Autumn");
    await row.getByText(CAMPAIGN_STATUS_TEXTS.wait).waitFor();
    await row.getByText("new", { exact: true }).waitFor();

    await row.getByRole("link", { name: /^Edit/ }).click();
    await button(page, "Remove Bayern").waitFor();
    await page.getByLabel("Campaign name").fill("Winter");
    await page.getByLabel("Bid (CPM)").fill("2.40");
    await page.getByLabel("Saturday").uncheck();
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/campaign");
    const winter = rowOf(page, "Winter");
    await winter.getByRole("link", { name: "Edit Winter" }).click();
    await expect.poll(() => page.getByLabel("Bid (CPM)").inputValue()).toBe("2.40");
    expect(await page.getByLabel("Saturday").isChecked()).toBe(false);
    await page.getByRole("link", { name: "Cancel" }).click();
    await waitForAddress(page, "/campaign");

    const run = page.getByRole("switch", { name: "Run Winter" });
    await run.click();
    await winter.getByText(CAMPAIGN_STATUS_TEXTS.frozen).waitFor();
    await run.click();
    await winter.getByText(CAMPAIGN_STATUS_TEXTS.wait).waitFor();

    await button(page, "Delete Winter").click();
    await inDialog(page, "Cancel").click();
    await dialog(page).waitFor({ state: "detached" });
    await hasFocus(button(page, "Delete Winter"));
    await button(page, "Delete Winter").click();
    await inDialog(page, "Delete campaign").click();
    await page.getByText("No campaigns found").waitFor();
    expect(await page.title()).toBe("Campaigns · Millrace");
  });
});

test("wrong input is refused at its fields, and nothing is lost", async () => {
  await withCampaignForm(advertiser.context, async (page) => {
    await page.getByLabel("App", { exact: true }).fill("not an app");
    await page.getByLabel("App", { exact: true }).press("Enter");
    await page.getByText(TEXTS.incorrectUrlOrId).waitFor();
    await page.getByLabel("Starts on").fill("2020-01-01");
    await page.getByLabel("Bid (CPM)").fill("0.2");
    await page.getByLabel("A day, at most").fill("10");
    await button(page, "Save campaign").click();
    await page.getByText(TEXTS.checkFields).waitFor();
    for (const text of [TEXTS.required, TEXTS.startInPast, TEXTS.bidNeeded, TEXTS.chooseCountry, TEXTS.addCreative])
      await page.getByText(text).first().waitFor();
    await hasFocus(page.getByLabel("App", { exact: true }));

    await button(page, "Add a creative").click();
    const file = page.getByLabel("Choose an image, or drop it here");
    await file.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("text") });
    await page.getByText("a.txt: only PNG, JPEG and GIF images can be uploaded").waitFor();
    // A file that only says that it is an image: the server looks at its bytes.
    await file.setInputFiles({ name: "b.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") });
    await page.getByText(/^b\.png: ./).waitFor();
    expect(await page.getByAltText("The uploaded creative").count()).toBe(0);
    await page.getByLabel("Click URL").fill("shop");
    await button(page, "Add").click();
    await page.getByText(TEXTS.invalidUrl).waitFor();
    await page.getByLabel("Store id").fill("Tide!");
    await button(page, "Add").click();
    await page.getByText(TEXTS.invalidId).waitFor();

    await page.getByRole("link", { name: "Cancel" }).click();
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay here" })
      .click();
    expect(await page.getByLabel("Bid (CPM)").inputValue()).toBe("0.2");
    await page.getByRole("link", { name: "Cancel" }).click();
    await inDialog(page, "Leave").click();
    await waitForAddress(page, "/campaign");
  });
});

test("a campaign without a balance stays frozen, and its row says why", async () => {
  const poor = await people.newPerson({ role: "ADV" });
  await addCampaign(poor.context, "Poor");
  await withPage(poor.context, "/campaign", async (page) => {
    const row = rowOf(page, "Poor");
    await row.getByText(CAMPAIGN_STATUS_TEXTS.pause).waitFor();
    await page.getByRole("switch", { name: "Run Poor" }).click();
    await row.getByText(CAMPAIGN_STATUS_TEXTS.frozen).waitFor();
    await page.getByRole("switch", { name: "Run Poor" }).click();
    await row
      .getByRole("alert")
      .filter({ hasText: /balance is empty/ })
      .waitFor();
    expect(await page.getByRole("switch", { name: "Run Poor" }).getAttribute("aria-checked")).toBe("false");
  });
});

test("an admin sees a creative, blocks it with a reason, and approves it once it is edited", async () => {
  const person = await people.newPerson({ role: "ADV" });
  await refillBalance(admin, person.email);
  const uuid = await addCampaign(person.context, `Judged ${HOSTILE}`);
  const queue = `/admin/moderation/creatives?search=${encodeURIComponent(person.email)}`;
  await withPage(admin, queue, async (page) => {
    const row = rowOf(page, "Judged");
    await row.getByText("https://shop.example/tide").waitFor();
    expect(await page.getByRole("link", { name: /shop\.example/ }).count()).toBe(0);
    await row.getByRole("button", { name: /^Block/ }).click();
    await dialog(page)
      .getByAltText(/^The creative of Judged/)
      .waitFor();
    expect(
      await dialog(page)
        .locator("img")
        .first()
        .evaluate((it: HTMLImageElement) => it.naturalWidth),
    ).toBe(320);
    await inDialog(page, "Block creative").click();
    await dialog(page).getByText(TEXTS.required).waitFor();
    await dialog(page).getByLabel("Reason").fill("Its words mislead");
    await inDialog(page, "Block creative").click();
    await page.getByText("No creatives found").waitFor();
  });
  await withPage(person.context, `/campaign/${uuid}/edit`, async (page) => {
    await page.getByText("Its words mislead").waitFor();
    await page.getByRole("button", { name: /^Edit Image/ }).click();
    await page.getByLabel("Button text (optional)").fill("Play");
    await button(page, "Save").click();
    await page.getByRole("cell", { name: "edited" }).waitFor();
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/campaign");
    await rowOf(page, "Judged").getByText("edited", { exact: true }).waitFor();
  });
  await withPage(admin, queue, async (page) => {
    await rowOf(page, "Judged")
      .getByRole("button", { name: /^Approve/ })
      .click();
    await dialog(page).getByText("Play", { exact: true }).waitFor();
    await inDialog(page, "Approve creative").click();
    await page.getByText("No creatives found").waitFor();
  });
  await withPage(person.context, "/campaign", async (page) => {
    await rowOf(page, "Judged")
      .getByText(/^(moderated|active)$/)
      .waitFor();
    expect(await page.title()).toBe("Campaigns · Millrace");
  });
});

test("a video is uploaded, plays before it is saved, and plays for the moderator who approves it", async () => {
  const person = await people.newPerson({ role: "ADV" });
  await refillBalance(admin, person.email);
  await withCampaignForm(person.context, async (page) => {
    await fillInCampaign(page, "Filmed", "video");
    await isPlayed(page.getByLabel("The creative at https://shop.example/tide"));
    await button(page, "Save campaign").click();
    await waitForAddress(page, "/campaign");
    await rowOf(page, "Filmed").getByText("new", { exact: true }).waitFor();
  });
  await withPage(admin, `/admin/moderation/creatives?search=${encodeURIComponent(person.email)}`, async (page) => {
    await rowOf(page, "Filmed")
      .getByRole("button", { name: /^Approve/ })
      .click();
    await isPlayed(dialog(page).getByLabel("The creative of Filmed"));
    await inDialog(page, "Approve creative").click();
    await page.getByText("No creatives found").waitFor();
  });
  await withPage(person.context, "/campaign", async (page) => {
    await rowOf(page, "Filmed").getByText(CAMPAIGN_STATUS_TEXTS.wait).waitFor();
    expect(await rowOf(page, "Filmed").getByText("new", { exact: true }).count()).toBe(0);
  });
});

/** Picks the one option that a search has left, as a person does who sees it. */
async function pickTheOneFound(page: Page, what: string): Promise<void> {
  const found = page.getByRole("listbox", { name: what }).getByRole("option");
  await expect.poll(() => found.count()).toBe(1);
  await page.keyboard.press("ArrowDown");
  await found.and(page.locator("[data-combobox-selected]")).waitFor();
  await page.keyboard.press("Enter");
}

test("a campaign is entered by keyboard alone, and every control can be reached", async () => {
  await withCampaignForm(advertiser.context, async (page) => {
    await page.getByLabel("App", { exact: true }).focus();
    await page.keyboard.type("com.example.tide");
    await page.keyboard.press("Enter");
    await button(page, "Change").waitFor();
    await button(page, "Choose countries").focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByLabel("Search countries"));
    await page.keyboard.type("Japan");
    await pickTheOneFound(page, "countries");
    await page.keyboard.press("Escape");
    await button(page, "Remove Japan").waitFor();
    await button(page, "Choose regions").focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByLabel("Search regions"));
    await page.keyboard.type("Osaka");
    await pickTheOneFound(page, "regions");
    await page.keyboard.press("Escape");
    await button(page, "Remove Ôsaka").waitFor();
    await page.getByLabel("Sunday").focus();
    await page.keyboard.press("Space");
    await region(page, "What it will do").getByText("Mon to Sat, at any hour").waitFor();
    await button(page, "Add a creative").focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByLabel("Click URL"));
    expect(await tabThrough(page)).toEqual([]);
  });
});

test("the campaigns' screens fit and pass the accessibility checks", { timeout: LOOKING_MS }, async () => {
  const person = await people.newPerson({ role: "ADV" });
  await withPage(person.context, "/campaign", async (page) => {
    await page.getByText("No campaigns found").waitFor();
    expect(await faultsOn(page, "no campaigns", LOOKS_WITH_TABLET)).toEqual([]);
  });
  const uuid = await addCampaign(person.context, "Fitting");
  await withPage(person.context, "/campaign", async (page) => {
    await rowOf(page, "Fitting").waitFor();
    expect(await faultsOn(page, "campaigns", LOOKS_WITH_TABLET)).toEqual([]);
    await page.goto("/campaign/add");
    await page.getByLabel("All versions of iOS").uncheck();
    await button(page, "Add a limit").click();
    await button(page, "Add a creative").click();
    await button(page, "Save campaign").click();
    await page.getByText(TEXTS.checkFields).waitFor();
    expect(await faultsOn(page, "a refused form", LOOKS_WITH_TABLET)).toEqual([]);
    page.once("dialog", (asked) => void asked.accept());
    await page.goto(`/campaign/${uuid}/edit`);
    await page.getByAltText("The creative at https://shop.example/tide").waitFor();
    expect(await faultsOn(page, "a saved campaign", LOOKS_WITH_TABLET)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.getByText("Wed", { exact: true }).evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(24);
  });
  await withPage(admin, `/admin/moderation/creatives?search=${person.email}`, async (page) => {
    const row = rowOf(page, "Fitting");
    await row.waitFor();
    expect(await faultsOn(page, "creatives to review", LOOKS_WITH_TABLET)).toEqual([]);
    await row.getByRole("button", { name: /^Block/ }).click();
    await dialog(page).getByLabel("Reason").waitFor();
    expect(await faultsOn(page, "a creative's review", LOOKS_WITH_TABLET)).toEqual([]);
  });
});

test(
  "the form says what its settings would reach, and the list why a campaign is not spending more",
  { timeout: LOOKING_MS },
  async () => {
    const person = await people.newPerson({ role: "ADV" });
    await withCampaignForm(person.context, async (page) => {
      const reach = region(page, "Reach, a day");
      const missing = reach.getByText("Choose a bid, days, countries and platforms");
      await missing.waitFor();
      await fillInCampaign(page, "Patient");
      await missing.waitFor({ state: "detached" });
      await button(page, "Save campaign").click();
      await waitForAddress(page, "/campaign");
      const why = button(page, "Why is it not spending more? Patient");
      await why.click();
      // Apps of other tests may have sold this format by now.
      const found = /no auctions of its format are recorded|auctions? of its format, each counted once/;
      await dialog(page).getByText(found).waitFor();
      expect(await faultsOn(page, "why a campaign is not spending more", LOOKS_WITH_TABLET)).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      await hasFocus(why);
    });
  },
);
