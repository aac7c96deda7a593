import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answerCalls } from "../../../../testing/answer-calls.ts";
import { openProfile } from "../testing/open-profile.tsx";
import { someProfile } from "../testing/some-profile.ts";

/** The table of rights as lines: the right, and whether each role has it. */
async function rightsIn(block: string): Promise<string[][]> {
  const region = within(await screen.findByRole("region", { name: block }));
  const table = region.getByRole("table", { name: /^Rights for access/ });
  return [...table.querySelectorAll("tr")].map((row) => [...row.children].map(({ textContent }) => textContent));
}

test("a user who may add managers sees the rights of a manager and a super manager", async () => {
  answerCalls({ "GET /profile.json": () => someProfile() });
  await openProfile();
  const [head, ...rows] = await rightsIn("Managers");
  expect(head).toEqual(["Rights for access", "Manager", "Super manager"]);
  expect(rows).toContainEqual(["See apps and their statistics", "Yes", "Yes"]);
  expect(rows).toContainEqual(["Add and remove managers", "No", "Yes"]);
  expect(rows).toContainEqual(["Create the access token", "No", "No"]);
  expect(rows).toContainEqual(["Export personal data, delete the account", "No", "No"]);
});

test("a user with sub-users sees the rights of each of their roles", async () => {
  answerCalls({ "GET /profile.json": () => someProfile() });
  await openProfile();
  const [head, ...rows] = await rightsIn("Sub-users");
  expect(head).toEqual(["Rights for access", "Administrator", "Developer", "Guest"]);
  expect(rows).toContainEqual(["See apps and their statistics", "Yes", "Yes", "Yes"]);
  expect(rows).toContainEqual(["Add apps", "Yes", "Yes", "No"]);
  expect(rows).toContainEqual(["See all apps together", "Yes", "No", "Yes"]);
});

test("rights of a side that the account does not have are left out", async () => {
  const profile = someProfile();
  answerCalls({ "GET /profile.json": () => ({ ...profile, roles: { ...profile.roles, can_campaign: false } }) });
  await openProfile();
  const deeds = (await rightsIn("Managers")).map(([deed]) => deed);
  expect(deeds).toContain("See apps and their statistics");
  expect(deeds).not.toContain("See campaigns and their statistics");
});
