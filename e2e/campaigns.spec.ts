import { randomUUID } from "node:crypto";
import { deflateSync, crc32 } from "node:zlib";
import { CAMPAIGN_STATUS_TEXTS, TEXTS } from "@millrace/contract";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { NewPerson } from "./support/new-person.ts";
import { at, button, dialog, hasFocus, inDialog, region, rowOf, withPage } from "./support/on-page.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { OWN_PAGE } from "./support/session-of.ts";
import { tabThrough } from "./support/tab-through.ts";
import { testUsers } from "./support/test-users.ts";

/** Shows an image and changes the title if it becomes markup. */
const HOSTILE = `<img src=x onerror="document.title='run'">`;
const PIXEL_BYTES = 3;

const people = testUsers();
let advertiser: NewPerson;
let admin: BrowserContext;
beforeAll(async () => {
  advertiser = await people.newPerson({ role: "ADV" });
  admin = await people.admin();
});

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG file with a gradient. */
function pngOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = 1 + width * PIXEL_BYTES;
  const pixels = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      pixels.set([(x * 255) / width, 120, (y * 255) / height], y * line + 1 + x * PIXEL_BYTES);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

const png = (name: string, width: number, height: number) => ({
  name,
  mimeType: "image/png",
  buffer: pngOf(width, height),
});

/** The store's answer, because tests must not depend on it. Saving does not ask the store again. */
async function withStore(page: Page): Promise<void> {
  const id = "com.example.tide";
  const url = `https://play.google.com/store/apps/details?id=${id}`;
  const item = { id: `android:${id}`, platform: "android", name: "Tide Puzzle", logo_url: null, url };
  const found = { qid: "q1", status: "done", items: [{ ...item, store_id: id, bundle_id: id }] };
  await page.route("**/campaign/app_info", (route) => route.fulfill({ json: found }));
}

const openForm = (run: (page: Page) => Promise<void>, context = advertiser.context) =>
  withPage(context, "/campaign", async (page) => {
    await withStore(page);
    await page
      .getByRole("link", { name: /^Add (Campaign|the first campaign)$/ })
      .first()
      .click();
    await at(page, "/campaign/add");
    await page.getByLabel("Campaign name").waitFor();
    await run(page);
  });

async function chooseCountry(page: Page, name: string): Promise<void> {
  await button(page, "Choose countries").click();
  await page
    .getByRole("searchbox", { name: "Search countries" })
    .or(page.getByLabel("Search countries"))
    .first()
    .fill(name);
  await page.getByRole("option", { name, exact: true }).click();
  await page.keyboard.press("Escape");
}

async function addCreative(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await button(page, "Add a creative").click();
  await page.getByLabel("Choose an image, or drop it here").setInputFiles(file);
  await page.getByAltText("The uploaded creative").waitFor();
  await page.getByLabel("Click URL").fill("https://shop.example/tide");
  await button(page, "Add").click();
}

/** Fills in a form with everything that is required. */
async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("App", { exact: true }).fill("com.example.tide");
  await button(page, "Find").click();
  await button(page, "Change").waitFor();
  await page.getByLabel("Campaign name").fill(name);
  await chooseCountry(page, "Germany");
  await addCreative(page, png("tide.png", 320, 480));
}

/** Adds a campaign and returns its id. */
async function addCampaign(name: string, context = advertiser.context): Promise<string> {
  let uuid = "";
  await openForm(async (page) => {
    await fillIn(page, name);
    const [reply] = await Promise.all([
      page.waitForResponse(
        (response) => response.url().endsWith("/campaign/add") && response.request().method() === "POST",
      ),
      button(page, "Save campaign").click(),
    ]);
    uuid = ((await reply.json()) as { uuid: string }).uuid;
    await at(page, "/campaign");
  }, context);
  return uuid;
}

async function refill(email: string): Promise<void> {
  const found = await admin.request.get(`/admin/users.json?search=${email}`);
  const { users } = (await found.json()) as { users: { uuid: string }[] };
  const data = { amount: 500_000_000, reason: "Test", key: randomUUID() };
  const reply = await admin.request.post(`/admin/users/${users[0]?.uuid}/refill`, { data, headers: OWN_PAGE });
  expect(reply.ok()).toBe(true);
}

