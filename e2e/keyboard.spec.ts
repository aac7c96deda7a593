import type { BrowserContext, Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { addApp } from "./support/add-app.ts";
import { appNamed } from "./support/app-named.ts";
import { testUsers } from "./support/test-users.ts";
import { dayAgo } from "./support/clear-of-midnight.ts";
import { hasFocus, dialog, showTable } from "./support/on-page.ts";
import { tabThrough } from "./support/tab-through.ts";

const people = testUsers();
/** Past days, whose numbers no longer change. */
const PAST = `ds=${dayAgo(9)}&de=${dayAgo(3)}`;

let publisher: BrowserContext;
let app: string;
let channel: string;
beforeAll(async () => {
  publisher = await people.publisher();
  app = await appNamed(publisher, "Tide Puzzle");
  channel = await appNamed(publisher, "Small Kitchen");
});

async function press(on: Locator, key: string): Promise<void> {
  await on.focus();
  await on.press(key);
}

/** A publisher's screens, and an element that shows that each has loaded. */
const SCREENS: readonly (readonly [screen: string, path: () => string, shows: (page: Page) => Locator])[] = [
  ["the app list", () => `/apps?${PAST}`, (page) => page.getByRole("link", { name: /^Tide Puzzle Android/ })],
  [
    "the performance of all apps",
    () => `/apps/performance?${PAST}`,
    (page) => page.getByRole("region", { name: "Statistics by date" }).getByRole("row").nth(1),
  ],
  [
    "the statistics of an app",
    () => `/apps/${app}/performance?${PAST}`,
    (page) => page.getByRole("region", { name: "Statistics by date" }).getByRole("row").nth(1),
  ],
  [
    "an app's instructions",
    () => `/apps/${app}/settings`,
    (page) => page.frameLocator("iframe").getByRole("tab", { name: "Roku" }),
  ],
  [
    "an app's zones",
    () => `/apps/${app}/zones`,
    (page) => page.getByRole("region", { name: "Zones" }).getByRole("row").nth(1),
  ],
  ["an app's mediation", () => `/apps/${app}/mediation`, (page) => page.getByRole("switch").first()],
  ["partners' keys", () => `/apps/${channel}/dsp`, (page) => page.getByRole("button", { name: "Add keys" })],
  [
    "app-ads.txt",
    () => "/apps/app-ads",
    (page) => page.getByRole("region", { name: "app-ads.txt", exact: true }).getByRole("listitem").first(),
  ],
];

test.each(SCREENS)("the Tab key reaches every control of %s", async (_, path, shows) => {
  const page = await publisher.newPage();
  await page.goto(path());
  // The table of statistics loads once it is near.
  if (path().includes("/performance")) await showTable(page);
  await shows(page).waitFor();
  expect(await tabThrough(page)).toEqual([]);
  await page.close();
});

test("the app list is searched, sorted and opened by keyboard, and a closed dialog returns the focus", async () => {
  const page = await publisher.newPage();
  await page.goto(`/apps?${PAST}`);
  await page.getByRole("link", { name: /^Quiet Radio/ }).waitFor();
  await press(page.getByRole("columnheader", { name: "Requests" }).getByRole("button"), "Enter");
  await page.getByRole("columnheader", { name: "Requests" }).and(page.locator("[aria-sort=descending]")).waitFor();

  const remove = page.getByRole("button", { name: "delete Quiet Radio" });
  await press(remove, "Enter");
  await hasFocus(dialog(page).getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await hasFocus(remove);

  await page.getByRole("searchbox", { name: "Search app" }).focus();
  await page.keyboard.type("tide");
  await expect.poll(() => page.getByRole("link", { name: /^Quiet Radio/ }).count()).toBe(0);
  await press(page.getByRole("link", { name: /^Tide Puzzle Android/ }), "Enter");
  await page.waitForURL(({ pathname }) => pathname === `/apps/${app}/performance`);
  await page.close();
});

test("dates, filters, views and an auction's explanation open and close by keyboard", async () => {
  const page = await publisher.newPage();
  await page.goto("/apps/performance");
  const why = page.getByRole("button", { name: /^Why .* for \$.* in / }).first();
  await why.waitFor();
  await press(why, "Enter");
  await dialog(page).getByText("Who took part").waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });

  await page.goto(`/apps/performance?${PAST}`);
  await showTable(page);
  await press(page.getByRole("button", { name: "Country", exact: true }), "Enter");
  await page.waitForURL(/view=country/);
  await press(page.getByRole("button", { name: "All formats" }), "Enter");
  const banner = page.getByRole("option", { name: "Banner" });
  await banner.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/format=/);
  await page.keyboard.press("Escape");
  await banner.waitFor({ state: "hidden" });

  const days = page.locator("button[title$=', UTC']");
  await press(days, "Enter");
  await dialog(page).getByRole("button", { name: "Apply date change" }).waitFor();
  await press(dialog(page).getByRole("button", { name: "Yesterday" }), "Enter");
  await press(dialog(page).getByRole("button", { name: "Apply date change" }), "Enter");
  await page.waitForURL(({ searchParams }) => searchParams.get("ds") === searchParams.get("de"));
  await press(days, "Enter");
  // Until the focus is in it, Escape belongs to the page.
  await dialog(page).locator(":focus").waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await hasFocus(days);
  expect(await dialog(page).count()).toBe(0);
  await page.close();
});

