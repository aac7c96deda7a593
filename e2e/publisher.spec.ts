import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launchBrowser } from "./support/launch-browser.ts";
import { newPerson, signedIn } from "./support/new-person.ts";
import { LOOKS, axeFindings, overflowOf, publisher } from "./support/people.ts";

const platform = inject("platform");
const PERFORMANCE = "/apps/performance";
const MOST_SCRIPT_BYTES = 200 * 1024;

let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  browser = await launchBrowser();
  context = await publisher(browser, platform);
});
afterAll(() => browser?.close());

/** Days that are over: what they hold stays as it is. */
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const PAST = `ds=${dayAgo(9)}&de=${dayAgo(3)}`;

const tableOf = (page: Page) => page.getByRole("region", { name: /^Statistics by/ });

async function open(query: string, from = context): Promise<Page> {
  const page = await from.newPage();
  await page.goto(`${PERFORMANCE}?${query}`);
  await tableOf(page).getByRole("row").nth(1).waitFor();
  return page;
}

/** What an exact figure says, as a number in millionths: `$1,234.567891`, `1,234`. */
const exactOf = (text: string): number => Math.round(Number(text.replaceAll(/[^\d.]/g, "")) * 1_000_000);

/** The exact figures of a column in the rows below the head, by what their cells say on hover. */
async function columnOf(table: Locator, head: string): Promise<string[]> {
  const heads = await table.getByRole("columnheader").allInnerTexts();
  const index = heads.findIndex((text) => text.startsWith(head));
  return table
    .locator("tbody tr, tfoot tr")
    .evaluateAll((rows, at) => rows.map((row) => row.children[at]?.getAttribute("title") ?? ""), index);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test.each(["Revenue", "Impressions", "Requests"])(
  "%s of the summary is the table's total and the sum of the list of apps",
  async (figure) => {
    const page = await open(PAST);
    const tile = page
      .getByRole("group", { name: "Key figures" })
      .getByRole("button", { name: new RegExp(`^${figure}`) });
    await tile.hover();
    const hint = await page.getByRole("tooltip").innerText();
    const summary = exactOf(hint.split("\n")[0] ?? "");
    const cells = (await columnOf(tableOf(page), figure)).map(exactOf);
    await page.goto(`/apps?${PAST}`);
    await page.getByRole("link", { name: /^Tide Puzzle, Android/ }).waitFor();
    const apps = (await columnOf(page.getByRole("region", { name: "Apps and their figures" }), figure)).map(exactOf);

    expect(summary).toBeGreaterThan(0);
    expect(cells.at(-1)).toBe(summary);
    expect(sum(cells.slice(0, -1))).toBe(summary);
    expect(apps.at(-1)).toBe(summary);
    expect(sum(apps.slice(0, -1))).toBe(summary);
    await page.close();
  },
);

test("the shares of the apps and of the formats are parts of the same revenue", async () => {
  const page = await open(PAST);
  const exactIn = async (block: string) =>
    (
      await page
        .getByRole("region", { name: block })
        .getByRole("listitem")
        .evaluateAll((items) => items.map((item) => item.getAttribute("title")?.split(": ").at(-1) ?? ""))
    ).map(exactOf);
  const total = exactOf((await columnOf(tableOf(page), "Revenue")).at(-1) ?? "");
  expect(sum(await exactIn("Earnings by apps"))).toBe(total);
  expect(sum(await exactIn("Earnings by formats"))).toBe(total);
  await page.close();
});

test("a link opened elsewhere shows the same page: days, filters, view and order", async () => {
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
  await page.getByRole("columnheader", { name: "Revenue" }).getByRole("button").click();
  await page.waitForURL(/order=revenue&order_type=desc/);
  await tableOf(page).getByRole("row", { name: "United States" }).waitFor();

  const other = await publisher(browser, platform);
  const elsewhere = await other.newPage();
  await elsewhere.goto(page.url());
  await tableOf(elsewhere).getByRole("row").nth(1).waitFor();
  expect(elsewhere.url()).toBe(page.url());
  expect(await tableOf(elsewhere).innerText()).toBe(await tableOf(page).innerText());
  expect(await elsewhere.getByRole("button", { name: "Quiet Radio", exact: true }).count()).toBe(1);
  await other.close();
  await page.close();
});

test("the downloaded CSV holds the rows, the order and the columns of the shown table", async () => {
  const page = await open(`${PAST}&view=country&order=impressions&order_type=desc`);
  for (const hidden of ["Uniques", "Sessions"]) {
    await page.getByRole("button", { name: /columns$/ }).click();
    await page.getByRole("option", { name: hidden }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: hidden }).waitFor({ state: "detached" });
  }
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const [head, ...lines] = Buffer.concat(chunks).toString().trim().split("\r\n");
  expect(head).toBe('Country,Requests,Impressions,Clicks,"Fill rate, %","CTR, %","eCPM, $","Revenue, $"');

  const table = tableOf(page);
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
    ]),
  );
  await page.reload();
  await page.getByRole("button", { name: "7 of 9 columns" }).waitFor();
  await page.evaluate(() => localStorage.removeItem("millrace-stat-columns"));
  await page.close();
});

