import { expect, test } from "vitest";
import { button, dialog } from "./support/on-page.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();

test(
  "a message from the support page is answered at the desk, and the answer stands under it",
  { timeout: LOOKING_MS },
  async () => {
    await people.withPerson(async (page, { email }) => {
      await page.goto("/support");
      await page.getByText("No messages found").waitFor();
      expect(await faultsOn(page, "the support page without messages")).toEqual([]);
      await page.getByRole("textbox", { name: "Message" }).fill(`Please refill the balance of ${email}`);
      await button(page, "Send message").click();
      await page.getByText("Waits for an answer").waitFor();

      const desk = await (await people.admin()).newPage();
      await desk.goto(`/admin/support?search=${encodeURIComponent(email)}`);
      await button(desk, "Answer the message of Ada").waitFor();
      expect(await faultsOn(desk, "the desk's messages")).toEqual([]);
      await button(desk, "Answer the message of Ada").click();
      await dialog(desk).getByText("Please refill the balance").waitFor();
      expect(await faultsOn(desk, "an open message")).toEqual([]);
      await dialog(desk).getByLabel("Answer").fill("It is on its way");
      await dialog(desk).getByRole("button", { name: "Send answer" }).click();
      await desk.getByRole("table").getByText("Answered").waitFor();

      await page.reload();
      await page.getByText("It is on its way").waitFor();
      await page.getByText("Answered", { exact: true }).waitFor();
      expect(await faultsOn(page, "the support page with an answer")).toEqual([]);
    });
  },
);

test("a block that fails leads to support by its own words", async () => {
  await people.withPerson(async (page) => {
    await page.goto("/apps/app-ads");
    await page.route("**/apps/app_ads.json", (route) => route.fulfill({ status: 503, json: { error: "Away" } }));
    await page.reload();
    await page.getByRole("link", { name: "contact us" }).first().click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/support");
  });
});
