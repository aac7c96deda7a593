import type { Session } from "@millrace/contract";
import { beforeEach, expect, test } from "vitest";
import { currentRoleOf, forgetRole, rememberRole, rememberRoleOf } from "./current-role.ts";

beforeEach(() => localStorage.clear());

const both = { roles: { can_apps: true, can_campaign: true }, current_role: "apps" } as Session;

test("a redirect that contains campaign sets the role to campaign, any other to apps", () => {
  rememberRoleOf("/campaign/add");
  expect(currentRoleOf(both)).toBe("campaign");
  rememberRoleOf("/profile");
  expect(currentRoleOf(both)).toBe("apps");
});

test("without a stored role the server's role applies", () => {
  expect(currentRoleOf({ ...both, current_role: "campaign" })).toBe("campaign");
  rememberRole("apps");
  expect(currentRoleOf({ ...both, current_role: "campaign" })).toBe("apps");
  forgetRole();
  expect(currentRoleOf({ ...both, current_role: "campaign" })).toBe("campaign");
});
