import type { AdminRevenue, MonthRevenue } from "@millrace/contract";
import { formatDay, formatMoney } from "@millrace/units";
import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { clearOfMidnight, dayAgo } from "./support/clear-of-midnight.ts";
import { waitForAddress, region, withPage } from "./support/on-page.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

/** The demo's history is booked, paid and stated by jobs once it is written. */
const STATED_WITHIN_MS = 240_000;

const people = testUsers();
clearOfMidnight();

const read = async <T>(context: BrowserContext, path: string): Promise<T> =>
  (await (await context.request.get(path, { headers: { accept: "application/json" } })).json()) as T;

test(
  "an admin imports a partner's statement, and the publisher sees the month's three numbers with what it changed",
  { timeout: 2 * LOOKING_MS + STATED_WITHIN_MS },
  async () => {
    const [admin, publisher] = [await people.admin(), await people.publisher()];
    const day = dayAgo(1);
    const month = day.slice(0, 7);
    // Its statements lack the last days of a month, so that yesterday is not stated even on the first day of the next one.
    const byMoody = async () =>
      (await read<AdminRevenue>(admin, `/admin/revenue.json?month=${month}&by=partner`)).rows.find(
        ({ id }) => id === "lab-moody",
      );
    await expect
      .poll(async () => (await byMoody())?.estimated ?? 0, { timeout: STATED_WITHIN_MS, interval: 2000 })
      .toBeGreaterThan(0);
    const before = await read<MonthRevenue>(publisher, `/payment/revenue.json?month=${month}`);

    await withPage(admin, "/admin/statements", async (page) => {
      await page.getByRole("link", { name: "Import a statement" }).click();
      await waitForAddress(page, "/admin/statements/import");
      await page.getByLabel("Partner", { exact: true }).selectOption({ label: "Lab moody" });
      const send = (amount: string) =>
        page.locator("input[type=file]").setInputFiles({
          name: "moody.csv",
          mimeType: "text/csv",
          buffer: Buffer.from(`Date,Bundle,Impressions,Revenue\n${day},com.example.tidepuzzle,1,${amount}\n`),
        });
      await send("=1+1");
      await page.getByRole("button", { name: "Check the file" }).click();
      await region(page, "Nothing can be booked yet").getByText("“=1+1” is a formula, not an amount").waitFor();
      expect(await faultsOn(page, "a statement with a fault", LOOKS_WITH_TABLET)).toEqual([]);
      await send("12.34");
      await page.getByRole("button", { name: "Check the file" }).click();
      await region(page, "What it would change").getByText("1 added, 0 restated, 0 unchanged").waitFor();
      expect(await faultsOn(page, "a statement before it is booked", LOOKS_WITH_TABLET)).toEqual([]);
      await page.getByRole("button", { name: "Book the statement" }).click();
      await region(page, "What it changed").getByText("$12.34").first().waitFor();
      expect(await faultsOn(page, "an imported statement", LOOKS_WITH_TABLET)).toEqual([]);
      await page.getByRole("link", { name: "All statements" }).click();
      await page.getByText("moody.csv").first().waitFor();
      expect(await faultsOn(page, "the statements", LOOKS_WITH_TABLET)).toEqual([]);
    });

    const after = await read<MonthRevenue>(publisher, `/payment/revenue.json?month=${month}`);
    expect(after.reported).toBeGreaterThan(before.reported);
    await withPage(publisher, `/payment?month=${month}&by=day`, async (page) => {
      const block = page.getByRole("region", { name: /three numbers$/ });
      await block.getByText(formatMoney(after.reported)).first().waitFor();
      await block.getByText("Difference that is on us").waitFor();
      await block.getByRole("link", { name: formatDay(day) }).waitFor();
      expect(await faultsOn(page, "the three numbers", LOOKS_WITH_TABLET)).toEqual([]);
      await block.getByRole("link", { name: formatDay(day) }).click();
      await waitForAddress(page, `/report?ds=${day}&de=${day}`);
    });
  },
);
