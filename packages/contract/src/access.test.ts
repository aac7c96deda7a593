import { expect, test } from "vitest";
import { type Holder, type Right, RIGHTS, type RightName, ROLES, mayUse } from "./access.ts";

const owner: Holder = { role: "owner", roles: { can_apps: true, can_campaign: true }, is_switched: false };
const rightsOf = (holder: Holder) => (Object.keys(RIGHTS) as RightName[]).filter((name) => mayUse(name, holder));

test("an owner has every right but those of the platform's admins", () => {
  expect(rightsOf(owner)).toEqual(Object.keys(RIGHTS).filter((name) => name !== "admin"));
});

test("an admin who is switched in reaches no password, code, token, people or deletion", () => {
  const closed = [
    "mfa.verify",
    "credentials.manage",
    "sides.open",
    "accessToken.manage",
    "subUsers.manage",
    "managers.manage",
    "personalData.manage",
    "admin",
  ];
  expect(rightsOf({ ...owner, is_switched: true }).filter((name) => closed.includes(name))).toEqual([]);
});

test("a side that the account does not have is closed to each of its roles", () => {
  for (const role of ROLES) {
    expect(mayUse("apps.read", { ...owner, role, roles: { can_apps: false, can_campaign: true } })).toBe(false);
    expect(mayUse("campaigns.read", { ...owner, role, roles: { can_apps: true, can_campaign: false } })).toBe(false);
  }
});

test("a guest sees lists, statistics and the own profile: no app key, no app-ads.txt, no balance", () => {
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

test("a developer sees apps one by one, adds them and reads instructions: no keys, no settings, no balance", () => {
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
