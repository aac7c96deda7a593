import { expect, test } from "vitest";
import { type Holder, type Right, RIGHTS, type RightName, ROLES, mayUse } from "./access.ts";

const owner: Holder = {
  role: "owner",
  roles: { can_apps: true, can_campaign: true },
  is_switched: false,
  has_all_apps: true,
};
const rightsOf = (holder: Holder) => (Object.keys(RIGHTS) as RightName[]).filter((name) => mayUse(name, holder));

test("an owner has every right except an admin's", () => {
  expect(rightsOf(owner)).toEqual(Object.keys(RIGHTS).filter((name) => name !== "admin"));
});

test("an impersonating admin has no access to passwords, codes, tokens, people or deletion", () => {
  const closed = [
    "mfa.verify",
    "credentials.manage",
    "sides.open",
    "accessToken.manage",
    "subUsers.manage",
    "managers.manage",
    "personalData.manage",
    "payoutDetails.manage",
    "billing.manage",
    "deductions.dispute",
    "admin",
  ];
  expect(rightsOf({ ...owner, is_switched: true }).filter((name) => closed.includes(name))).toEqual([]);
});

test("a member of chosen apps has no right that reaches beyond them", () => {
  const limited = rightsOf({ ...owner, role: "manager", has_all_apps: false });
  expect(rightsOf({ ...owner, role: "manager" }).filter((name) => !limited.includes(name))).toEqual([
    "apps.add",
    "appAds.read",
    "account.change",
    "inhouse.read",
    "inhouse.manage",
    "campaigns.read",
    "campaigns.manage",
    "balance.read",
    "payouts.read",
    "report.read",
    "deductions.dispute",
    "campaignBalance.read",
    "managers.manage",
  ]);
});

test("a side that the account does not have is closed to all of its roles", () => {
  for (const role of ROLES) {
    expect(mayUse("apps.read", { ...owner, role, roles: { can_apps: false, can_campaign: true } })).toBe(false);
    expect(mayUse("campaigns.read", { ...owner, role, roles: { can_apps: true, can_campaign: false } })).toBe(false);
  }
});

test("a guest sees lists, statistics and their own profile, but no app key, app-ads.txt or balance", () => {
  expect(rightsOf({ ...owner, role: "GST" })).toEqual([
    "session.read",
    "mfa.verify",
    "support.contact",
    "apps.read",
    "publisher.read",
    "campaigns.read",
    "profile.manage",
    "credentials.manage",
  ]);
});

test("a developer sees single apps, adds apps and reads instructions, but no keys, settings or balance", () => {
  expect(rightsOf({ ...owner, role: "SDEV" })).toEqual([
    "session.read",
    "mfa.verify",
    "support.contact",
    "apps.read",
    "apps.add",
    "instructions.read",
    "profile.manage",
    "credentials.manage",
  ]);
});

test("an app's settings, with its floors and people's device ids, are closed to developers, guests and access tokens", () => {
  const right: Right = RIGHTS["settings.manage"];
  expect(mayUse("settings.manage", { ...owner, role: "GST" })).toBe(false);
  expect(mayUse("settings.manage", { ...owner, role: "SDEV" })).toBe(false);
  expect(right.token).toBeUndefined();
});
