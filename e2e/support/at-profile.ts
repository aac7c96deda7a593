import type { Page } from "playwright-core";
import type { People } from "./test-users.ts";
import type { NewPerson } from "./new-person.ts";

/** The profile page of somebody new. */
export const atProfile = (people: People, run: (page: Page, person: NewPerson) => Promise<void>): Promise<void> =>
  people.withPerson(async (page, person) => {
    await page.goto("/profile");
    await page.getByRole("button", { name: "Edit name" }).waitFor();
    await run(page, person);
  });
