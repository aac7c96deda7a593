import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launchBrowser } from "./support/launch-browser.ts";
import { publisher, visitor } from "./support/people.ts";

const platform = inject("platform");
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  browser = await launchBrowser();
  context = await publisher(browser, platform);
});
afterAll(() => browser?.close());

test("the frame holds the areas, the money of today and the year; nothing leads nowhere", async () => {
  const page = await context.newPage();
  await page.goto("/apps");
  const header = page.getByRole("banner");
  await header.getByText("Revenue today").waitFor();
  expect(await header.innerText()).toMatch(/Balance\s+\$[\d,.]+/);
  const links = page.getByRole("navigation", { name: "Main" }).first().getByRole("link");
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")?.split("?")[0]))).toEqual([
    "/",
    "/apps/performance",
    "/apps",
    "/docs",
    "/apps/app-ads",
    "/logout",
    "/profile",
  ]);
  expect(await page.getByRole("contentinfo").innerText()).toContain(`© ${new Date().getUTCFullYear()}`);
  await page.close();
});

test("a search that finds nothing says so, and the search stands in the address", async () => {
  const page = await context.newPage();
  await page.goto("/apps");
  await page.getByRole("link", { name: /^Tide Puzzle, Android/ }).waitFor();
  await page.getByRole("searchbox", { name: "Search app" }).fill("no such app");
  await page.getByText("No apps found").waitFor();
  await page.waitForURL(({ searchParams }) => searchParams.get("search") === "no such app");
  expect(await page.getByRole("link", { name: /^Tide Puzzle/ }).count()).toBe(0);
  await page.close();
});

test("the state of an app's SDK is explained where it stands", async () => {
  const page = await context.newPage();
  await page.goto("/apps");
  await page
    .getByText(/^SDK on/)
    .first()
    .hover();
  const hint = page.getByRole("tooltip").filter({ hasText: "SDK is currently on" });
  await hint.waitFor();
  expect(await hint.innerText()).toContain("1.0.0");
  await page.close();
});

test("far down a page there is a way up", async () => {
  const page = await context.newPage();
  await page.goto("/apps");
  await page.getByRole("link", { name: /^Tide Puzzle, Android/ }).click();
  await page.getByRole("region", { name: "Statistics" }).getByRole("row").nth(1).waitFor();
  const up = page.getByRole("button", { name: "Scroll to top" });
  expect(await up.isVisible()).toBe(false);
  await page.evaluate(() => scrollTo(0, 1200));
  await up.click();
  await page.waitForFunction(() => scrollY === 0);
  await up.waitFor({ state: "hidden" });
  await page.close();
});

test("an advertiser comes home to campaigns, and sees neither apps nor a publisher's money", async () => {
  const advertiser = await visitor(browser, platform);
  const page = await advertiser.newPage();
  await page.goto("/login");
  await page.getByLabel("Email").fill("advertiser@demo.test");
  await page.getByLabel("Password", { exact: true }).fill(platform.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("No campaigns found").waitFor();
  expect(new URL(page.url()).pathname).toBe("/campaign");
  const header = await page.getByRole("banner").innerText();
  expect(header).toContain("Campaign Balance");
  expect(header).not.toContain("Revenue today");
  expect(await page.getByRole("link", { name: "Apps", exact: true }).count()).toBe(0);
  await advertiser.close();
});
