import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../../testing/answer-calls.ts";
import { openProfile } from "../testing/open-profile.tsx";
import { someProfile } from "../testing/some-profile.ts";

const block = async () => within(await screen.findByRole("region", { name: "Apps and campaigns" }));

test.each([
  ["an advertiser", { can_apps: false, can_campaign: true }, "Open apps", "apps", "Apps are open"],
  ["a publisher", { can_apps: true, can_campaign: false }, "Open campaigns", "campaign", "Campaigns are open"],
])("%s reads about the other side and opens it; the block disappears", async (_, has, action, side, done) => {
  const profile = someProfile();
  let roles = { ...profile.roles, ...has };
  const sent = answerCalls({
    "GET /profile.json": () => ({ ...profile, roles }),
    "POST /profile/sides": () => {
      roles = { ...roles, can_apps: true, can_campaign: true };
      return { ok: 1 };
    },
  });
  await openProfile();
  await userEvent.click((await block()).getByRole("button", { name: action }));
  expect(await screen.findByText(done)).toBeTruthy();
  expect(sent("POST /profile/sides")[0]?.body).toEqual({ side });
  await expect.poll(() => screen.queryByRole("region", { name: "Apps and campaigns" })).toBeNull();
});

test("a side that cannot be opened says why, and the button stays", async () => {
  const profile = someProfile();
  answerCalls({
    "GET /profile.json": () => ({ ...profile, roles: { ...profile.roles, can_campaign: false } }),
    "POST /profile/sides": () => refused(409, "Your account already has this side"),
  });
  await openProfile();
  await userEvent.click((await block()).getByRole("button", { name: "Open campaigns" }));
  expect(await screen.findByText("Your account already has this side")).toBeTruthy();
  expect((await block()).getByRole("button", { name: "Open campaigns" })).toBeTruthy();
});
