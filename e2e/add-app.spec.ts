import { expect, test } from "vitest";
import { SCRIPT, addAppByHand, isHacked } from "./support/add-app.ts";
import { testUsers } from "./support/test-users.ts";
import { dialog } from "./support/on-page.ts";

const people = testUsers();

test("a new publisher is asked to add an app, adds one in development, renames it and deletes it", async () => {
  await people.withPerson(async (page) => {
    await page.goto("/apps");
    const tabs = dialog(page).getByRole("tab");
    await tabs.first().waitFor();
    await expect
      .poll(() => tabs.allInnerTexts())
      .toEqual(["01 Already Published", "02 In development (Alt markets)", "03 Take a look (demo)"]);
    await page.mouse.click(5, 5);
    expect(await dialog(page).isVisible()).toBe(true);

    await addAppByHand(page, { kind: "android", name: "com.example.fresh" });
    await page.getByRole("heading", { level: 1, name: /com\.example\.fresh/ }).waitFor();
    await page.getByRole("button", { name: /^Edit the app's name/ }).click();
    await page.getByLabel("App name").fill("");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByText("Your app name is required").waitFor();
    await page.getByLabel("App name").fill(SCRIPT);
    await page.getByLabel("Bundle ID").fill("com.example.fresher");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: SCRIPT }).waitFor();
    await page.getByText("com.example.fresher").first().waitFor();

    await page.goto("/apps");
    await page.getByRole("button", { name: `delete ${SCRIPT}` }).click();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: `delete ${SCRIPT}` }).click();
    await dialog(page).getByRole("button", { name: "Delete app" }).click();
    await page.getByText("No apps found").waitFor();
    expect(await isHacked(page)).toBe(false);
  });
});

test("one click adds sample apps, and another one removes them", async () => {
  await people.withPerson(async (page) => {
    await page.goto("/apps");
    await dialog(page)
      .getByRole("tab", { name: /Take a look/ })
      .click();
    await page.getByRole("button", { name: "Add sample apps" }).click();
    await expect.poll(() => page.getByRole("link", { name: /: statistics$/ }).count()).toBe(2);
    await page.getByRole("button", { name: "Remove the sample apps" }).click();
    await page.getByText("No apps found").waitFor();
    await page.getByRole("button", { name: "Add the first app" }).waitFor();
  });
});

test("an app can be entered by hand when its store cannot be reached", async () => {
  await people.withPerson(async (page) => {
    await page.goto("/apps");
    await dialog(page).getByRole("button", { name: "Search" }).click();
    await page.getByText("Your bundle ID or app url is required").waitFor();
    await page.getByLabel("Bundle ID or app url").fill("com.example.nowhere");
    await dialog(page).getByRole("button", { name: "Search" }).click();
    const byHand = page.getByText("The store cannot be reached right now.");
    await byHand.or(page.getByText("No apps found")).first().waitFor();
    // With an internet connection, the store answers that it has no such app.
    if (await byHand.isVisible()) {
      await page.getByLabel("App name").fill("By hand");
      await dialog(page).getByRole("button", { name: "Add app" }).click();
      await page.waitForURL("**/settings");
      await page.getByRole("heading", { level: 1, name: /By hand/ }).waitFor();
    }
    expect(new URL(page.url()).pathname).toMatch(/^\/apps/);
  });
});
