import { expect, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { region } from "./support/on-page.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();

test.each([1440, 360] as const)(
  "at %i px two partners stand side by side in three steps",
  { timeout: LOOKING_MS },
  async (width) => {
    const context = await people.publisher({ width, scheme: "light" });
    const app = await appNamed(context, "Tide Puzzle");
    const page = await context.newPage();
    await page.goto(`/apps/${app}/performance`);
    // 1: the app's mediation.
    await page.getByRole("navigation", { name: "App" }).getByRole("link", { name: "Mediation" }).click();
    const partners = region(page, "Partners");
    // 2 and 3: the two partners.
    await partners.getByRole("checkbox", { name: "Compare Lab performance" }).check();
    await partners.getByRole("checkbox", { name: "Compare Lab tardy" }).check();
    const pair = partners.getByRole("region", { name: "Side by side" });
    await expect
      .poll(() => pair.getByRole("rowheader").allInnerTexts())
      .toEqual([
        "Revenue",
        "Revenue of 14 days",
        "Asked",
        "Bid rate",
        "Win rate",
        "Median bid",
        "p50",
        "p95",
        "Timeouts",
      ]);
    const p95 = await pair.getByRole("row", { name: /^p95/ }).getByRole("cell").allInnerTexts();
    const [quick = 0, tardy = 0] = p95.map((text) => Number.parseInt(text, 10));
    expect(tardy).toBeGreaterThan(quick);
    // The address is that of the comparison.
    await page.waitForURL(/partner=lab-performance&partner=lab-tardy/);
    await page.reload();
    await pair.getByRole("columnheader", { name: "Lab tardy" }).waitFor();
    expect(await partners.getByText("Lab gzip bomb").isVisible()).toBe(false);
    if (width === 1440) expect(await faultsOn(page, "two partners")).toEqual([]);
  },
);
