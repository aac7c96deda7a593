import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { REMEMBER_LOGIN } from "./support/remember-login.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();

const HAS_STYLES = "[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null)";

/** Opens the app list, without the application's script until `load` is called. */
async function openUnloaded(context: BrowserContext): Promise<{ page: Page; load: () => void }> {
  const page = await context.newPage();
  let load = () => {};
  const loading = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto("/apps", { waitUntil: "commit" });
  await page.locator(".first-frame").waitFor({ state: "attached" });
  // Until its styles are there, a page paints nothing, but its parts have places already.
  await expect.poll(() => page.evaluate(HAS_STYLES)).toBe(true);
  return { page, load };
}

/** Counts the frames in which the page shows nothing, neither the frame nor what the application draws. Runs in the page. */
const COUNT_BLANKS = `
  window.blanks = 0;
  requestAnimationFrame(function look() {
    if (![...document.querySelectorAll("svg")].some((logo) => logo.checkVisibility())) window.blanks++;
    requestAnimationFrame(look);
  });
`;

const placesOf = (parts: Record<string, Locator>) =>
  Promise.all(Object.entries(parts).map(async ([name, part]) => [name, await part.boundingBox()]));

test.each([1440, 900] as const)(
  "at %s px the frame of a page stands before the application has loaded, and nothing in it moves then",
  async (width) => {
    const context = await people.publisher({ width, scheme: "light" });
    await context.addInitScript({ content: REMEMBER_LOGIN });
    const { page, load } = await openUnloaded(context);
    const frame = page.locator(".first-frame");
    expect(await frame.isVisible()).toBe(true);
    const [left, top] = [frame.locator("> div").first(), frame.locator("> div").last()];
    const places = await placesOf({ left, top, logo: left.locator("svg") });

    await page.evaluate(COUNT_BLANKS);
    load();
    const sidebar = page.getByRole("navigation", { name: "Main" }).first();
    await sidebar.getByRole("link", { name: "Millrace" }).waitFor();
    expect(await frame.isVisible()).toBe(false);
    const logo = sidebar.locator("svg").first();
    expect(await placesOf({ left: sidebar, top: page.getByRole("banner"), logo })).toEqual(places);
    expect(await page.evaluate("window.blanks")).toBe(0);
  },
);

test("somebody who is not signed in, or has a small screen, sees no frame", async () => {
  const visitor = await openUnloaded(await people.visitor());
  const phone = await people.publisher({ width: 360, scheme: "light" });
  await phone.addInitScript({ content: REMEMBER_LOGIN });
  for (const { page } of [visitor, await openUnloaded(phone)]) {
    expect(await page.locator(".first-frame").isVisible()).toBe(false);
  }
});