test("a campaign is added with a real image, edited, frozen, resumed and deleted", async () => {
  await refill(advertiser.email);
  await openForm(async (page) => {
    await fillIn(page, `Autumn ${HOSTILE}`);
    await region(page, "What it will do").getByText("In Germany").waitFor();
    await button(page, "Save campaign").click();
    await at(page, "/campaign");
    const row = rowOf(page, "Autumn");
    await row.getByText(CAMPAIGN_STATUS_TEXTS.wait).waitFor();
    await row.getByText("new", { exact: true }).waitFor();

    await row.getByRole("link", { name: /^Edit/ }).click();
    await page.getByLabel("Campaign name").fill("Winter");
    await page.getByLabel("Bid (CPM)").fill("2.40");
    await page.getByLabel("Saturday").uncheck();
    await button(page, "Save campaign").click();
    await at(page, "/campaign");
    const winter = rowOf(page, "Winter");
    await winter.getByRole("link", { name: "Edit Winter" }).click();
    await expect.poll(() => page.getByLabel("Bid (CPM)").inputValue()).toBe("2.40");
    expect(await page.getByLabel("Saturday").isChecked()).toBe(false);
    await page.getByRole("link", { name: "Cancel" }).click();
    await at(page, "/campaign");

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
  await openForm(async (page) => {
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
    await at(page, "/campaign");
  });
});

test("a campaign without a balance stays frozen, and its row says why", async () => {
  const poor = await people.newPerson({ role: "ADV" });
  await addCampaign("Poor", poor.context);
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
    await row.getByText(CAMPAIGN_STATUS_TEXTS.frozen).waitFor();
  });
});

test("an admin sees a creative, blocks it with a reason, and approves it once it is edited", async () => {
  const person = await people.newPerson({ role: "ADV" });
  await refill(person.email);
  const uuid = await addCampaign(`Judged ${HOSTILE}`, person.context);
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
    await at(page, "/campaign");
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

test("a campaign is entered by keyboard alone, and every control can be reached", async () => {
  await openForm(async (page) => {
    await page.getByLabel("App", { exact: true }).focus();
    await page.keyboard.type("com.example.tide");
    await page.keyboard.press("Enter");
    await button(page, "Change").waitFor();
    await button(page, "Choose countries").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Search countries").first().waitFor();
    await page.keyboard.type("Japan");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await button(page, "Remove Japan").waitFor();
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
    expect(await faultsOn(page, "no campaigns")).toEqual([]);
  });
  const uuid = await addCampaign("Fitting", person.context);
  await withPage(person.context, "/campaign", async (page) => {
    await rowOf(page, "Fitting").waitFor();
    expect(await faultsOn(page, "campaigns")).toEqual([]);
    await page.goto("/campaign/add");
    await page.getByLabel("Campaign name").waitFor();
    await page.getByLabel("All versions of iOS").uncheck();
    await button(page, "Add a limit").click();
    await button(page, "Add a creative").click();
    await button(page, "Save campaign").click();
    await page.getByText(TEXTS.checkFields).waitFor();
    expect(await faultsOn(page, "a refused form")).toEqual([]);
    page.once("dialog", (asked) => void asked.accept());
    await page.goto(`/campaign/${uuid}/edit`);
    await page.getByAltText("The creative at https://shop.example/tide").waitFor();
    expect(await faultsOn(page, "a saved campaign")).toEqual([]);
  });
  await withPage(admin, `/admin/moderation/creatives?search=${person.email}`, async (page) => {
    await rowOf(page, "Fitting").waitFor();
    expect(await faultsOn(page, "creatives to review")).toEqual([]);
    await rowOf(page, "Fitting")
      .getByRole("button", { name: /^Block/ })
      .click();
    await dialog(page).getByLabel("Reason").waitFor();
    expect(await faultsOn(page, "a creative's review")).toEqual([]);
  });
});
