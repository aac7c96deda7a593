import type { BrowserContext } from "playwright-core";
import { TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { logIn } from "./support/new-person.ts";
import { button, withPage } from "./support/on-page.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();
const SITE = "first.example";
const SESSION = "**/session.json";

async function siteOf({ request }: BrowserContext): Promise<string | null> {
  const reply = await request.get("/apps/app_ads.json");
  return ((await reply.json()) as { domain: string | null }).domain;
}

test("a page saves nothing into another account that the browser has signed in to since it was opened", async () => {
  const [first, second] = [await people.newPerson(), await people.newPerson()];
  await withPage(first.context, "/apps/app-ads", async (page) => {
    const site = page.getByLabel("Domain");
    await site.fill(SITE);
    await page.getByTitle(first.email).first().waitFor();
    // The sign-in happens in another tab, before this page asks again whose session it has.
    await page.route(SESSION, (route) => route.abort());
    await logIn(first.context, second);
    await button(page, "Save developer site").click();
    await page.getByText(TEXTS.otherUser).waitFor();
    expect(await siteOf(second.context)).toBeNull();
    await page.unroute(SESSION);
    await page.getByTitle(second.email).first().waitFor();
    expect(await site.inputValue()).toBe("");
    await site.fill("second.example");
    await button(page, "Save developer site").click();
    await expect.poll(() => siteOf(second.context)).toBe("second.example");
  });
  await logIn(first.context, first);
  expect(await siteOf(first.context)).toBeNull();
});
