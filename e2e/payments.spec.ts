import type { AdminPayouts, FinanceReport, NextPayment } from "@millrace/contract";
import { formatBalance, formatDay } from "@millrace/units";
import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { readPdf } from "../server/src/platform/pdf/testing/read-pdf.ts";
import { clearOfMidnight, dayAgo } from "./support/clear-of-midnight.ts";
import { waitForAddress, button, dialog, downloadFrom, inDialog, region, rowOf, withPage } from "./support/on-page.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { testUsers } from "./support/test-users.ts";

const PAGE = "/payment";
/** The demo's history is booked, and its past months paid, by a job once it is written. */
const PAID_WITHIN_MS = 180_000;

const people = testUsers();
clearOfMidnight();

const read = async <T>(context: BrowserContext, path: string): Promise<T> =>
  (await (await context.request.get(path, { headers: { accept: "application/json" } })).json()) as T;

test(
  "the demo's publisher was paid for past months; the header, the payments and the finance report have one balance",
  { timeout: LOOKING_MS + PAID_WITHIN_MS },
  async () => {
    const context = await people.publisher();
    await expect
      .poll(async () => (await read<NextPayment>(context, "/payment/next.json")).paid, {
        timeout: PAID_WITHIN_MS,
        interval: 2000,
      })
      .toBeGreaterThan(0);
    await withPage(context, "/apps", async (page) => {
      await page.getByRole("link", { name: "Payments" }).click();
      await waitForAddress(page, PAGE);
      await rowOf(page, "Performed").first().waitFor();
      await page.frameLocator("iframe[title='Payout details']").getByText("Bank transfer ending 3000").waitFor();
      // What is booked in between shows up in all three a moment later.
      await expect
        .poll(async () => {
          const { balance } = await read<NextPayment>(context, "/payment/next.json");
          const { closing } = await read<FinanceReport>(context, `/api/report?ds=${dayAgo(9)}&de=${dayAgo(0)}`);
          const header = await page.locator("header").textContent();
          const block = await region(page, "Next payment").textContent();
          return [closing === balance, ...[header, block].map((text) => text?.includes(formatBalance(balance)))];
        })
        .toEqual([true, true, true]);
      expect(await faultsOn(page, "the payments", LOOKS_WITH_TABLET)).toEqual([]);
      expect(await tabThrough(page)).toEqual([]);
      await page.getByRole("link", { name: "Full history" }).click();
      await waitForAddress(page, "/payment/cashouts_history");
      await rowOf(page, "Performed").first().waitFor();
      expect(await faultsOn(page, "the payment history", LOOKS_WITH_TABLET)).toEqual([]);
      const statement = await downloadFrom(page, page.getByRole("link", { name: /^Statement for .+, PDF$/ }).first());
      const lines = (await readPdf(statement)).flat();
      expect(lines.some((line) => line.startsWith("Payout statement for "))).toBe(true);
      expect(lines.some((line) => line.startsWith("Paid | $"))).toBe(true);
    });
  },
);

test("an owner says in the provider's frame where the money goes; the frame fits what is in it", async () => {
  await people.withPerson(async (page) => {
    await page.goto(PAGE);
    await page.getByText("No payments found").waitFor();
    const frame = page.frameLocator("iframe[title='Payout details']");
    await frame.getByText("Payout method: none yet").waitFor();
    await frame.getByLabel("PayPal").check();
    await frame.getByLabel("Account holder").fill("Ada Lovelace");
    await frame.getByLabel("E-mail address of the PayPal account").fill("no address");
    await frame.getByRole("button", { name: "Save payout details" }).click();
    await frame.getByText("Enter the e-mail address of your PayPal account").waitFor();
    await frame.getByLabel("E-mail address of the PayPal account").fill("ada@example.com");
    await frame.getByLabel("E-mail address of the PayPal account").press("Enter");
    await frame.getByText("Your payout details are saved.").waitFor();
    await frame.getByText("Payout method: PayPal a…@example.com").waitFor();
    const inner = await frame.locator("body").evaluate((body) => (body as HTMLElement).offsetHeight);
    await expect.poll(async () => (await page.locator("iframe").boundingBox())?.height).toBe(inner + 25);
    await page.reload();
    await frame.getByText("Payout method: PayPal a…@example.com").waitFor();
  });
});

test(
  "an admin sees before the next run whom it will pay and whom not, and every payout",
  { timeout: LOOKING_MS },
  async () => {
    const [admin, person] = [await people.admin(), await people.newPerson()];
    await withPage(admin, `/admin/users?search=${person.email}`, async (page) => {
      await page.getByRole("button", { name: `Adjust ${person.email}` }).click();
      await dialog(page).getByRole("radio", { name: "Bonus" }).check();
      await dialog(page).getByLabel("Amount in $").fill("150");
      await dialog(page)
        .getByLabel(/^Reason/)
        .fill("A good month");
      await inDialog(page, "Adjust balance").click();
      await page.getByText(`The balance of ${person.email} is now $150.00`).waitFor();
    });
    await withPage(admin, "/admin/payouts", async (page) => {
      await region(page, "Payouts").getByRole("row").nth(1).waitFor({ timeout: PAID_WITHIN_MS });
      const { run } = await read<AdminPayouts>(admin, "/admin/payouts.json");
      const own = region(page, "Next run").getByRole("row").filter({ hasText: person.email });
      // A month that is over does not pay what was given after it.
      expect(await own.count()).toBe(run.month_is_over ? 0 : 1);
      if (!run.month_is_over) {
        await own.getByText("no: no payout details").waitFor();
        await registerPayPal(person.context);
        await page.reload();
        await own.getByText(`from ${formatDay(run.on)} on`).waitFor();
        await own.getByText("$150.00").waitFor();
      }
      expect(await faultsOn(page, "the admin's payouts", LOOKS_WITH_TABLET)).toEqual([]);
    });
  },
);

const registerPayPal = (context: BrowserContext): Promise<void> =>
  withPage(context, PAGE, async (page) => {
    const frame = page.frameLocator("iframe[title='Payout details']");
    await frame.getByLabel("PayPal").check();
    await frame.getByLabel("Account holder").fill("Ada Lovelace");
    await frame.getByLabel("E-mail address of the PayPal account").fill("ada@example.com");
    await frame.getByRole("button", { name: "Save payout details" }).click();
    await frame.getByText("Your payout details are saved.").waitFor();
  });

test(
  "an admin sees day by day that the books agree with the events",
  { timeout: LOOKING_MS + PAID_WITHIN_MS },
  async () => {
    await withPage(await people.admin(), "/admin/books", async (page) => {
      const days = region(page, "Days").getByRole("row");
      await expect
        .poll(
          async () => {
            await page.reload();
            await region(page, "Days").waitFor();
            return days.count();
          },
          { timeout: PAID_WITHIN_MS, interval: 5000 },
        )
        .toBeGreaterThan(20);
      await page.getByText("The books agree with the events").waitFor();
      await button(page, "Check again").click();
      await page.getByText(/^The books are being checked/).waitFor();
      expect(await faultsOn(page, "the books", LOOKS_WITH_TABLET)).toEqual([]);
      expect(await tabThrough(page)).toEqual([]);
    });
  },
);
