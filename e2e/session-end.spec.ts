import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { logIn } from "./support/new-person.ts";
import { button, hasFocus, region, withPage } from "./support/on-page.ts";
import { faultsOn, LOOKING_MS } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();
const LOGOUT = { headers: { "sec-fetch-site": "same-origin", accept: "application/json" } };
const message = (page: Page) => region(page, "Write to support").getByLabel("Message");

test("a message typed before the session ended is sent after a sign-in in another tab", async () => {
  const person = await people.newPerson();
  await withPage(person.context, "/support", async (page) => {
    await message(page).fill("The number of today looks wrong");
    await person.context.request.get("/logout", LOGOUT);
    await region(page, "Write to support").getByRole("button", { name: "Send message" }).click();
    const asked = page.getByRole("dialog", { name: "Your session has ended" });
    expect(await asked.getByRole("link", { name: "Open the login in a new tab" }).getAttribute("href")).toBe("/login");
    await asked.getByRole("button", { name: "Stay here" }).click();
    await asked.waitFor({ state: "detached" });
    await logIn(person.context, person);
    expect(await message(page).inputValue()).toBe("The number of today looks wrong");
    await region(page, "Write to support").getByRole("button", { name: "Send message" }).click();
    await page.getByText("Waiting for an answer").waitFor();
    expect(await message(page).inputValue()).toBe("");
    await page.getByRole("link", { name: "Terms" }).click();
    await expect.poll(() => page.url()).toContain("/terms");
  });
});

test("a user who gives up what was typed signs in and returns to the page", async () => {
  const person = await people.newPerson();
  await withPage(person.context, "/support", async (page) => {
    await message(page).fill("Never mind");
    await person.context.request.get("/logout", LOGOUT);
    await region(page, "Write to support").getByRole("button", { name: "Send message" }).click();
    await page
      .getByRole("dialog", { name: "Your session has ended" })
      .getByRole("button", { name: "Leave and log in" })
      .click();
    await expect.poll(() => page.url()).toContain("/login?redirect_to=%2Fsupport");
  });
});

test("a dialog and the support panel keep what was typed when the session ends", { timeout: LOOKING_MS }, async () => {
  const person = await people.newPerson();
  await withPage(person.context, "/team", async (page) => {
    await button(page, "Support").click();
    await page.getByLabel("Message").fill("The invitation fails");
    await page.keyboard.press("Escape");
    // The panel is on every page, so its text is not lost by a link.
    await page.getByTitle(person.email).first().click();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    await page.goBack();
    await button(page, "Invite by e-mail").click();
    const form = page.getByRole("dialog", { name: "Invite by e-mail" });
    await form.getByLabel("Email").fill("guest@example.com");
    await form.getByLabel("Name").fill("Grace");
    await form.getByLabel("Role").selectOption("GST");
    await person.context.request.get("/logout", LOGOUT);
    await form.getByRole("button", { name: "Invite" }).click();
    const asked = page.getByRole("dialog", { name: "Your session has ended" });
    const buttons = [
      asked.getByRole("link", { name: "Open the login in a new tab" }),
      asked.getByRole("button", { name: "Stay here" }),
      asked.getByRole("button", { name: "Leave and log in" }),
    ];
    await hasFocus(buttons[0]!);
    const places = await Promise.all(buttons.map((each) => each.boundingBox()));
    expect(new Set(places.map((place) => place?.y)).size).toBe(1);
    expect(places.map((place) => place?.x)).toEqual(places.map((place) => place?.x ?? 0).toSorted((a, b) => a - b));
    expect(await faultsOn(page, "the end of the session")).toEqual([]);
    await page.keyboard.press("Escape");
    await asked.waitFor({ state: "detached" });
    expect(await form.getByLabel("Name").inputValue()).toBe("Grace");
    await logIn(person.context, person);
    await form.getByRole("button", { name: "Invite" }).click();
    await form.waitFor({ state: "detached" });
    await page.getByText(/waiting since/).waitFor();
    await button(page, "Support").click();
    expect(await page.getByLabel("Message").inputValue()).toBe("The invitation fails");
  });
});

test("each way to close a begun line item asks, and the question stays until it is answered", async () => {
  const context = await people.publisher();
  const app = await appNamed(context, "Quiet Radio");
  await withPage(context, `/apps/${app}/mediation`, async (page) => {
    const opener = region(page, "Line items").getByRole("button", { name: "Add line item" });
    await opener.click();
    const form = page.getByRole("dialog", { name: "Add a line item" });
    const asked = page.getByRole("dialog", { name: "Leave without saving?" });
    await form.getByLabel("Name").fill("House tag");
    const ways = [
      () => page.keyboard.press("Escape"),
      () => form.getByRole("button", { name: "Close" }).click(),
      () => form.getByRole("button", { name: "Cancel" }).click(),
      () => page.mouse.click(5, 5),
    ];
    for (const close of ways) {
      await close();
      await hasFocus(asked.getByRole("button", { name: "Stay here" }));
      // Longer than a dialog takes to fade in or out.
      await page.waitForTimeout(500);
      expect(await asked.isVisible()).toBe(true);
      await page.keyboard.press("Escape");
      await asked.waitFor({ state: "detached" });
      expect(await form.getByLabel("Name").inputValue()).toBe("House tag");
      expect(await form.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press("Escape");
    await asked.getByRole("button", { name: "Leave" }).click();
    await form.waitFor({ state: "detached" });
    await hasFocus(opener);
  });
});
