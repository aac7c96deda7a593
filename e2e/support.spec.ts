import { expect, test } from "vitest";
import { button, dialog } from "./support/on-page.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();

test(
  "an admin answers a message from the support page, and the user sees the answer below it",
  { timeout: LOOKING_MS },
  async () => {
    await people.withPerson(async (page, { email }) => {
      await page.goto("/support");
      await page.getByText("No messages found").waitFor();
      expect(await faultsOn(page, "the support page without messages")).toEqual([]);
      await page.getByRole("textbox", { name: "Message" }).fill(`Please refill the balance of ${email}`);
      await button(page, "Send message").click();
      await page.getByText("Waiting for an answer").waitFor();

      const desk = await (await people.admin()).newPage();
      await desk.goto(`/admin/support?search=${encodeURIComponent(email)}`);
      await button(desk, "Answer the message of Ada").waitFor();
      expect(await faultsOn(desk, "the admin's messages")).toEqual([]);
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

test.each([360, 900, 1440])(
  "the support button covers no text at the end of a page %d px wide, the one to the top none anywhere",
  async (width) => {
    await people.withPerson(async (page) => {
      // Low enough to scroll as far as the button to the top wants.
      await page.setViewportSize({ width, height: 400 });
      await page.goto("/profile");
      await button(page, "Support").waitFor();
      await page.getByText("News subscription").waitFor();
      const covered = () =>
        page.evaluate(() => {
          window.scrollTo(0, document.documentElement.scrollHeight);
          const area = (element: Element) => element.getBoundingClientRect();
          const round = [...document.querySelectorAll("button[aria-label=Support]")].map(area);
          const texts = [...document.querySelectorAll("main *, footer *")].filter(
            (element) => element.childElementCount === 0 && element.textContent.trim() !== "",
          );
          const isUnder = (a: DOMRect) =>
            round.some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
          return {
            buttons: round.length,
            under: texts.filter((one) => isUnder(area(one))).map((one) => one.textContent),
          };
        });
      await expect.poll(covered).toEqual({ buttons: 1, under: [] });
      // It appears once the page is scrolled down, in the sidebar or the bottom bar.
      const toTop = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Scroll to top" });
      await toTop.waitFor();
      await toTop.click();
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    });
  },
);

test("the error of a failed block links to support", async () => {
  await people.withPerson(async (page) => {
    await page.goto("/apps/app-ads");
    await page.route("**/apps/app_ads.json", (route) => route.fulfill({ status: 503, json: { error: "Away" } }));
    await page.reload();
    await page.getByRole("link", { name: "contact us" }).first().click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/support");
  });
});