test.each([
  ["before the first day", `ds=2001-01-01&de=${dayAgo(3)}`, `ds=2015-03-30&de=${dayAgo(3)}`],
  ["after today", `ds=${dayAgo(3)}&de=2099-01-01`, `ds=${dayAgo(3)}&de=${dayAgo(0)}`],
  ["the wrong way round", `ds=${dayAgo(3)}&de=${dayAgo(9)}`, `ds=${dayAgo(9)}&de=${dayAgo(3)}`],
])("days %s are corrected in the page and in its address", async (_, asked, corrected) => {
  const page = await open(asked);
  expect(new URL(page.url()).search).toBe(`?${corrected}`);
  expect(await page.getByRole("alert").count()).toBe(0);
  const refused = await context.request.get(`/apps/performance/stats?func=totals&${asked}`, {
    headers: { accept: "application/json" },
  });
  expect(refused.status()).toBe(400);
  await page.close();
});

test("why a charge is what it is, is told out of its auction", async () => {
  const page = await open("");
  await page
    .getByRole("button", { name: /^Why .* for \$.* in / })
    .first()
    .click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText("Who took part").waitFor();
  expect(await drawer.innerText()).toMatch(/partners? w(as|ere) asked/);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await page.close();
});

test("an app of the shares leads to its own statistics of the same days, and back", async () => {
  const page = await open(`${PAST}&country=US`);
  await page.getByRole("region", { name: "Earnings by apps" }).getByRole("link", { name: "Quiet Radio" }).click();
  await page.getByRole("heading", { level: 1, name: "Quiet Radio" }).waitFor();
  expect(new URL(page.url()).search).toBe(`?${PAST}&country=US`);
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Performance" }).waitFor();
  expect(new URL(page.url()).search).toBe(`?${PAST}&country=US`);
  await page.close();
});

test("an advertiser sees neither the link nor the page nor its numbers", async () => {
  const advertiser = await newPerson(browser, platform, { role: "ADV" });
  const page = await advertiser.context.newPage();
  await page.goto(PERFORMANCE);
  await page.getByText("Go back").waitFor();
  expect(await page.getByRole("link", { name: "Performance" }).count()).toBe(0);
  const reply = await advertiser.context.request.get("/apps/performance/stats?func=totals", {
    headers: { accept: "application/json" },
  });
  expect(reply.status()).toBe(403);
  await advertiser.context.close();
});

test("an admin's search on the page finds the apps of all accounts", async () => {
  const admin = await signedIn(browser, platform, { email: "admin@demo.test", password: platform.password });
  const page = await admin.newPage();
  await page.goto(PERFORMANCE);
  await page.getByRole("combobox", { name: "Search app" }).fill("quiet radio");
  await page.getByRole("option", { name: /^Quiet Radio.*publisher@demo\.test$/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(({ pathname }) => pathname === "/admin/apps");
  await page.getByRole("button", { name: "Switch into publisher@demo.test" }).waitFor();
  expect(await page.getByText("Quiet Radio").count()).toBeGreaterThan(0);
  await admin.close();
});

test("a publisher without apps is told where to begin", async () => {
  const beginner = await newPerson(browser, platform);
  const page = await beginner.context.newPage();
  await page.goto(PERFORMANCE);
  await page.getByText("No apps found").waitFor();
  await page.getByRole("link", { name: "Go to the apps" }).click();
  await page.getByRole("heading", { level: 1, name: "Apps" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/apps");
  await beginner.context.close();
});

test("the scripts of the first load are small; what draws comes when it is shown", async () => {
  const page = await context.newPage();
  const scripts: Promise<{ name: string; bytes: number }>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    const name = new URL(response.url()).pathname;
    scripts.push(response.body().then((body) => ({ name, bytes: gzipSync(body).length })));
  });
  await page.goto(`${PERFORMANCE}?${PAST}`);
  await tableOf(page).getByRole("row").nth(1).waitFor();
  await page.locator("main canvas").first().waitFor();
  const loaded = await Promise.all(scripts);
  const draws = ({ name }: { name: string }) => /echarts|-chart-|world-map/.test(name);
  expect(loaded.some(draws)).toBe(true);
  expect(sum(loaded.filter((script) => !draws(script)).map(({ bytes }) => bytes))).toBeLessThanOrEqual(
    MOST_SCRIPT_BYTES,
  );
  await page.close();
});

test.each(LOOKS)("the page of all apps fits and is open to everybody at $width px, $scheme", async (look) => {
  const looked = await publisher(browser, platform, look);
  const page = await open(PAST, looked);
  await page.getByRole("heading", { name: "Countries" }).scrollIntoViewIfNeeded();
  await page.locator("main canvas").first().waitFor();
  await page.locator("main svg path[data-shade]").first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await page.getByRole("button", { name: "All columns" }).click();
  await page.getByRole("option", { name: "CTR" }).waitFor();
  expect(await overflowOf(page)).toBe(0);
  await looked.close();
});
