import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../../testing/answer-calls.ts";
import { openProfile, openTeam } from "../../profile/testing/open-profile.tsx";
import { GUEST, INVITED, MANAGER, someProfile } from "../../profile/testing/some-profile.ts";

test("a team that fails to load says so and can be retried", async () => {
  let away = true;
  answerCalls({ "GET /profile.json": () => (away ? refused(503, "The store is away") : someProfile()) });
  await openTeam();
  expect((await screen.findByRole("alert")).textContent).toContain("The store is away");
  away = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("region", { name: "Sub-users" })).toBeTruthy();
});

test("a manager without the right to add managers reads why there is nothing", async () => {
  const profile = someProfile({ role: "manager" });
  const roles = { ...profile.roles, manager_apps: true, is_super_manager: false, can_guest: false };
  answerCalls({ "GET /profile.json": () => ({ ...profile, roles }) });
  await openTeam();
  expect(await screen.findByText("You do not manage the people of this account")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to your profile" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Managers" })).toBeNull();
});

test("the profile counts the team and leads to its page", async () => {
  answerCalls({ "GET /profile.json": () => someProfile({ sub_users: [GUEST, INVITED], managers: [MANAGER] }) });
  await openProfile();
  const line = await screen.findByRole("region", { name: "Team" });
  expect(line.textContent).toContain("2 sub-users and 1 manager besides the owner");
  expect(screen.getByRole("link", { name: "Open team" }).getAttribute("href")).toBe("/team");
  expect(screen.queryByRole("region", { name: "Sub-users" })).toBeNull();
});

test("a sub-user's profile has no line about the team", async () => {
  const profile = someProfile({ role: "GST" });
  const roles = { ...profile.roles, is_subuser: true, is_super_manager: false, can_guest: false };
  answerCalls({ "GET /profile.json": () => ({ ...profile, roles }) });
  await openProfile();
  expect(await screen.findByRole("region", { name: "Settings" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Team" })).toBeNull();
});
