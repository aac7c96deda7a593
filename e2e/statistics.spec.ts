import type { AppParts } from "@millrace/contract";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { clearOfMidnight, dayAgo } from "./support/clear-of-midnight.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { downloadFrom, showTable } from "./support/on-page.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();
clearOfMidnight();
/** Past days, whose numbers no longer change. */
const PAST = `ds=${dayAgo(9)}&de=${dayAgo(3)}`;
let context: BrowserContext;
let address: string;

beforeAll(async () => {
  context = await people.publisher();
  const { app } = (await (await context.request.get("/demo/config.json")).json()) as { app: string };
  address = `/apps/${app}/performance`;
});

async function open(query = ""): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address + query);
  await showTable(page);
  return page;
}

test("the address keeps the view and the order, and opens the same page in another tab", async () => {
  const page = await open(`?${PAST}`);
  const table = page.getByRole("region", { name: "Statistics", exact: true });
  await page.getByRole("button", { name: "Country", exact: true }).click();
  await page.waitForURL(/view=country/);
  await table.getByRole("columnheader", { name: "Requests" }).getByRole("button").click();
  await page.waitForURL(/order=requests/);
  await table.getByRole("columnheader", { name: "Requests" }).and(page.locator("[aria-sort=descending]")).waitFor();

  const elsewhere = await context.newPage();
  await elsewhere.goto(page.url());
  const same = elsewhere.getByRole("region", { name: "Statistics", exact: true });
  await showTable(elsewhere);
  await expect.poll(async () => (await same.innerText()) === (await table.innerText())).toBe(true);
  await Promise.all([page.close(), elsewhere.close()]);
});

test("dates out of range or in the wrong order are corrected", async () => {
  const page = await open("?ds=2030-01-01&de=2001-01-01");
  const asked = () => new URL(page.url()).searchParams;
  await expect.poll(() => asked().get("ds") ?? "").toMatch(/^20[12]\d-\d\d-\d\d$/);
  const [ds, de] = [asked().get("ds") ?? "", asked().get("de") ?? ""];
  expect("2015-03-30" <= ds && ds <= de && de <= dayAgo(0)).toBe(true);
  await page.close();
});

test("a block that fails shows an error, leaves the others intact, and recovers with Try again", async () => {
  const page = await context.newPage();
  let broken = true;
  await page.route(/func=why_no_ad/, (route) =>
    broken ? route.fulfill({ status: 503, json: { error: "Statistics are resting" } }) : route.continue(),
  );
  await page.goto(address);
  await page.getByText('There was an error while fetching: "Statistics are resting"').waitFor();
  await showTable(page);
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("There was an error while fetching").waitFor({ state: "hidden" });
  await expect.poll(() => page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await page.close();
});

test("the downloaded file has the rows of the table", async () => {
  const page = await open(`?${PAST}&view=format`);
  const file = await downloadFrom(page, page.getByRole("link", { name: "Download CSV" }));
  const lines = file.toString().trim().split("\n");
  await expect.poll(() => page.getByRole("region", { name: "Statistics" }).getByRole("row").count()).toBe(lines.length);
  await page.close();
});

test("an earning is explained with the bids, their prices, and why the others lost", async () => {
  const page = await open();
  await page
    .getByRole("button", { name: /^Why .* for \$/ })
    .first()
    .click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(/won/i).first().waitFor();
  await expect.poll(() => drawer.innerText()).toMatch(/\$\d+\.\d+/);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await page.close();
});

test("the API returns the requested parts under their names, and without func the page's fields", async () => {
  const path = address.replace("/performance", "/stats.json");
  const parts = (await (await context.request.get(`${path}?func=totals&func=stats&view=zone`)).json()) as AppParts;
  expect(Object.keys(parts).toSorted()).toEqual(["stats", "totals"]);
  expect(parts.stats.view).toBe("zone");
  const page: object = await (await context.request.get(path)).json();
  expect(Object.keys(page)).toEqual(expect.arrayContaining(["app", "stat_summary", "revenue_summary", "stat_table"]));
});

test("the app list and the statistics fit and pass the accessibility checks", { timeout: LOOKING_MS }, async () => {
  const list = await context.newPage();
  await list.goto("/apps");
  await list.getByRole("link", { name: /^Tide Puzzle Android/ }).waitFor();
  expect(await faultsOn(list, "the app list")).toEqual([]);
  await list.close();

  const page = await open();
  await page.getByRole("heading", { name: "Countries" }).scrollIntoViewIfNeeded();
  await page.locator("main [aria-roledescription=chart]").first().waitFor();
  expect(await faultsOn(page, "the statistics of an app")).toEqual([]);
  await page
    .getByRole("button", { name: /^Why .* for \$/ })
    .first()
    .click();
  await page.getByRole("dialog").getByText(/won/i).first().waitFor();
  expect(await faultsOn(page, "why an ad was shown")).toEqual([]);
});