test("an app is set up by keyboard: tabs, a floor, blocks and keys", async () => {
  const person = await people.newPerson();
  const own = await addApp(person.context, "roku", "Own Channel");
  const page = await person.context.newPage();
  await page.goto(`/apps/${own}/settings`);
  await press(page.getByRole("navigation", { name: "App" }).getByRole("link", { name: "Mediation" }), "Enter");

  const floors = page.getByRole("region", { name: "Floors", exact: true });
  await floors.getByLabel("Floor in $").focus();
  await page.keyboard.type("1.5");
  await press(floors.getByRole("button", { name: "Save floors" }), "Enter");
  await floors.getByText("Saved", { exact: true }).waitFor();
  const domains = page.getByRole("region", { name: "Blocked advertising" }).getByLabel("Advertiser domains");
  await domains.focus();
  await page.keyboard.type("shop.example");
  await press(page.getByRole("button", { name: "Save blocks" }), "Enter");
  await page.getByRole("region", { name: "Blocked advertising" }).getByText("Saved", { exact: true }).waitFor();

  await page.goto(`/apps/${own}/dsp`);
  await press(page.getByRole("button", { name: "Add keys" }), "Enter");
  await page.getByLabel("Partner *").selectOption({ label: "Lab brand" });
  await page.getByLabel("Format *").selectOption("video");
  await page.getByLabel("Seat ID").focus();
  await page.keyboard.type("seat-1");
  await page.keyboard.press("Enter");
  const row = page.getByRole("row").filter({ hasText: "seat-1" });
  await row.waitFor();
  await press(row.getByRole("button", { name: "Delete Lab brand, Video" }), "Enter");
  await press(dialog(page).getByRole("button", { name: "Delete keys" }), "Enter");
  await page.getByText("No keys found").waitFor();
  expect(await dialog(page).count()).toBe(0);
});

test("on a phone, the bar at the bottom never covers what has the focus", async () => {
  const page = await publisher.newPage();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`/apps?${PAST}`);
  await page.getByRole("link", { name: /^Tide Puzzle Android/ }).waitFor();
  const bar = page.getByRole("navigation", { name: "Main" });
  const top = (await bar.boundingBox())?.y ?? 0;
  const lowest: number[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    const isInBar = await bar.evaluate((it) => it.contains(document.activeElement));
    // A table that scrolls has the focus as a whole.
    const control = page.locator(":focus:is(a, button, input, select)");
    const box = isInBar || (await control.count()) === 0 ? null : await control.boundingBox();
    if (box !== null) lowest.push(box.y + box.height);
  }
  expect(lowest.length).toBeGreaterThan(20);
  expect(Math.max(...lowest)).toBeLessThanOrEqual(top);
  await page.close();
});
