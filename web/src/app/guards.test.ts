import type { Role, Session } from "@millrace/contract";
import { beforeEach, expect, test } from "vitest";
import { rememberRole } from "../areas/accounts/index.ts";
import { homeOf } from "./guards.ts";

beforeEach(() => localStorage.clear());

const session = (can_apps: boolean, can_campaign: boolean, role: Role = "owner") =>
  ({
    role,
    roles: { can_apps, can_campaign },
    is_switched: false,
    current_role: can_apps ? "apps" : "campaign",
  }) as Session;

test("a publisher's home is apps, an advertiser's is campaigns", () => {
  expect(homeOf(session(true, false))).toBe("/apps");
  expect(homeOf(session(false, true))).toBe("/campaign");
});

test("the home of a user with both sides is the last one used", () => {
  expect(homeOf(session(true, true))).toBe("/apps");
  rememberRole("campaign");
  expect(homeOf(session(true, true))).toBe("/campaign");
  rememberRole("apps");
  expect(homeOf(session(true, true))).toBe("/apps");
});

test("a side stored by another user is ignored if the user does not have it", () => {
  rememberRole("campaign");
  expect(homeOf(session(true, false))).toBe("/apps");
});

test("the home of a user with neither side is the first page they may open", () => {
  expect(homeOf(session(false, false, "admin"))).toBe("/admin/apps");
  expect(homeOf(session(false, true, "SDEV"))).toBe("/profile");
});
