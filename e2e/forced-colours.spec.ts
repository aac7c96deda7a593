import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();
let address: string;
beforeAll(async () => {
  address = `/apps/${await appNamed(await people.publisher(), "Tide Puzzle")}`;
});

const look = (of: Locator) =>
  of.evaluate((element) => {
    const { backgroundColor, color, borderBottomColor } = getComputedStyle(element);
    return { backgroundColor, color, borderBottomColor };
  });

test("where the system's colours replace ours, what is chosen still looks unlike the rest, and bars are seen", async () => {
  const page = await (await people.publisher()).newPage();
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`${address}/requests`);
  const tabs = page.getByRole("navigation", { name: "App" });
  const [here, elsewhere] = [tabs.getByRole("link", { name: "Requests" }), tabs.getByRole("link", { name: "Zones" })];
  await here.waitFor();
  expect((await look(here)).backgroundColor).not.toBe((await look(elsewhere)).backgroundColor);
  // The other tab's underline stays invisible.
  const { backgroundColor } = await look(page.locator("body"));
  expect((await look(elsewhere)).borderBottomColor).toBe(backgroundColor);

  const outcome = page.getByRole("group", { name: "Outcome" });
  const [chosen, other] = [outcome.getByRole("button", { name: "All" }), outcome.getByRole("button", { name: "Sold" })];
  expect((await look(chosen)).backgroundColor).not.toBe((await look(other)).backgroundColor);

  await page.goto(`${address}/mediation`);
  const track = page.getByRole("switch", { checked: true }).first().locator("i");
  await track.waitFor();
  expect((await look(track)).backgroundColor).not.toBe(backgroundColor);
  const bar = page.getByRole("list", { name: "Waterfall of the app" }).locator("[data-kind] > i").first();
  expect((await look(bar)).backgroundColor).not.toBe(backgroundColor);
  await page.close();
});
