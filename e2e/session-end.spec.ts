import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { logIn } from "./support/new-person.ts";
import { region, withPage } from "./support/on-page.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();
const message = (page: Page) => region(page, "Write to support").getByLabel("Message");

test("a message typed before the session ended is sent after a sign-in in another tab", async () => {
  const person = await people.newPerson();
  await withPage(person.context, "/support", async (page) => {
    await message(page).fill("The number of today looks wrong");
    await person.context.request.get("/logout", {
      headers: { "sec-fetch-site": "same-origin", accept: "application/json" },
    });
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
    await person.context.request.get("/logout", {
      headers: { "sec-fetch-site": "same-origin", accept: "application/json" },
    });
    await region(page, "Write to support").getByRole("button", { name: "Send message" }).click();
    await page
      .getByRole("dialog", { name: "Your session has ended" })
      .getByRole("button", { name: "Leave and log in" })
      .click();
    await expect.poll(() => page.url()).toContain("/login?redirect_to=%2Fsupport");
  });
});
