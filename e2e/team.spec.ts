import { type Profile, TEXTS, TICKET_ERRORS, notFoundText } from "@millrace/contract";
import { expect, inject, test } from "vitest";
import { addApp } from "./support/add-app.ts";
import { mailedLink } from "./support/new-person.ts";
import { sessionOf, sessionStatus } from "./support/session-of.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { testUsers } from "./support/test-users.ts";
import { waitForAddress, button, hasFocus, inDialog, region, submitSignIn } from "./support/on-page.ts";

const platform = inject("platform");
const people = testUsers();

test("a sub-user signs in with the password that is shown once, and sees the pages of their role", async () => {
  await people.withProfile(async (page) => {
    await page.getByRole("link", { name: "Open team" }).click();
    await waitForAddress(page, "/team");
    const part = region(page, "Sub-users");
    await part.getByRole("button", { name: "Add sub-user" }).click();
    const form = page.getByRole("dialog", { name: "Add sub-user" });
    await form.getByRole("button", { name: "Add sub-user" }).click();
    await form.getByText(TEXTS.chooseRole).waitFor();
    await form.getByLabel("Name").fill("Night desk");
    await form.getByLabel("Role").selectOption("GST");
    await form.getByRole("button", { name: "Add sub-user" }).click();
    await part.getByText("Night desk").waitFor();
    const read = async (what: string) =>
      ((await part.getByRole("button", { name: new RegExp(`, copy ${what}$`) }).textContent()) ?? "").split(
        ", copy",
      )[0] ?? "";
    const email = await read("the e-mail");
    const password = await read("the password");
    expect(email).toMatch(/^gst-[\da-f]{8}@users\.millrace\.invalid$/);

    const guest = await people.visitor();
    const guestPage = await guest.newPage();
    await submitSignIn(guestPage, { email, password });
    await guestPage.waitForURL(({ pathname }) => pathname === "/apps");
    await guestPage.goto("/profile");
    await guestPage.getByRole("button", { name: "Edit name" }).waitFor();
    await expect
      .poll(() =>
        guestPage
          .getByRole("region")
          .evaluateAll((all) =>
            all.map((one) => one.getAttribute("aria-label") ?? one.querySelector("h2")?.textContent),
          ),
      )
      // The team belongs to the owner.
      .toEqual(["Settings", "Two-factor authentication", "Additional sign in options"]);
    expect(await guestPage.getByRole("button", { name: "Edit password" }).count()).toBe(0);
    // A page that the role may not open shows not found.
    for (const path of ["/admin/users", "/team"]) {
      await guestPage.goto(path);
      await guestPage.getByRole("link", { name: "Go back" }).waitFor();
    }

    await page.reload();
    await part.getByText("shown once, when created").waitFor();
    await part.getByLabel(`Role of ${email}`).selectOption("SDEV");
    await expect.poll(async () => (await sessionOf(guest)).role).toBe("SDEV");

    await part.getByRole("button", { name: `New password for ${email}` }).click();
    await inDialog(page, "Create new password").click();
    await part.getByRole("button", { name: /, copy the password$/ }).waitFor();
    const renewed = await read("the password");
    expect(renewed).not.toBe(password);
    expect(await sessionStatus(guest)).toBe(401);
    await submitSignIn(guestPage, { email, password: renewed });
    await guestPage.waitForURL(({ pathname }) => pathname === "/apps");

    await part.getByRole("button", { name: `Delete ${email}` }).click();
    await inDialog(page, "Delete sub-user").click();
    await part.getByText("No sub-users found").waitFor();
    expect(await sessionStatus(guest)).toBe(401);
  });
});

