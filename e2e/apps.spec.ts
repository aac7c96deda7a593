import type { BrowserContext } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import { rowOf, showTable, submitSignIn } from "./support/on-page.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();
let context: BrowserContext;
beforeAll(async () => {
  context = await people.publisher();
});

test("the frame shows the areas, today's money and the year, without dead links", async () => {
  const page = await context.newPage();
  await page.goto("/apps");
  const header = page.getByRole("banner");
  await header.getByText("Revenue today").waitFor();
  await expect.poll(() => header.innerText()).toMatch(/Balance\s+\$[\d,.]+/);
  const links = page.getByRole("navigation", { name: "Main" }).first().getByRole("link");
  await expect
    .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute("href")?.split("?")[0])))
    .toEqual([
      "/",
      "/apps/performance",
      "/apps",
      "/inhouse",
      "/payment",
      "/payment/deductions",
      "/report",
      "/team",
      "/apps/app-ads",
      "/help/",
      "/logout",
      "/profile",
    ]);
  expect(await links.and(page.locator("[href='/help/']")).getAttribute("target")).toBe("_blank");
  const footer = page.getByRole("contentinfo");
  await expect.poll(async () => footer.innerText()).toContain(`© ${new Date().getUTCFullYear()}`);
  await page.close();
});

test("a search without results says so, and the address keeps it", async () => {
  const page = await context.newPage();
  await page.goto("/apps");
  await page.getByRole("link", { name: /^Tide Puzzle Android/ }).waitFor();
  await page.getByRole("searchbox", { name: "Search app" }).fill("no such app");
  await page.getByText("No apps found").waitFor();
  await page.waitForURL(({ searchParams }) => searchParams.get("search") === "no such app");
  expect(await page.getByRole("link", { name: /^Tide Puzzle/ }).count()).toBe(0);
  await page.close();
});

test("a tooltip explains the state of an app's SDK", async () => {
  const page = await context.newPage();
  await page.goto("/apps");
  const hint = page.getByRole("tooltip").filter({ hasText: "SDK is currently on" }).filter({ hasText: "1.0.0" });
  // The list reloads every few seconds and can move under the mouse.
  await expect
    .poll(async () => {
      await page
        .getByText(/^SDK on/)
        .first()
        .hover();
      return hint.isVisible();
    })
    .toBe(true);
  await page.close();
});

test("a button scrolls a long page back to the top", async () => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.goto("/apps");
  await page.getByRole("link", { name: /^Tide Puzzle Android/ }).click();
  await showTable(page);
  await page.evaluate(() => scrollTo(0, 0));
  const up = page.getByRole("button", { name: "Scroll to top" });
  await up.waitFor({ state: "hidden" });
  // The page grows while it loads.
  await expect
    .poll(() =>
      page.evaluate(() => {
        scrollTo(0, 800);
        return scrollY;
      }),
    )
    .toBe(800);
  await up.click();
  await page.waitForFunction(() => scrollY === 0);
  await up.waitFor({ state: "hidden" });
  await page.close();
});

test("an advertiser lands on campaigns and sees neither apps nor a publisher's money", async () => {
  const advertiser = await people.visitor();
  const page = await advertiser.newPage();
  await submitSignIn(page, { email: "advertiser@demo.test", password: platform.password });
  await rowOf(page, "Night Kite: launch").waitFor();
  expect(new URL(page.url()).pathname).toBe("/campaign");
  const header = page.getByRole("banner");
  await header.getByText("Campaign Balance").waitFor();
  expect(await header.innerText()).not.toContain("Revenue today");
  expect(await page.getByRole("link", { name: "Apps", exact: true }).count()).toBe(0);
});
