import { expect, inject, test } from "vitest";
import { readMailbox } from "../server/src/platform/mail/index.ts";
import { button, dialog, inDialog, withPage } from "./support/on-page.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, cutColumns, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { ADMIN, testUsers } from "./support/test-users.ts";

/** The demo's deductions are noted once a job has booked the days that they are of. */
const NOTED_WITHIN_MS = 240_000;

const { mailDir, publisher: publisherEmail } = inject("platform");
const people = testUsers();

async function isMailed(to: string, subject: string): Promise<void> {
  const isThere = async () => (await readMailbox(mailDir)).some((mail) => mail.to === to && mail.subject === subject);
  await expect.poll(isThere).toBe(true);
}

test(
  "a publisher reads a deduction's sample auction and disputes it, an admin gives the money back, and both get mail",
  { timeout: 2 * LOOKING_MS + NOTED_WITHIN_MS },
  async () => {
    const publisher = await people.publisher();
    await withPage(publisher, "/payment/deductions", async (page) => {
      const dispute = page.getByRole("button", { name: /^Dispute / }).first();
      await dispute.waitFor({ timeout: NOTED_WITHIN_MS });
      expect(await faultsOn(page, "the deductions", LOOKS_WITH_TABLET)).toEqual([]);
      await page.setViewportSize({ width: 900, height: 900 });
      await expect.poll(() => cutColumns(page)).toEqual([]);
      expect(await tabThrough(page)).toEqual([]);
      await dispute.click();
      await button(page, "Send dispute").click();
      await dialog(page).getByText("This field is required").waitFor();
      await page.getByLabel("Why is it wrong?").fill("These devices are our testers'");
      expect(await faultsOn(page, "the form of a dispute", LOOKS_WITH_TABLET)).toEqual([]);
      await button(page, "Send dispute").click();
      await page.getByText(/^Your dispute was sent/).waitFor();
      await page.getByText("Disputed, waits for an answer").first().waitFor();
    });
    await isMailed(ADMIN, "A publisher disputes a deduction");

    await withPage(await people.admin(), "/admin/deductions?state=disputed", async (page) => {
      const answer = page.getByRole("button", { name: /^Answer / });
      await answer.first().waitFor();
      const waiting = await answer.count();
      expect(await faultsOn(page, "the admin's deductions", LOOKS_WITH_TABLET)).toEqual([]);
      await answer.first().click();
      await page.getByRole("radio", { name: /^Reverse/ }).check();
      await inDialog(page, "Reverse deduction").click();
      await dialog(page).getByText("This field is required").waitFor();
      await page.getByLabel("Answer", { exact: true }).fill("You are right");
      expect(await faultsOn(page, "the form of an answer", LOOKS_WITH_TABLET)).toEqual([]);
      await inDialog(page, "Reverse deduction").click();
      await page.getByText(new RegExp(`went back to the balance of ${publisherEmail}$`)).waitFor();
      await expect.poll(() => answer.count()).toBe(waiting - 1);
    });
    await isMailed(publisherEmail, "A deduction from your balance was reversed");

    await withPage(publisher, "/payment/deductions?state=closed", async (page) => {
      await page
        .getByRole("button", { name: /^Details / })
        .first()
        .click();
      await dialog(page).getByText("Reversed, given back").waitFor();
      const sample = dialog(page)
        .getByRole("button", { name: /^[0-9a-f-]{36}$/ })
        .first();
      const drawn = page.getByRole("heading", { name: "Who took part" });
      await sample.click();
      await drawn.waitFor();
      expect(await faultsOn(page, "a sample auction of a deduction", LOOKS_WITH_TABLET)).toEqual([]);
      // Escape closes the drawer, and leaves the dialog under it.
      await page.keyboard.press("Escape");
      await drawn.waitFor({ state: "detached" });
      await sample.click();
      await drawn.waitFor();
      await page.getByRole("link", { name: "Open the auction" }).click();
      await page.waitForURL(/\/auctions\/[0-9a-f-]{36}$/);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.getByText("No record of this auction found").count()).toBe(0);
    });
  },
);
