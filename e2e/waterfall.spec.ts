import type { LineItems } from "@millrace/contract";
import { expect, inject, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { deviceOf, traceOf } from "./support/ask-for-ad.ts";
import { region } from "./support/on-page.ts";
import { faultsOn, LOOKING_MS } from "./support/screens.ts";
import { OWN_PAGE } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();

/** An app for each width, which no other test changes. */
test.each([
  [1440, "light", "Northlight Weather"],
  [360, "dark", "Quiet Radio"],
] as const)(
  "at %i px a line item is added, ranked among the bidders, priced by its slider and by typing, and tried in the next auction",
  { timeout: LOOKING_MS },
  async (width, scheme, name) => {
    const context = await people.publisher({ width, scheme });
    const app = await appNamed(context, name);
    const read = async () =>
      (await (await context.request.get(`/apps/${app}/line_items.json`, { headers: OWN_PAGE })).json()) as LineItems;
    const page = await context.newPage();
    try {
      await page.goto(`/apps/${app}/mediation`);
      const items = region(page, "Line items");
      await items.getByRole("button", { name: "Add line item" }).click();
      const form = page.getByRole("dialog", { name: "Add a line item" });
      await form.getByLabel("Name").fill("House tag");
      await form.getByLabel("HTML tag").check();
      await form.getByLabel("Markup").fill("<p>House ad</p>");
      await form.getByLabel("Price per thousand impressions in $").fill("90");
      if (width === 360) expect(await faultsOn(page, "the form of a line item")).toEqual([]);
      await form.getByRole("button", { name: "Add line item" }).click();
      await form.waitFor({ state: "detached" });

      const waterfall = region(page, "Waterfall");
      await waterfall.getByRole("listitem").filter({ hasText: "House tag" }).waitFor();
      expect(await waterfall.getByRole("listitem").first().innerText()).toContain("House tag");
      expect(await faultsOn(page, "a waterfall")).toEqual([]);
      const slider = waterfall.getByRole("slider", { name: "Price of House tag on the axis" });
      await slider.focus();
      await page.keyboard.press("ArrowLeft");
      const price = waterfall.getByLabel("Stated price of House tag in $");
      expect(Number(await price.inputValue())).toBeLessThan(90);
      await price.fill("80");
      await waterfall.getByRole("button", { name: "Save price of House tag" }).click();
      await expect.poll(async () => (await read()).items[0]?.prices).toEqual([{ country: null, price: 80_000_000 }]);

      const device = await deviceOf(platform, app);
      // Some auctions explore prices, and a line item may rank last in one of them.
      let tried = "";
      const triedFirst = async () => {
        const { auction, ads } = await device.ask("waterfall", "banner");
        tried = auction;
        return ads[0]?.provider;
      };
      await expect.poll(triedFirst, { timeout: 20_000 }).toBe("line-items");
      const trace = await traceOf(context, tried);
      expect(trace.imps[0]?.sentence).toMatch(/^House tag was the first to try for this banner, at an expected \$\d/);
      expect(trace.replays).toBe(true);
    } finally {
      for (const { uuid } of (await read()).items) {
        await context.request.delete(`/apps/${app}/line_items/${uuid}`, { headers: OWN_PAGE });
      }
      expect((await read()).items).toEqual([]);
    }
  },
);
