import { TEXTS } from "@millrace/contract";
import { expect, inject, test } from "vitest";
import { mailedLink } from "./support/new-person.ts";
import { sessionOf, sessionStatus } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";
import { inDialog, region, submitSignIn } from "./support/on-page.ts";

const platform = inject("platform");
const people = testUsers();

test("a sub-user signs in with the password that is shown once, and sees the pages of their role", async () => {
  await people.withProfile(async (page) => {
    const part = region(page, "Sub-users");
    await part.getByRole("button", { name: "Add sub-user" }).click();
    await part.getByText(TEXTS.chooseRole).waitFor();
    await part.getByLabel("Role of a new sub-user").selectOption("GST");
    await part.getByRole("button", { name: "Add sub-user" }).click();
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
      .toEqual(["Settings", "Two-factor authentication", "Additional sign in options"]);
    expect(await guestPage.getByRole("button", { name: "Edit password" }).count()).toBe(0);
    // A page that the role may not open shows not found.
    for (const path of ["/admin/users", "/campaign"]) {
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
    for (const name of ["Access token", "Sub-users", "Managers", "Delete account"])
      expect(await region(managerPage, name).count()).toBe(0);

    await page.reload();
    await part.getByText("Active", { exact: true }).waitFor();
    await part.getByRole("button", { name: `Delete ${email}` }).click();
    await inDialog(page, "Delete manager").click();
    await part.getByText("No managers found").waitFor();
    expect(await sessionStatus(manager)).toBe(401);
  });
});
