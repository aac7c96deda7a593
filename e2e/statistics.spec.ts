import type { AppParts } from "@millrace/contract";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launchBrowser } from "./support/launch-browser.ts";
import { LOOKS, axeFindings, overflowOf, publisher } from "./support/people.ts";

const platform = inject("platform");
let browser: Browser;
let context: BrowserContext;
let address: string;

beforeAll(async () => {
  browser = await launchBrowser();
  context = await publisher(browser, platform);
  const { app } = (await (await context.request.get("/demo/config.json")).json()) as { app: string };
  address = `/apps/${app}/performance`;
});
afterAll(() => browser?.close());

async function open(query = "", from = context): Promise<Page> {
  const page = await from.newPage();
  await page.goto(address + query);
  await page.getByRole("region", { name: "Statistics" }).getByRole("row").nth(1).waitFor();
  return page;
}

test("the view and the filters are in the address, and the address gives the same page elsewhere", async () => {
  const page = await open();
  const table = page.getByRole("region", { name: "Statistics" });
  await page.getByRole("button", { name: "Country", exact: true }).click();
  await page.waitForURL(/view=country/);
  await page.getByRole("columnheader", { name: "Revenue" }).getByRole("button").click();
  await page.waitForURL(/order=revenue/);
  await table.getByRole("row").nth(1).waitFor();

  const elsewhere = await context.newPage();
  await elsewhere.goto(page.url());
  const same = elsewhere.getByRole("region", { name: "Statistics" });
  await same.getByRole("row").nth(1).waitFor();
  expect(await same.getByRole("row").nth(1).getByRole("cell").first().innerText()).toBe(
    await table.getByRole("row").nth(1).getByRole("cell").first().innerText(),
  );
  await Promise.all([page.close(), elsewhere.close()]);
});

test("dates out of the calendar or in the wrong order are corrected in the page", async () => {
  const page = await open("?ds=2030-01-01&de=2001-01-01");
  const { searchParams } = new URL(page.url());
  const [ds, de] = [searchParams.get("ds") ?? "", searchParams.get("de") ?? ""];
  expect(ds <= de).toBe(true);
  expect(ds >= "2015-03-30" && de <= new Date().toISOString().slice(0, 10)).toBe(true);
  await page.close();
});

test("a block that fails says so, leaves the others alone, and comes back by Try again", async () => {
  const page = await context.newPage();
  let broken = true;
  await page.route(/func=sdk_versions/, (route) =>
    broken ? route.fulfill({ status: 503, json: { error: "Statistics are resting" } }) : route.continue(),
  );
  await page.goto(address);
  await page.getByText('There was an error while fetching: "Statistics are resting"').waitFor();
  await page.getByRole("region", { name: "Statistics" }).getByRole("row").nth(1).waitFor();
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("There was an error while fetching").waitFor({ state: "hidden" });
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await page.close();
});

test("the downloaded file holds what the table shows", async () => {
  const page = await open("?view=format");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().trim().split("\n");
  const rows = await page.getByRole("region", { name: "Statistics" }).getByRole("row").count();
  expect(lines.length).toBe(rows);
  await page.close();
});

test("why an ad was shown is told: who bid, at which price, and why the others did not win", async () => {
  const page = await open();
  await page
    .getByRole("button", { name: /^Why .* for \$/ })
    .first()
    .click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(/won/i).first().waitFor();
  expect(await drawer.innerText()).toMatch(/\$\d+\.\d+/);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await page.close();
});

test("the API answers the asked parts under their names, and the page's under the page's", async () => {
  const path = address.replace("/performance", "/stats.json");
  const parts = (await (await context.request.get(`${path}?func=totals&func=stats&view=zone`)).json()) as AppParts;
  expect(Object.keys(parts).toSorted()).toEqual(["stats", "totals"]);
  expect(parts.stats.view).toBe("zone");
  const page: object = await (await context.request.get(path)).json();
  expect(Object.keys(page)).toEqual(expect.arrayContaining(["app", "stat_summary", "revenue_summary", "stat_table"]));
});

test.each(LOOKS)(
  "the app list and the statistics fit and are open to everybody at $width px, $scheme",
  async (look) => {
    const looked = await publisher(browser, platform, look);
    const list = await looked.newPage();
    await list.goto("/apps");
    await list.getByRole("link", { name: /^Tide Puzzle, Android/ }).waitFor();
    expect(await axeFindings(list)).toEqual([]);
    expect(await overflowOf(list)).toBe(0);

    const page = await open("", looked);
    await page.getByRole("heading", { name: "Countries" }).scrollIntoViewIfNeeded();
    await page.locator("main canvas").first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await looked.close();
  },
);