test("a manager is invited by mail, signs in with its link, and loses access with one click", async () => {
  await people.withProfile(async (page, owner) => {
    await page.goto("/team");
    const part = region(page, "Managers");
    const email = owner.email.replace("person-", "manager-");
    await page.getByRole("button", { name: "Add manager" }).click();
    const form = page.getByRole("dialog", { name: "Add manager" });
    await form.getByLabel("Email").fill(email);
    await form.getByLabel("Name").fill("Mary");
    await form.getByRole("button", { name: "Add manager" }).click();
    await part.getByText("Invited", { exact: true }).waitFor();

    await part.getByRole("button", { name: `Edit ${email}` }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Margaret");
    await inDialog(page, "Save").click();
    await part.getByText("Margaret").waitFor();

    const manager = await people.visitor();
    const managerPage = await manager.newPage();
    await managerPage.goto(await mailedLink(platform, email));
    await managerPage.getByLabel("New password").fill("managers-own");
    await managerPage.getByLabel("Repeat the password").fill("managers-own");
    await managerPage.getByRole("button", { name: "Accept the invitation" }).click();
    await managerPage.waitForURL(({ pathname }) => pathname === "/apps");
    await managerPage.goto("/profile");
    await managerPage.getByRole("button", { name: "Edit name" }).waitFor();
    for (const name of ["Access token", "Team", "Delete account"])
      expect(await region(managerPage, name).count()).toBe(0);
    await managerPage.goto("/team");
    await managerPage.getByText("You do not manage the people of this account").waitFor();

    await page.reload();
    await part.getByText("Active", { exact: true }).waitFor();
    await part.getByRole("button", { name: `Delete ${email}` }).click();
    await inDialog(page, "Delete manager").click();
    await part.getByText("No managers found").waitFor();
    expect(await sessionStatus(manager)).toBe(401);
  });
});

test("a developer is invited by e-mail, is listed as waiting, gets a second link, and chooses the password", async () => {
  await people.withPerson(async (page, owner) => {
    await page.goto("/team");
    const part = region(page, "Sub-users");
    const email = owner.email.replace("person-", "developer-");
    await part.getByRole("button", { name: "Invite by e-mail" }).click();
    const form = page.getByRole("dialog", { name: "Invite by e-mail" });
    await form.getByLabel("Email").fill(email);
    await form.getByLabel("Name").fill("Dee");
    await form.getByLabel("Role").selectOption("SDEV");
    await form.getByRole("button", { name: "Invite" }).click();
    await part.getByText(/waiting since/).waitFor();
    const first = await mailedLink(platform, email);
    await part.getByRole("button", { name: `Resend the invitation of ${email}` }).click();
    await page.getByText(`A new invitation was sent to ${email}`).waitFor();

    const developer = await people.visitor();
    const theirs = await developer.newPage();
    const second = await mailedLink(platform, email, first);
    await theirs.goto(first);
    await theirs.getByText(TICKET_ERRORS.not_last).waitFor();
    await theirs.goto(second);
    await theirs.getByLabel("New password").fill("developers-own");
    await theirs.getByLabel("Repeat the password").fill("developers-own");
    await theirs.getByRole("button", { name: "Accept the invitation" }).click();
    await waitForAddress(theirs, "/apps");
    expect((await sessionOf(developer)).role).toBe("SDEV");

    await page.reload();
    await part.getByText("their own choice").waitFor();
    expect(await part.getByRole("button", { name: /^New password/ }).count()).toBe(0);
    await part.getByRole("button", { name: `Delete ${email}` }).click();
    await inDialog(page, "Delete sub-user").click();
    await part.getByText("No sub-users found").waitFor();
    expect(await sessionStatus(developer)).toBe(401);
  });
});

test("a developer who is invited for one app sees this app alone, and the owner opens the other one later", async () => {
  await people.withPerson(async (page, owner) => {
    const [tide, chess] = [
      await addApp(page.context(), "android", "Tide"),
      await addApp(page.context(), "android", "Chess"),
    ];
    await page.goto("/team");
    const part = region(page, "Sub-users");
    const email = owner.email.replace("person-", "one-app-");
    await part.getByRole("button", { name: "Invite by e-mail" }).click();
    const form = page.getByRole("dialog", { name: "Invite by e-mail" });
    await form.getByLabel("Email").fill(email);
    await form.getByLabel("Name").fill("Dee");
    await form.getByLabel("Role").selectOption("SDEV");
    await form.getByLabel("Chosen apps").check();
    await form.getByRole("button", { name: "Choose apps" }).focus();
    await page.keyboard.press("Enter");
    await form.getByRole("option", { name: "Chess" }).waitFor();
    expect(await faultsOn(page, "the choice of apps")).toEqual([]);
    await form.getByRole("option", { name: "Chess" }).click();
    await page.keyboard.press("Escape");
    await form.getByRole("button", { name: "Invite" }).click();
    await part.getByRole("cell", { name: "Chess" }).waitFor();

    const developer = await people.visitor();
    const theirs = await developer.newPage();
    await theirs.goto(await mailedLink(platform, email));
    await theirs.getByLabel("New password").fill("developers-own");
    await theirs.getByLabel("Repeat the password").fill("developers-own");
    await theirs.getByRole("button", { name: "Accept the invitation" }).click();
    await waitForAddress(theirs, "/apps");
    const rows = theirs.getByRole("table").first().getByRole("link");
    await theirs.getByRole("link", { name: /Chess/ }).first().waitFor();
    expect((await rows.allTextContents()).join(" ")).not.toContain("Tide");
    expect(await theirs.getByRole("link", { name: "Add New App" }).count()).toBe(0);
    const statusOf = async (uuid: string) =>
      (await theirs.request.get(`${platform.url}/apps/${uuid}/stats.json`)).status();
    expect([await statusOf(chess), await statusOf(tide)]).toEqual([200, 404]);
    await theirs.goto(`/apps/${tide}/performance`);
    await theirs.getByText(notFoundText("app")).waitFor();

    await page.reload();
    await part.getByRole("button", { name: `Edit ${email}` }).click();
    await page.getByRole("dialog").getByLabel("All apps").check();
    await inDialog(page, "Save").click();
    await part.getByRole("cell", { name: "All", exact: true }).waitFor();
    await theirs.goto("/apps");
    await theirs.getByRole("link", { name: /Tide/ }).first().waitFor();
  });
});

test("names with markup are text on the team page", async () => {
  await people.withPerson(async (page) => {
    const hostile = "<img src=x onerror=document.title='run'>";
    await page.route("**/profile.json", async (route) => {
      const profile = (await (await route.fetch()).json()) as Profile;
      const person = {
        uuid: profile.uuid,
        name: hostile,
        email: hostile,
        state: "active",
        invitation: null,
        app_ids: null,
        revision: "1",
      };
      const sub_users = [{ ...person, role_code: "GST", salt: null, has_mailbox: false }];
      const managers = [{ ...person, is_super_manager: false }];
      await route.fulfill({ json: { ...profile, sub_users, managers } });
    });
    await page.goto("/team");
    // The name and the e-mail of each.
    await expect.poll(() => page.getByText(hostile, { exact: true }).count()).toBe(4);
    await expect.poll(() => page.title()).toBe("Team · Millrace");
    expect(await page.locator("main img").count()).toBe(0);
  });
});

test("the team fits, passes the accessibility checks and is run by keyboard", { timeout: LOOKING_MS }, async () => {
  await people.withPerson(async (page, owner) => {
    await page.goto("/team");
    await page.getByText("No sub-users found").waitFor();
    expect(await faultsOn(page, "the empty team")).toEqual([]);
    await page.getByRole("button", { name: "Add sub-user" }).click();
    await page.getByRole("dialog").getByLabel("Role").selectOption("SUSR");
    await inDialog(page, "Add sub-user").click();
    await page.getByRole("button", { name: /, copy the password$/ }).waitFor();
    for (const opens of ["Invite by e-mail", "Add manager"]) {
      const opener = page.getByRole("button", { name: opens });
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: opens });
      await dialog.getByLabel("Name").fill("<");
      await page.keyboard.press("Enter");
      await dialog.getByText(TEXTS.checkFields).waitFor();
      expect(await faultsOn(page, opens)).toEqual([]);
      await page.keyboard.press("Escape");
      await button(page, "Leave").click();
      await dialog.waitFor({ state: "detached" });
      await hasFocus(opener);
    }
    await page.getByRole("button", { name: "Invite by e-mail" }).click();
    const form = page.getByRole("dialog", { name: "Invite by e-mail" });
    await form.getByLabel("Email").fill(owner.email.replace("person-", "guest-"));
    await form.getByLabel("Name").fill("Grace");
    await form.getByLabel("Role").selectOption("GST");
    await form.getByRole("button", { name: "Invite" }).click();
    await page.getByText(/waiting since/).waitFor();
    expect(await faultsOn(page, "the team")).toEqual([]);
    expect(await tabThrough(page)).toEqual([]);
  });
});
