import type { Reply, invoices } from "@millrace/contract";
import { expect, inject, test } from "vitest";
import { readPdf } from "../server/src/platform/pdf/testing/read-pdf.ts";
import { button, downloadFrom, region, rowOf, withPage } from "./support/on-page.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { ADVERTISER, testUsers } from "./support/test-users.ts";

/** The demo's refill gets its invoice from a job that runs every two minutes. */
const ISSUED_WITHIN_MS = 180_000;
const platform = inject("platform");
const people = testUsers();

test(
  "the demo's advertiser downloads the invoice of a refill, and an admin sees it in the month's sums",
  { timeout: LOOKING_MS + ISSUED_WITHIN_MS },
  async () => {
    const advertiser = await people.signedIn({ email: ADVERTISER, password: platform.password });
    /** The month of the demo's refill, its oldest one. */
    let month = "";
    await expect
      .poll(
        async () => {
          const reply = await advertiser.request.get("/payment/invoices.json", {
            headers: { accept: "application/json" },
          });
          month = ((await reply.json()) as Reply<typeof invoices>).invoices.at(-1)?.supplied_on.slice(0, 7) ?? "";
          return month;
        },
        { timeout: ISSUED_WITHIN_MS, interval: 2000 },
      )
      .not.toBe("");
    await withPage(advertiser, "/payment/balance", async (page) => {
      const file = await downloadFrom(
        page,
        region(page, "Invoices")
          .getByRole("link", { name: /, PDF$/ })
          .first(),
      );
      const lines = (await readPdf(file)).flat();
      expect(lines).toContain("VAT 19% (Germany) | $950.00");
      expect(await faultsOn(page, "the balance with invoices", LOOKS_WITH_TABLET)).toEqual([]);
    });
    await withPage(await people.admin(), "/admin/invoices", async (page) => {
      // Other people's documents may be of later months.
      await page.getByLabel("Month", { exact: true }).selectOption(month);
      await rowOf(page, "VAT 19%, DE").first().waitFor();
      expect(await faultsOn(page, "the admin's invoices", LOOKS_WITH_TABLET)).toEqual([]);
    });
  },
);

test("an owner enters billing details; a wrong VAT ID is refused at its field", async () => {
  await people.withPerson(async (page) => {
    await page.goto("/payment");
    await page.getByLabel("Legal name").fill("Ada Lovelace");
    await page.getByLabel("Country").selectOption("AT");
    await page.getByLabel("Address").fill("2 High Street");
    await page.getByLabel("VAT ID, if you have one").fill("ATU13585628");
    await button(page, "Save billing details").click();
    await page.getByText(/This is no VAT id of the chosen country/).waitFor();
    await page.getByLabel("VAT ID, if you have one").fill("ATU13585627");
    await page.getByLabel("VAT ID, if you have one").press("Enter");
    await page.getByText("Your billing details are saved").waitFor();
    await page.getByText(/the publisher has not agreed to self-billing/).waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel("VAT ID, if you have one").inputValue()).toBe("ATU13585627");
  });
});
