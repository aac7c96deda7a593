import type { Changes, Reply, listApps } from "@millrace/contract";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { clearOfMidnight, dayAgo } from "./support/clear-of-midnight.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { OWN_PAGE } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();
clearOfMidnight();

/** A past day, whose numbers no longer change, compared with the day before it. */
const DAY = `ds=${dayAgo(2)}&de=${dayAgo(2)}`;
const MOST_STEPS = 4;

let context: BrowserContext;
/** The app that lost most against the day before. */
let loser: Reply<typeof listApps>["apps"][number];
let changes: Changes;

beforeAll(async () => {
  context = await people.publisher();
  const list = await context.request.get(`/apps.json?${DAY}`, { headers: OWN_PAGE });
  const { apps } = (await list.json()) as Reply<typeof listApps>;
  const lostBy = ({ revenue, last_revenue: before }: (typeof apps)[number]) => revenue - (before ?? 0);
  const [first] = apps.filter((app) => app.last_revenue !== null).toSorted((a, b) => lostBy(a) - lostBy(b));
  if (!first) throw new Error("no app has figures");
  loser = first;
  const told = await context.request.get(`/apps/${loser.uuid}/changes.json?${DAY}&by=country`, { headers: OWN_PAGE });
  changes = (await told.json()) as Changes;
});

/** Counts the clicks on the way from the app list to the cause. */
class Way {
  steps = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: ReturnType<Page["locator"]>): Promise<void> {
    this.steps++;
    await what.click();
  }
}

test.each([1440, 360])(
  "from the app list, the cause of a lower revenue is found in four steps at %i px",
  async (width) => {
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/apps?${DAY}`);
    const way = new Way(page);

    await way.click(page.locator(`a[href^="/apps/${loser.uuid}/performance"]`).first());
    const panel = page.getByRole("region", { name: "What changed" });
    const steps = panel.getByRole("list", { name: "Revenue, from before to now" });
    await steps.waitFor();
    // The steps name how much each of the three factors brought or cost.
    expect(await steps.getByRole("listitem").allInnerTexts()).toHaveLength(5);

    await way.page.getByRole("combobox", { name: "Movers by" }).selectOption("country");
    way.steps++;
    const [mover] = changes.movers;
    if (!mover) throw new Error("no country moved");
    const name = panel
      .getByRole("list", { name: "What moved most" })
      .getByRole("link", { name: mover.name, exact: true });
    await way.click(name);
    await page.waitForURL(({ searchParams }) => searchParams.get("country") === mover.id);
    await steps.waitFor();

    // The address changes before the page does.
    const unfilled = page.getByRole("region", { name: "Why no ad?" }).locator(`a[href*="country=${mover.id}"]`);
    await way.click(unfilled.filter({ hasText: "See them" }));
    await page.waitForURL(({ pathname, searchParams }) => {
      return pathname === `/apps/${loser.uuid}/requests` && searchParams.get("country") === mover.id;
    });
    expect(way.steps).toBeLessThanOrEqual(MOST_STEPS);
    await page.close();
  },
);

test("requests, fill rate and eCPM add up to the difference, and so do the movers with everything else", async () => {
  const { before, after, difference, factors, movers, rest } = changes;
  expect(after.revenue - before.revenue).toBe(difference);
  expect(factors.requests + factors.fillrate + factors.ecpm).toBe(difference);
  expect(movers.reduce((sum, mover) => sum + mover.difference, rest)).toBe(difference);

  const page = await context.newPage();
  await page.goto(`/apps/${loser.uuid}/performance?${DAY}`);
  const steps = page.getByRole("list", { name: "Revenue, from before to now" }).getByRole("listitem");
  await steps.first().waitFor();
  const microsIn = (title: string | null) =>
    Math.round(Number((title ?? "").replace("−", "-").replaceAll(/[^\d.-]/g, "")) * 1_000_000);
  const [first, requests, fill, ecpm, last] = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => microsIn(await steps.nth(index).getAttribute("title"))),
  );
  expect((first ?? 0) + (requests ?? 0) + (fill ?? 0) + (ecpm ?? 0)).toBe(last);
  await page.close();
});

test("the comparison is chosen, kept in the address, and the chart shows none without it", async () => {
  const page = await context.newPage();
  await page.goto(`/apps/${loser.uuid}/performance?${DAY}`);
  await page.getByRole("combobox", { name: "Compare with" }).selectOption("weekdays");
  await page.waitForURL(/compare=weekdays/);
  await page.getByRole("combobox", { name: "Compare with" }).selectOption("none");
  await page.getByRole("button", { name: "Compare with the day before" }).waitFor();
  await page.getByText("this period").waitFor();
  const chart = page.getByRole("region", { name: "Revenue", exact: true });
  await expect.poll(() => chart.getByText("the day before", { exact: true }).count()).toBe(0);
  await page.close();
});

test("an app's statistics fit and pass the accessibility checks at 900 px too", { timeout: LOOKING_MS }, async () => {
  const page = await context.newPage();
  await page.goto(`/apps/${loser.uuid}/performance?${DAY}`);
  await page.getByRole("list", { name: "What moved most" }).waitFor();
  await page.setViewportSize({ width: 900, height: 900 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBe(0);
  expect(await faultsOn(page, "what changed in an app")).toEqual([]);
  await page.close();
});
