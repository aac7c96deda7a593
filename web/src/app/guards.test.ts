import type { Role, Session } from "@millrace/contract";
import { QueryClient } from "@tanstack/react-query";
import { isRedirect } from "@tanstack/react-router";
import { beforeEach, expect, test } from "vitest";
import { rememberRole } from "../areas/accounts/index.ts";
import { SESSION_KEY } from "../shared/session.ts";
import { homeOf, redirectOldTab } from "./guards.ts";

beforeEach(() => localStorage.clear());

const session = (can_apps: boolean, can_campaign: boolean, role: Role = "owner") =>
  ({
    role,
    roles: { can_apps, can_campaign },
    is_switched: false,
    has_all_apps: true,
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
  expect(homeOf(session(false, false, "admin"))).toBe("/admin");
  expect(homeOf(session(false, true, "SDEV"))).toBe("/profile");
});

/** Where a bookmark of a settings tab leads; undefined if the settings page itself opens. */
function openTab(tab: string | undefined, role: Role): string | undefined {
  const queryClient = new QueryClient();
  queryClient.setQueryData(SESSION_KEY, session(true, false, role));
  try {
    redirectOldTab({ context: { queryClient }, params: { uuid: "u" }, search: { tab } });
    return undefined;
  } catch (thrown) {
    return isRedirect(thrown) ? thrown.options.to : "no redirect";
  }
}

test("bookmarks of the former tabs of an app's settings lead to their pages", () => {
  expect(openTab("mediation", "owner")).toBe("/apps/$uuid/mediation");
  expect(openTab("zones", "owner")).toBe("/apps/$uuid/zones");
  expect(openTab("mediation", "SDEV")).toBeUndefined();
  expect(openTab(undefined, "owner")).toBeUndefined();
});
