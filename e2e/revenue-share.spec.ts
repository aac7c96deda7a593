import { addDays, dayOf, formatDay } from "@millrace/units";
import { expect, test } from "vitest";
import { clearOfMidnight } from "./support/clear-of-midnight.ts";
import { dialog, inDialog, region, rowOf, withPage } from "./support/on-page.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();
clearOfMidnight();

test(
  "an admin sets a publisher's share from a day on, and the publisher reads it with its reason",
  { timeout: LOOKING_MS },
  async () => {
    const person = await people.newPerson();
    const from = addDays(dayOf(Date.now()), 1);
    await withPage(await people.admin(), `/admin/users?search=${person.email}`, async (page) => {
      await page.getByRole("button", { name: `Share ${person.email}` }).click();
      await dialog(page).getByText(`${person.email} gets 80% of the cleared prices today.`).waitFor();
      await dialog(page).getByLabel("New share in %").fill("100.5");
      await inDialog(page, "Set share").click();
      await dialog(page).getByText("Use 0 to 100 percent").waitFor();
      await dialog(page).getByLabel("New share in %").fill("82.5");
      await dialog(page).getByLabel("From this day on (UTC)").fill(dayOf(Date.now()));
      await dialog(page).getByLabel("Reason, which the publisher sees").fill("A good <b>year</b>");
      await inDialog(page, "Set share").click();
      await dialog(page).getByText("Choose a day after today (UTC)").waitFor();
      await dialog(page).getByLabel("From this day on (UTC)").fill(from);
      expect(await faultsOn(page, "the form of a share")).toEqual([]);
      await inDialog(page, "Set share").click();
      await page.getByText(`${person.email} gets 82.5% from ${formatDay(from)} on`).waitFor();
    });
    await withPage(person.context, "/payment", async (page) => {
      await region(page, "Your share of the price").getByText("You earn 80% of the price").waitFor();
      await rowOf(page, "A good <b>year</b>").getByText("82.5%").waitFor();
      expect(await faultsOn(page, "the payments with a share")).toEqual([]);
      expect(await tabThrough(page)).toEqual([]);
    });
  },
);
