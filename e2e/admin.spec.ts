import { TEXTS } from "@millrace/contract";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import { addApp } from "./support/add-app.ts";
import { waitForAddress, hasFocus, inDialog, rowOf, submitSignIn, withPage } from "./support/on-page.ts";
import type { NewPerson } from "./support/new-person.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { sessionOf, sessionStatus } from "./support/session-of.ts";
import { ADMIN, testUsers } from "./support/test-users.ts";

/** Changes the title if it runs, and shows an image if it becomes markup. */
const HOSTILE = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;

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

const withAdminPage = (path: string, run: (page: Page) => Promise<void>, context = admin) =>
  withPage(context, path, run);

test("the admin pages do not exist for other users", async () => {
  for (const path of ["/admin", "/admin/apps", "/admin/users", "/admin/moderation", "/admin/audit"]) {
    await withAdminPage(
      path,
      async (page) => {
        await page.getByRole("link", { name: "Go back" }).waitFor();
        expect(await page.getByRole("table").count()).toBe(0);
      },
      publisher.context,
    );
  }
});

test("an admin comes home to the platform's figures, without a balance, and finds a person in one search", async () => {
  const context = await people.visitor();
  const page = await context.newPage();
  await submitSignIn(page, { email: ADMIN, password: platform.password });
  await waitForAddress(page, "/admin");
  const figures = page.getByRole("group", { name: "Figures of all accounts" });
  await figures.getByText("Our fee").waitFor();
  await page.getByText(/^Today until \d\d:\d\d UTC, compared with .* until the same time$/).waitFor();
  await page.getByRole("row").nth(1).waitFor();
  expect(await page.getByText("Balance", { exact: true }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Add New App" }).count()).toBe(0);
  await page.getByRole("link", { name: "Apps to review" }).click();
  await waitForAddress(page, "/admin/moderation");

  await page.getByRole("combobox", { name: "Search apps and people" }).fill(advertiser.email);
  await page.getByRole("option").filter({ hasText: advertiser.email }).first().waitFor();
  await page.keyboard.press("Enter");
  await waitForAddress(page, "/admin/users");
  await rowOf(page, advertiser.email).waitFor();
});

test("a refill is exact to the micro-dollar and booked once, even if the reply is lost", async () => {
  await withAdminPage(`/admin/users?search=${advertiser.email}`, async (page) => {
    const refill = page.getByRole("button", { name: `Refill ${advertiser.email}` });
    await refill.click();
    const form = page.getByRole("dialog", { name: "Refill balance" });
    await form.getByLabel("Amount in $").fill("0.009999");
    await form.getByRole("button", { name: "Refill balance" }).click();
    await form.getByText("Add at least $0.01").waitFor();
    await form.getByLabel("Amount in $").fill("1,250.340001");
    await form.getByLabel("Reason").fill(HOSTILE);
    await form.getByText("will have $1,250.340001").waitFor();
    // The server books the refill, and the reply is lost.
    await page.route("**/refill", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await form.getByRole("button", { name: "Refill balance" }).click();
    await form.getByText(TEXTS.requestFailed).waitFor();
    await page.unroute("**/refill");
    await form.getByRole("button", { name: "Refill balance" }).click();
    await page.getByText(`The balance of ${advertiser.email} is now $1,250.340001`).waitFor();
    await form.waitFor({ state: "detached" });
    await rowOf(page, "$1,250.34").waitFor();
    await hasFocus(refill);
  });
  expect((await sessionOf(advertiser.context)).campaign_balance).toBe(1_250_340_001);
});

test("a blocked user is signed out at once and cannot sign in until unblocked", async () => {
  const person = await people.newPerson();
  await withAdminPage(`/admin/users?search=${person.email}`, async (page) => {
    await page.getByRole("button", { name: `Block ${person.email}` }).click();
    await inDialog(page, "Block user").click();
    await page.getByRole("dialog").getByText(TEXTS.required).waitFor();
    await page.getByRole("dialog").getByLabel("Reason").fill(HOSTILE);
    await inDialog(page, "Block user").click();
    await rowOf(page, person.email).getByText("Blocked", { exact: true }).waitFor();
    expect(await sessionStatus(person.context)).toBe(401);
    const again = await people.visitor();
    const { email, password } = person;
    expect((await again.request.post("/login.json", { data: { email, password } })).ok()).toBe(false);

    await page.getByRole("button", { name: `Unblock ${person.email}` }).click();
    await page.getByRole("dialog").getByText(HOSTILE).waitFor();
    await page.getByRole("dialog").getByLabel("Reason").fill("A mistake");
    await inDialog(page, "Unblock user").click();
    await page.getByRole("button", { name: `Block ${person.email}`, exact: true }).waitFor();
    expect((await again.request.post("/login.json", { data: { email, password } })).ok()).toBe(true);

    await page.goto(`/admin/users?search=${ADMIN}`);
    const own = page.getByRole("button", { name: `Block ${ADMIN}` });
    expect(await own.getAttribute("title")).toBe("You cannot block yourself");
    expect(await own.isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: `Switch into ${ADMIN}` }).count()).toBe(0);
  });
});

test("an impersonating admin does not see the user's secrets, and returns to their own account", async () => {
  // A session of its own, because impersonation belongs to the session.
  const context = await people.admin();
  await withAdminPage(
    `/admin/users?search=${publisher.email}`,
    async (page) => {
      await page.getByRole("button", { name: `Switch into ${publisher.email}` }).click();
      await page.waitForURL(({ pathname }) => pathname === "/apps");
      expect(await sessionOf(context)).toMatchObject({ email: publisher.email, is_switched: true });
      await page.getByRole("button", { name: "Return to admin" }).first().waitFor();
      expect(await page.getByRole("link", { name: "Logout" }).count()).toBe(0);

      await page.goto("/profile");
      await page.getByText(publisher.email).first().waitFor();
      await page.getByRole("button", { name: "Edit name" }).waitFor();
      for (const hidden of [
        "Two-factor authentication",
        "Additional sign in options",
        "Access token",
        "Delete account",
      ])
        expect(await page.getByRole("region", { name: hidden }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Edit password" }).count()).toBe(0);
      await page.getByRole("button", { name: "Sunday" }).click();
      await page.getByText("Week start saved").waitFor();

      await page.getByRole("button", { name: "Return to admin" }).first().click();
      await page.waitForURL(({ pathname }) => pathname.startsWith("/admin"));
      expect(await sessionOf(context)).toMatchObject({ email: ADMIN, is_switched: false });

      // The audit log has both names.
      await page.goto(`/admin/audit?search=${publisher.email}`);
      const entry = page.getByRole("row").filter({ hasText: "Profile edited" }).first();
      await entry.waitFor();
      expect(await entry.getByRole("cell").nth(1).innerText()).toBe(ADMIN);
      expect(await entry.getByRole("cell").nth(2).innerText()).toBe(publisher.email);
      await entry.getByText(/detail/).click();
      await entry.getByText("week_start_on_sunday").waitFor();
    },
    context,
  );
});

test("an app is banned with a reason and approved again, and its name is shown as text everywhere", async () => {
  const name = `Tide ${HOSTILE}`;
  await addApp(publisher.context, "android", name);
  await withAdminPage("/admin/apps", async (page) => {
    await page.getByRole("searchbox", { name: "Search name, bundle or owner" }).fill("Tide <img src=x");
    const row = rowOf(page, name);
    await row.getByText(publisher.email).waitFor();

    await page.getByRole("button", { name: `Ban ${name}` }).click();
    await inDialog(page, "Ban app").click();
    await page.getByRole("dialog").getByText(TEXTS.required).waitFor();
    await page.getByRole("dialog").getByLabel("Reason").fill(HOSTILE);
    await inDialog(page, "Ban app").click();
    await row.getByText("SDK banned").waitFor();
    await page.getByRole("button", { name: `Approve ${name}` }).click();
    await inDialog(page, "Approve app").click();
    await row.getByText("SDK banned").waitFor({ state: "detached" });

    // A demo app never waits for moderation, so the queue is faked. The decision goes to the server.
    await page.route("**/admin/moderation.json*", async (route) => {
      const found = await route.fetch({ url: `${platform.url}/admin/apps.json?search=${publisher.email}` });
      const { apps, pager } = (await found.json()) as { apps: object[]; pager: object };
      await route.fulfill({
        json: { apps: apps.map((app) => ({ ...app, waiting_since: new Date().toISOString() })), pager },
      });
    });
    await page.getByRole("link", { name: "Moderation" }).click();
    await page.getByRole("button", { name: `Approve ${name}` }).click();
    await inDialog(page, "Approve app").click();
    await page.getByRole("dialog").getByText("This app is already live").waitFor();
    await page.keyboard.press("Escape");

    await page.goto("/admin/audit?search=app_banned");
    await page.getByText("App banned").first().waitFor();
    await page.locator("details summary").first().click();
    await page.getByText(HOSTILE).first().waitFor();
    await page.goto(`/admin/users?search=${encodeURIComponent(HOSTILE)}`);
    await page.getByText(`Nothing matches “${HOSTILE}”.`).waitFor();
    await expect.poll(() => page.title()).toBe("Users · Millrace");
    expect(await page.locator("main img").count()).toBe(0);
  });
});

test("the admin pages fit and pass the accessibility checks", { timeout: LOOKING_MS }, async () => {
  await withAdminPage("/admin", async (page) => {
    await page.getByRole("row").nth(1).waitFor();
    expect(await faultsOn(page, "overview")).toEqual([]);
    await page.goto("/admin/apps");
    await rowOf(page, publisher.email).first().waitFor();
    expect(await faultsOn(page, "apps")).toEqual([]);
    for (const path of ["/admin/users", "/admin/audit"]) {
      await page.goto(path);
      await page.getByRole("row").nth(1).getByRole("cell").first().waitFor();
      const details = page.locator("details summary").first();
      if (path === "/admin/audit") await details.click();
      expect(await faultsOn(page, path)).toEqual([]);
    }
    await page.goto("/admin/moderation?search=nothing%20of%20this%20name");
    await page.getByText("No apps found").waitFor();
    expect(await faultsOn(page, "nothing found")).toEqual([]);
    await page.goto(`/admin/users?search=${advertiser.email}`);
    for (const [opens, title] of [
      [`Refill ${advertiser.email}`, "Refill balance"],
      [`Block ${advertiser.email}`, "Block user"],
    ] as const) {
      await page.getByRole("button", { name: opens }).click();
      await inDialog(page, title).click();
      await page.getByRole("dialog").getByText(TEXTS.checkFields).waitFor();
      expect(await faultsOn(page, title)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });
});
