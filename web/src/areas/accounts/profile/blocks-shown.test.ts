import { type Profile, type Role, mayUse } from "@millrace/contract";
import { expect, test } from "vitest";
import { type BlocksShown, blocksShown } from "./blocks-shown.ts";
import { someProfile } from "./testing/some-profile.ts";

/** The profile that the server gives to a role: flags follow from role and switch (docs/decisions/0010). */
function profileOf(role: Role, { switched = false, superManager = false } = {}): Profile {
  const roles = { can_apps: true, can_campaign: true };
  const holder = { role, roles, is_switched: switched, has_all_apps: true };
  return someProfile({
    role,
    is_switched: switched,
    is_normal_user: mayUse("personalData.manage", holder),
    has_mailbox: !["SUSR", "SDEV", "GST"].includes(role),
    admin_apps: role === "admin",
    roles: {
      ...roles,
      manager_apps: role === "manager",
      admin_apps: role === "admin",
      is_subuser: ["SUSR", "SDEV", "GST"].includes(role),
      is_subdev: role === "SDEV",
      is_super_manager: mayUse("managers.manage", holder) && (role === "owner" || superManager),
      can_guest: mayUse("subUsers.manage", holder),
    },
  });
}

const shown = (profile: Profile) =>
  Object.entries(blocksShown(profile))
    .filter(([, isShown]) => isShown)
    .map(([block]) => block as keyof BlocksShown);

const SIGN_IN = ["socialAccounts", "authenticator"];

test("an owner with both sides sees every block except the one that opens a side", () => {
  expect(shown(profileOf("owner"))).toEqual([
    "accessToken",
    "socialAccounts",
    "authenticator",
    "password",
    "managers",
    "subUsers",
    "personalData",
  ]);
});

test.each(["SUSR", "SDEV", "GST"] as const)(
  "a sub-user (%s) sees the sign-in options but not the password, which the owner sets",
  (role) => {
    expect(shown(profileOf(role))).toEqual(SIGN_IN);
  },
);

test("an invited sub-user has a mailbox, so they change their own password", () => {
  expect(shown({ ...profileOf("SDEV"), has_mailbox: true })).toEqual([...SIGN_IN, "password"]);
});

test("the other side is offered to an owner whose account lacks one", () => {
  const owner = profileOf("owner");
  const lacking = { ...owner, roles: { ...owner.roles, can_campaign: false } };
  expect(shown(lacking)).toContain("otherSide");
  expect(shown({ ...lacking, role: "manager" })).not.toContain("otherSide");
  expect(shown({ ...lacking, is_switched: true })).not.toContain("otherSide");
});

test("the access token is hidden for managers and admins", () => {
  expect(shown(profileOf("manager"))).toEqual([...SIGN_IN, "password"]);
  expect(shown(profileOf("admin"))).toEqual([...SIGN_IN, "password"]);
});

test("a super manager sees the managers, and not the sub-users", () => {
  expect(shown(profileOf("manager", { superManager: true }))).toEqual([...SIGN_IN, "password", "managers"]);
});

test("an impersonating admin sees only the settings", () => {
  expect(shown(profileOf("owner", { switched: true }))).toEqual([]);
});

test("a missing flag hides its block for any role", () => {
  const owner = profileOf("owner");
  const { roles } = owner;
  expect(shown({ ...owner, is_normal_user: false })).not.toContain("personalData");
  expect(shown({ ...owner, roles: { ...roles, can_guest: false } })).not.toContain("subUsers");
  expect(shown({ ...owner, roles: { ...roles, is_super_manager: false } })).not.toContain("managers");
  expect(shown({ ...owner, roles: { ...roles, is_subdev: true } })).not.toContain("subUsers");
  expect(shown({ ...owner, roles: { ...roles, manager_apps: true } })).not.toContain("accessToken");
});
