import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answerCalls } from "../../../../testing/answer-calls.ts";
import { openTeam } from "../../profile/testing/open-profile.tsx";
import { someProfile } from "../../profile/testing/some-profile.ts";

/** The table of rights as lines: the right, and whether each role has it. */
async function rights(): Promise<string[][]> {
  const region = within(await screen.findByRole("region", { name: "Rights for access" }));
  const table = region.getByRole("table", { name: "Rights for access of the team" });
  return [...table.querySelectorAll("tr")].map((row) => [...row.children].map(({ textContent }) => textContent));
}

const superManager = () => {
  const profile = someProfile({ role: "manager" });
  return { ...profile, roles: { ...profile.roles, can_guest: false, manager_apps: true } };
};

test("a user who may add managers sees the rights of a manager and a super manager", async () => {
  answerCalls({ "GET /profile.json": superManager });
  await openTeam();
  const [head, ...rows] = await rights();
  expect(head).toEqual(["Rights for access", "Manager", "Super manager"]);
  expect(rows).toContainEqual(["See apps and their statistics", "Yes", "Yes"]);
  expect(rows).toContainEqual(["Add and remove managers", "No", "Yes"]);
  expect(rows).toContainEqual(["Create the access token", "No", "No"]);
  expect(rows).toContainEqual(["Export personal data, delete the account", "No", "No"]);
});

test("a user with sub-users sees the rights of each of their roles", async () => {
  answerCalls({ "GET /profile.json": () => someProfile() });
  await openTeam();
  const [head, ...rows] = await rights();
  expect(head).toEqual(["Rights for access", "Administrator", "Developer", "Guest", "Manager", "Super manager"]);
  expect(rows).toContainEqual(["See apps and their statistics", "Yes", "Yes", "Yes", "Yes", "Yes"]);
  expect(rows).toContainEqual(["Add apps", "Yes", "Yes", "No", "Yes", "Yes"]);
  expect(rows).toContainEqual(["See all apps together", "Yes", "No", "Yes", "Yes", "Yes"]);
});

test("rights of a side that the account does not have are left out", async () => {
  const profile = someProfile();
  answerCalls({ "GET /profile.json": () => ({ ...profile, roles: { ...profile.roles, can_campaign: false } }) });
  await openTeam();
  const deeds = (await rights()).map(([deed]) => deed);
  expect(deeds).toContain("See apps and their statistics");
  expect(deeds).not.toContain("See campaigns and their statistics");
  // Nor is it said that chosen apps close them.
  const note = screen.getByText(/^A person with chosen apps/).textContent;
  expect(note).toContain("add apps; see app-ads.txt");
  expect(note).not.toContain("campaigns");
});
