import type { FinanceReport, PublisherParts } from "@millrace/contract";
import type { BrowserContext } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { clearOfMidnight, dayAgo } from "./support/clear-of-midnight.ts";
import { waitForAddress, downloadFrom, region, rowOf, withPage } from "./support/on-page.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { testUsers } from "./support/test-users.ts";

const PAGE = "/report";
/** The demo's history is booked by a job once it is written. */
const BOOKED_WITHIN_MS = 180_000;

const people = testUsers();
clearOfMidnight();
let context: BrowserContext;
beforeAll(async () => {
  context = await people.publisher();
});

/** Past days: their events no longer change, and none of the demo's deductions is noted on them. */
const PAST = `ds=${dayAgo(20)}&de=${dayAgo(11)}`;

const read = async <T>(path: string): Promise<T> =>
  (await (await context.request.get(path, { headers: { accept: "application/json" } })).json()) as T;
const report = () => read<FinanceReport>(`/api/report?${PAST}`);

/** Waits until the books of the past days are what the statistics say. */
async function untilBooked(): Promise<void> {
  const { totals } = await read<Pick<PublisherParts, "totals">>(`/apps/performance/stats?func=totals&${PAST}`);
  expect(totals.revenue).toBeGreaterThan(0);
  await expect
    .poll(
      async () => {
        const { credit, provider_corrections: later } = (await report()).totals;
        return credit + later.credit - later.debet;
      },
      { timeout: BOOKED_WITHIN_MS, interval: 2000 },
    )
    .toBe(totals.revenue);
}

test(
  "the finance report has the revenue of the statistics, and its files have its days",
  { timeout: LOOKING_MS },
  async () => {
    await untilBooked();
    const { trans, opening, totals, closing } = await report();
    expect((opening ?? Number.NaN) + totals.amount).toBe(closing);
    await withPage(context, "/apps", async (page) => {
      await page.getByRole("link", { name: "Finance report" }).click();
      await waitForAddress(page, PAGE);
      await page.getByText(/^Revenue is booked up to/).waitFor();
      await page.goto(`${PAGE}?${PAST}`);
      await rowOf(page, `Total, ${trans.length} days`).waitFor();
      const csv = (await downloadFrom(page, page.getByRole("link", { name: "Download CSV" }))).toString();
      expect(csv.trim().split("\r\n")).toHaveLength(trans.length + 2);
      const pdf = await downloadFrom(page, page.getByRole("link", { name: "Download PDF" }));
      expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    });
  },
);

test("the finance report fits and passes the accessibility checks", { timeout: LOOKING_MS }, async () => {
  await untilBooked();
  await withPage(context, `${PAGE}?${PAST}`, async (page) => {
    await region(page, "Revenue by app").getByRole("row").nth(1).waitFor();
    expect(await faultsOn(page, "the finance report", LOOKS_WITH_TABLET)).toEqual([]);
    expect(await tabThrough(page)).toEqual([]);
    await region(page, "Revenue by provider").getByRole("link").first().click();
    await page.getByText(/take the filters back to see them/).waitFor();
    expect(await faultsOn(page, "the finance report of one provider")).toEqual([]);
  });
});

test("an advertiser has no finance report", async () => {
  const advertiser = await people.newPerson({ role: "ADV" });
  for (const path of ["/api/report", "/report.csv", "/report/gen_report_pdf"])
    expect((await advertiser.context.request.get(path)).status()).toBe(403);
});
