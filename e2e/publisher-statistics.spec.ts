import type { BrowserContext, Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { clearOfMidnight, dayAgo } from "./support/clear-of-midnight.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { downloadFrom, showTable } from "./support/on-page.ts";
import { testUsers } from "./support/test-users.ts";

const PERFORMANCE = "/apps/performance";

const people = testUsers();
clearOfMidnight();
let context: BrowserContext;
beforeAll(async () => {
  context = await people.publisher();
});

/** Past days, whose numbers no longer change. */
const PAST = `ds=${dayAgo(9)}&de=${dayAgo(3)}`;

const tableOf = (page: Page) => page.getByRole("region", { name: /^Statistics by/ });

async function open(query: string, from = context): Promise<Page> {
  const page = await from.newPage();
  await page.goto(`${PERFORMANCE}?${query}`);
  await showTable(page);
  return page;
}

/** A displayed figure such as `$1,234.567891` or `1,234`, in millionths. */
const exactOf = (text: string): number => Math.round(Number(text.replaceAll(/[^\d.]/g, "")) * 1_000_000);

/** The exact figures of a column, from the title attributes of its cells. */
async function columnOf(table: Locator, head: string): Promise<string[]> {
  const heads = await table.getByRole("columnheader").allInnerTexts();
  const index = heads.findIndex((text) => text.startsWith(head));
  return table
    .locator("tbody tr, tfoot tr")
    .evaluateAll((rows, at) => rows.map((row) => row.children[at]?.getAttribute("title") ?? ""), index);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test("revenue, impressions and requests of the summary equal the totals of the table and of the app list", async () => {
  const figures = ["Revenue", "Impressions", "Requests"];
  const page = await open(PAST);
  const summary: number[] = [];
  for (const figure of figures) {
    await page
      .getByRole("group", { name: "Key figures" })
      .getByRole("button", { name: new RegExp(`^${figure}`) })
      .hover();
    const hint = page.getByRole("tooltip").filter({ hasText: new RegExp(`^${figure} `) });
    summary.push(exactOf((await hint.innerText()).split("\n")[0] ?? ""));
  }
  const cells = await Promise.all(figures.map((figure) => columnOf(tableOf(page), figure)));
  await page.goto(`/apps?${PAST}`);
  await page.getByRole("link", { name: /^Tide Puzzle Android/ }).waitFor();
  const list = page.getByRole("region", { name: "Apps and their figures" });
  const apps = await Promise.all(figures.map((figure) => columnOf(list, figure)));

  expect(Math.min(...summary)).toBeGreaterThan(0);
  for (const columns of [cells, apps].map((table) => table.map((column) => column.map(exactOf)))) {
    expect(columns.map((column) => column.at(-1))).toEqual(summary);
    expect(columns.map((column) => sum(column.slice(0, -1)))).toEqual(summary);
  }
  await page.close();
});

test("the earnings by app and by format add up to the same revenue", async () => {
  const page = await open(PAST);
  const exactIn = async (block: string) =>
    (
      await page
        .getByRole("list", { name: block })
        .getByRole("listitem")
        .evaluateAll((items) => items.map((item) => item.getAttribute("title")?.split(": ").at(-1) ?? ""))
    ).map(exactOf);
  const total = exactOf((await columnOf(tableOf(page), "Revenue")).at(-1) ?? "");
  expect(total).toBeGreaterThan(0);
  await expect.poll(async () => sum(await exactIn("Earnings by apps"))).toBe(total);
  await expect.poll(async () => sum(await exactIn("Earnings by formats"))).toBe(total);
  await page.close();
});

test("a shared link shows the same page: days, filters, view and order", async () => {
  const page = await open(PAST);
  await page.getByRole("button", { name: "All formats" }).click();
  await page.getByRole("option", { name: "Banner" }).click();
  await page.waitForURL(/format=banner/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "All apps" }).click();
  await page.getByRole("option", { name: "Quiet Radio" }).click();
  await page.waitForURL(/app_id=/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Country", exact: true }).click();
  await page.waitForURL(/view=country/);
  await tableOf(page).getByRole("columnheader", { name: "Requests" }).getByRole("button").click();
  await page.waitForURL(/order=requests/);
  await tableOf(page).getByRole("row", { name: "United States" }).waitFor();

  const other = await people.publisher();
  const elsewhere = await other.newPage();
  await elsewhere.goto(page.url());
  await showTable(elsewhere);
  await expect.poll(() => elsewhere.url()).toBe(page.url());
  await expect
    .poll(async () => (await tableOf(elsewhere).innerText()) === (await tableOf(page).innerText()))
    .toBe(true);
  await elsewhere.getByRole("button", { name: "apps: Quiet Radio", exact: true }).waitFor();
  await page.close();
});

test("the downloaded CSV has the rows, the order and the columns of the table", async () => {
  // A separate browser context, because the choice of columns is kept in the browser.
  const page = await open(`${PAST}&view=country&order=impressions&order_type=desc`, await people.publisher());
  for (const hidden of ["Uniques", "Sessions"]) {
    await page.getByRole("button", { name: /columns$/ }).click();
    await page.getByRole("option", { name: hidden }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: hidden }).waitFor({ state: "detached" });
  }
  const file = await downloadFrom(page, page.getByRole("link", { name: "Download CSV" }));
  const [head, ...lines] = file.toString().trim().split("\r\n");
  expect(head).toBe(
    'Country,Requests,Impressions,Clicks,"Fill rate, %","CTR, %","eCPM, $","Revenue, $","Revenue before, $","Revenue change, %",Compared until',
  );

  const table = tableOf(page);
  await page.getByRole("button", { name: /^\d+ more countries$/ }).click();
  await page.getByRole("button", { name: "Show fewer" }).waitFor();
  const names = await table.getByRole("rowheader").allInnerTexts();
  const shown = {
    requests: await columnOf(table, "Requests"),
    impressions: await columnOf(table, "Impressions"),
    revenue: await columnOf(table, "Revenue"),
  };
  expect(names.length).toBeGreaterThan(5);
  expect(lines.map((line) => line.split(","))).toEqual(
    names.map((name, row) => [
      name,
      shown.requests[row]?.replaceAll(",", ""),
      shown.impressions[row]?.replaceAll(",", ""),
      ...Array.from({ length: 4 }, () => expect.any(String) as string),
      expect.toSatisfy((text: string) => exactOf(text) === exactOf(shown.revenue[row] ?? "")),
      ...Array.from({ length: 3 }, () => expect.any(String) as string),
    ]),
  );
  await page.reload();
  await page.getByRole("button", { name: "7 of 9 columns" }).waitFor();
});

test("a PDF of several years shows its progress and downloads when it is ready", async () => {
  const page = await open(`ds=2016-01-01&de=${dayAgo(1)}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download PDF" }).click();
  await page.getByText("Creating the PDF").waitFor();
  // The bar has no width at first, so it does not count as visible.
  await page.getByRole("progressbar", { name: "PDF file" }).waitFor({ state: "attached" });
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`All-apps-date-2016-01-01-${dayAgo(1)}.pdf`);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).subarray(0, 5).toString()).toBe("%PDF-");
  await page.getByRole("button", { name: "Download PDF" }).waitFor();
  await page.close();
});

test.each([
  ["before the first day", `ds=2001-01-01&de=${dayAgo(3)}`, `ds=2015-03-30&de=${dayAgo(3)}`],
  ["after today", `ds=${dayAgo(3)}&de=2099-01-01`, `ds=${dayAgo(3)}&de=${dayAgo(0)}`],
  ["the wrong way round", `ds=${dayAgo(3)}&de=${dayAgo(9)}`, `ds=${dayAgo(9)}&de=${dayAgo(3)}`],
])("days %s are corrected in the page and in its address", async (_, asked, corrected) => {
  const page = await open(asked);
  await page.waitForURL(({ search }) => search === `?${corrected}`);
  expect(await page.getByRole("alert").count()).toBe(0);
  const refused = await context.request.get(`/apps/performance/stats?func=totals&${asked}`, {
    headers: { accept: "application/json" },
  });
  expect(refused.status()).toBe(400);
  await page.close();
});

test("the live feed explains each earning by its auction", async () => {
  const page = await open("");
  await page
    .getByRole("button", { name: /^Why .* for \$.* in / })
    .first()
    .click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText("Who took part").waitFor();
  await expect.poll(() => drawer.innerText()).toMatch(/partners? w(as|ere) asked/);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await page.close();
});

test("an app in the earnings links to its statistics for the same days", async () => {
  const page = await open(`${PAST}&country=US`);
  // Which apps earned most depends on the days.
  const link = page.getByRole("region", { name: "Earnings by apps" }).getByRole("link").first();
  const [name = ""] = (await link.innerText()).split(",");
  await link.click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe(`?${PAST}&country=US`);
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Performance" }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe(`?${PAST}&country=US`);
  await page.close();
});

test("an advertiser sees neither the link nor the page nor its numbers", async () => {
  const advertiser = await people.newPerson({ role: "ADV" });
  const page = await advertiser.context.newPage();
  await page.goto(PERFORMANCE);
  await page.getByText("Go back").waitFor();
  // Their own performance is that of campaigns.
  expect(await page.getByRole("link", { name: "Performance" }).getAttribute("href")).toBe("/campaign/performance");
  expect(await page.locator('a[href^="/apps"]').count()).toBe(0);
  const reply = await advertiser.context.request.get("/apps/performance/stats?func=totals", {
    headers: { accept: "application/json" },
  });
  expect(reply.status()).toBe(403);
});

test("an admin's app search finds the apps of all accounts", async () => {
  const admin = await people.admin();
  const page = await admin.newPage();
  await page.goto(PERFORMANCE);
  await page.getByRole("combobox", { name: "Search app" }).fill("quiet radio");
  await page.getByRole("option", { name: /^Quiet Radio.*publisher@demo\.test$/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(({ pathname }) => pathname === "/admin/apps");
  await page.getByRole("button", { name: "Switch into publisher@demo.test" }).waitFor();
  await expect.poll(() => page.getByText("Quiet Radio").count()).toBeGreaterThan(0);
});

test("a publisher without apps sees where to start", async () => {
  const beginner = await people.newPerson();
  const page = await beginner.context.newPage();
  await page.goto(PERFORMANCE);
  await page.getByText("No apps found").waitFor();
  await page.getByRole("link", { name: "Go to apps" }).click();
  await page.getByRole("heading", { level: 1, name: "Apps" }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/apps");
});

test("the page of all apps fits and passes the accessibility checks", { timeout: LOOKING_MS }, async () => {
  const page = await open(PAST);
  await page.getByRole("heading", { name: "Countries" }).scrollIntoViewIfNeeded();
  await page.locator("main [aria-roledescription=chart]").first().waitFor();
  await page.locator("main svg path[data-shade]").first().waitFor();
  expect(await faultsOn(page, "the page")).toEqual([]);
  await page.getByRole("button", { name: "All columns" }).click();
  await page.getByRole("option", { name: "CTR" }).waitFor();
  expect(await faultsOn(page, "the choice of columns")).toEqual([]);
});
