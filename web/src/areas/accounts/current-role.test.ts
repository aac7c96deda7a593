import type { Session } from "@millrace/contract";
import { beforeEach, expect, test } from "vitest";
import { currentRoleOf, forgetRole, rememberRole, rememberRoleOf } from "./current-role.ts";

beforeEach(() => localStorage.clear());

const both = { roles: { can_apps: true, can_campaign: true }, current_role: "apps" } as Session;

test("a redirect that contains campaign makes the role campaign, any other apps", () => {
  rememberRoleOf("/campaign/add");
  expect(currentRoleOf(both)).toBe("campaign");
  rememberRoleOf("/profile");
  expect(currentRoleOf(both)).toBe("apps");
});

test("without a role kept here the server's holds", () => {
  expect(currentRoleOf({ ...both, current_role: "campaign" })).toBe("campaign");
  rememberRole("apps");
  expect(currentRoleOf({ ...both, current_role: "campaign" })).toBe("apps");
  forgetRole();
  expect(currentRoleOf({ ...both, current_role: "campaign" })).toBe("campaign");
});
