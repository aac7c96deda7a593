import type { adminUsers, Reply } from "@millrace/contract";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import type { NewPerson } from "./support/new-person.ts";
import { rowOf, withPage } from "./support/on-page.ts";
import { cutColumns } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();
let admin: BrowserContext;
let publisher: NewPerson;
let advertiser: NewPerson;
beforeAll(async () => {
  admin = await people.admin();
  publisher = await people.newPerson();
  advertiser = await people.newPerson({ role: "ADV" });
});

const withAdminPage = (path: string, run: (page: Page) => Promise<void>) => withPage(admin, path, run);

test("no column of the admin's lists is cut off at 1440, 1280 and 900 px", async () => {
  for (const path of ["/admin", "/admin/apps", "/admin/users", "/admin/audit"]) {
    await withAdminPage(path, async (page) => {
      await page.getByRole("row").nth(1).waitFor();
      for (const width of [1440, 1280, 900, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(() => cutColumns(page), { message: `${path} at ${width} px` }).toEqual([]);
      }
    });
  }
});

test("an admin finds users by part of their e-mail, the address keeps the search, and one click clears it", async () => {
  await withAdminPage("/admin/users", async (page) => {
    await rowOf(page, publisher.email).waitFor();
    await page.getByRole("searchbox", { name: "Search e-mail, name or ID" }).fill(publisher.email.slice(0, 14));
    await rowOf(page, advertiser.email).waitFor({ state: "detached" });
    await page.waitForURL(({ searchParams }) => searchParams.get("search") === publisher.email.slice(0, 14));
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.reload();
    await rowOf(page, publisher.email).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("searchbox", { name: "Search e-mail, name or ID" }).fill("nobody at all");
    await page.getByText("No users found").waitFor();
    await page.getByRole("button", { name: "Show all users" }).click();
    await rowOf(page, advertiser.email).waitFor();
    await page.waitForURL(({ search }) => search === "");
  });
});

test("a list that fails shows an error and can be retried", async () => {
  await withAdminPage("/admin/audit", async (page) => {
    await page.getByRole("table").waitFor();
    await page.route("**/admin/users.json*", (route) => route.fulfill({ status: 503, json: { error: "Away" } }));
    await page.getByRole("link", { name: "Users", exact: true }).click();
    await page.getByText('There was an error while fetching: "Away". Try refreshing the page or contact us.').waitFor();
    await page.unroute("**/admin/users.json*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table").waitFor();
    await expect.poll(() => page.getByRole("alert").filter({ hasText: "Away" }).count()).toBe(0);
  });
});

test("a long list has pages, and the address names the current one", async () => {
  const reply = await admin.request.get("/admin/audit.json");
  const { pager } = (await reply.json()) as Reply<typeof adminUsers>;
  const last = Math.max(pager.last_page, 3);
  // The demo has few entries, so the pager is faked.
  await withAdminPage("/admin/audit", async (page) => {
    await page.route("**/admin/audit.json*", async (route) => {
      const p = Number(new URL(route.request().url()).searchParams.get("p"));
      const first = await route.fetch({ url: `${platform.url}/admin/audit.json` });
      const { entries } = (await first.json()) as { entries: object[] };
      await route.fulfill({ json: { entries, pager: { ...pager, current_page: p + 1, last_page: last } } });
    });
    await page.reload();
    await page.getByRole("button", { name: "Next" }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get("p") === "1");
    const second = page.getByRole("button", { name: "Page 2", exact: true });
    await expect.poll(() => second.getAttribute("aria-current")).toBe("page");
    await page.getByRole("searchbox").fill("password");
    await page.waitForURL(({ search }) => search === "?search=password");
  });
});
