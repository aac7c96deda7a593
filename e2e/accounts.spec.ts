import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launchBrowser } from "./support/launch-browser.ts";
import { LOOKS, axeFindings, overflowOf, publisher, visitor } from "./support/people.ts";

const platform = inject("platform");
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("a person signs in by keyboard, comes to the page they wanted, is sent on from the doors, and logs out", async () => {
  const context = await visitor(browser, platform);
  const page = await context.newPage();
  await page.goto("/apps?search=tide");
  await page.waitForURL(({ pathname }) => pathname === "/");
  await page.getByRole("link", { name: "Log in" }).first().click();
  await page.getByLabel("Email").focus();
  await page.keyboard.type(platform.publisher);
  await page.keyboard.press("Tab");
  await page.keyboard.type(platform.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(({ pathname, search }) => pathname === "/apps" && search.includes("search=tide"));
  await page.getByRole("link", { name: /^Tide Puzzle, Android/ }).waitFor();

  for (const door of ["/", "/login"]) {
    await page.goto(door);
    await page.waitForURL(({ pathname }) => pathname === "/apps");
  }

  await page.getByRole("link", { name: "Logout" }).first().click();
  await page.waitForURL(({ pathname }) => pathname === "/");
  expect((await context.request.get("/session.json")).status()).toBe(401);
  await context.close();
});

test("a wrong password keeps the form and says so under the button", async () => {
  const context = await visitor(browser, platform);
  const page = await context.newPage();
  await page.goto("/login");
  await page.getByLabel("Email").fill(platform.publisher);
  await page.getByLabel("Password", { exact: true }).fill("not-the-password");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("Wrong e-mail or password").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe(platform.publisher);
  await context.close();
});

test("another site's page can neither sign a person out nor read who they are", async () => {
  const context = await publisher(browser, platform);
  const page = await context.newPage();
  await page.route("http://elsewhere.test/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<img src="${platform.url}/logout"><form method="post" action="${platform.url}/login.json"></form>`,
    }),
  );
  await page.goto("http://elsewhere.test/");
  const readable = await page.evaluate(
    (url) =>
      fetch(`${url}/session.json`, { credentials: "include" }).then(
        () => true,
        () => false,
      ),
    platform.url,
  );
  expect(readable).toBe(false);
  expect((await context.request.get("/session.json")).status()).toBe(200);
  await context.close();
});

test("an unknown address says so and leads back", async () => {
  const context = await visitor(browser, platform);
  const page = await context.newPage();
  await page.goto("/no/such/page");
  expect(await page.getByRole("link", { name: "Go back" }).getAttribute("href")).toMatch(/^\//);
  await context.close();
});

test.each(LOOKS)("the doors fit and are open to everybody at $width px, $scheme", async (look) => {
  const context = await visitor(browser, platform, look);
  const page = await context.newPage();
  for (const [path, control] of [
    ["/", "link"],
    ["/login", "button"],
  ] as const) {
    await page.goto(path);
    await page.getByRole(control, { name: "Log in" }).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  }
  await context.close();
});
