import type { AppMediation, AppSettings } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { region } from "./support/on-page.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { OWN_PAGE } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();

/** An app for each width, so that the two tests change different floors. */
test.each([
  [1440, "Pocket Ledger"],
  [360, "Word Orchard"],
] as const)(
  "at %i px a publisher raises a country's floor in four steps, sees its effect before, and its mark after",
  { timeout: LOOKING_MS },
  async (width, name) => {
    const context = await people.publisher({ width, scheme: "light" });
    const app = await appNamed(context, name);
    const settings = async () =>
      (await (await context.request.get(`/apps/${app}/settings.json`, { headers: OWN_PAGE })).json()) as AppSettings;
    const before = await settings();
    const page = await context.newPage();
    try {
      await page.goto(`/apps/${app}/performance`);
      // 1: the app's mediation.
      await page.getByRole("navigation", { name: "App" }).getByRole("link", { name: "Mediation" }).click();
      const floors = region(page, "Floors");
      // 2: the floor of the country.
      await floors.getByRole("button", { name: /^United States.*Banner/ }).click();
      await floors.getByRole("slider").waitFor();
      const today = await floors.getByLabel("Floor in $").inputValue();
      const raised = String(Number(today) * 1.5);
      // 3: its new price, whose effect is told before it is saved.
      await floors.getByLabel("Floor in $").fill(raised);
      await floors.getByText("Yesterday it would have meant").waitFor();
      await floors.getByText(/^new \$/).waitFor();
      await expect.poll(() => floors.getByText(/impressions: those sold below the new floor are lost/).count()).toBe(1);
      if (width === 1440) expect(await faultsOn(page, "a raised floor")).toEqual([]);
      // 4: save.
      await floors.getByRole("button", { name: "Save floors" }).click();
      await floors.getByText("Saved", { exact: true }).waitFor();
      await expect.poll(() => floors.getByText(/^today \$/).innerText()).toContain(Number(raised).toFixed(4));
      const saved = (await settings()).floors.find(({ country, format }) => country === "US" && format === "banner");
      expect(saved?.floor).toBe(Math.round(Number(raised) * 1e6));
    } finally {
      await context.request.put(`/apps/${app}/floors`, { headers: OWN_PAGE, data: { floors: before.floors } });
      expect((await settings()).floors).toEqual(before.floors);
    }
  },
);

test("leaving with an unsaved floor asks", async () => {
  const context = await people.publisher();
  const app = await appNamed(context, "Pocket Ledger");
  const page = await context.newPage();
  await page.goto(`/apps/${app}/mediation?country=US&format=banner`);
  const floors = region(page, "Floors");
  await floors.getByLabel("Floor in $").fill("7");
  await page.getByRole("navigation", { name: "App" }).getByRole("link", { name: "Zones" }).click();
  const asked = page.getByRole("dialog", { name: "Leave without saving?" });
  await asked.getByRole("button", { name: "Stay here" }).click();
  expect(await floors.getByLabel("Floor in $").inputValue()).toBe("7");
  await page.getByRole("navigation", { name: "App" }).getByRole("link", { name: "Zones" }).click();
  await asked.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL(`**/apps/${app}/zones`);
});

test("the scorecards of today's auctions are there seconds later", async () => {
  const context = await people.publisher();
  const app = await appNamed(context, "Pocket Ledger");
  const today = dayOf(Date.now());
  const read = async () =>
    (await (
      await context.request.get(`/apps/${app}/mediation.json?ds=${today}&de=${today}`, { headers: OWN_PAGE })
    ).json()) as AppMediation;
  await expect.poll(async () => (await read()).total.asked, { timeout: 60_000 }).toBeGreaterThan(0);
  const { total, partners } = await read();
  expect(total.asked).toBe(partners.reduce((sum, { asked }) => sum + asked, 0));
});
