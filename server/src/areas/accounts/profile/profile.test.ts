import { BALANCE_ALERT_DAYS, type Profile, ROLES, type Role, TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { asVisitor, newMember } from "../testing/new-member.ts";
import { ticketTo } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool, {
  settings: {
    operator: { name: "The operator", email: undefined, address: undefined },
    social: { google: { clientId: "id", clientSecret: "secret", issuer: "https://google.example" } },
    intercom: undefined,
    smtpUrl: undefined,
  },
});

let number = 0;
/** An account with a user of each role. */
async function household() {
  const name = `home${++number}`;
  const { userId, accountId } = await newOwner(pg.pool, `${name}-owner@example.com`);
  const emailOf = (role: string) => `${name}-${role.toLowerCase()}@example.com`;
  for (const role of ROLES) if (role !== "owner") await newMember(pg.pool, accountId, { email: emailOf(role), role });
  const superManager = emailOf("super");
  await newMember(pg.pool, accountId, { email: superManager, role: "manager", isSuper: true });
  return { userId, accountId, emailOf, superManager };
}
const profileOf = async (ask: Ask) => (await ask("GET", "/profile.json")).json<Profile>();
const edit = (ask: Ask, name: string, value: unknown) => ask("POST", "/profile/edit.json", { name, value });

test("an owner sees the whole profile, and each field as stored", async () => {
  const { emailOf } = await household();
  const ask = await asUser(app, emailOf("owner"));
  expect(await profileOf(ask)).toMatchObject({
    email: emailOf("owner"),
    name: "Pub",
    surname: "",
    extra: { phone: "", days_left: null },
    balance_days_left_available: null,
    balance_days_options: BALANCE_ALERT_DAYS.map((days) => ({ days, below: null })),
    is_subscribed: false,
    week_start_on_sunday: false,
    access_token: null,
    has_password: true,
    has_authenticator: false,
    recovery_codes_left: 0,
    export: null,
    role: "owner",
    is_normal_user: true,
    is_switched: false,
    need_verify_otp: false,
    admin_apps: false,
  });
});

const NOTHING = {
  can_apps: true,
  can_campaign: true,
  manager_apps: false,
  admin_apps: false,
  is_subuser: false,
  is_subdev: false,
  is_super_manager: false,
  can_guest: false,
};
const FLAGS: Record<Role, Partial<Profile["roles"]>> = {
  owner: { is_super_manager: true, can_guest: true },
  SUSR: { is_subuser: true },
  SDEV: { is_subuser: true, is_subdev: true },
  GST: { is_subuser: true },
  manager: { manager_apps: true },
  admin: { admin_apps: true },
};

test.each(ROLES)("%s sees the blocks of this role and no others", async (role) => {
  const { emailOf } = await household();
  await (
    await asUser(app, emailOf("owner"))
  )("POST", "/profile/access_token");
  const profile = await profileOf(await asUser(app, emailOf(role)));
  expect(profile.roles).toEqual({ ...NOTHING, ...FLAGS[role] });
  expect(profile.role).toBe(role);
  expect(profile.is_normal_user).toBe(role === "owner");
  expect(profile.access_token !== null).toBe(role === "owner");
  expect(profile.sub_users.map((one) => one.role_code)).toEqual(role === "owner" ? ["SUSR", "SDEV", "GST"] : []);
  expect(profile.managers).toHaveLength(role === "owner" ? 2 : 0);
});

test("a manager who may add managers sees them, and none of the owner's other blocks", async () => {
  const { superManager } = await household();
  const profile = await profileOf(await asUser(app, superManager));
  expect(profile.roles).toEqual({ ...NOTHING, manager_apps: true, is_super_manager: true });
  expect(profile.managers).toHaveLength(2);
  expect([profile.sub_users, profile.access_token, profile.is_normal_user]).toEqual([[], null, false]);
});

test("an impersonating admin sees no credentials and no block that is closed to admins", async () => {
  const { emailOf } = await household();
  await (
    await asUser(app, emailOf("owner"))
  )("POST", "/profile/access_token");
  const { ask } = await asVisitor(app, pg.pool, emailOf("owner"));
  expect(await profileOf(ask)).toMatchObject({
    is_switched: true,
    is_normal_user: false,
    accounts: [],
    access_token: null,
    sub_users: [],
    managers: [],
    has_password: false,
    roles: { ...NOTHING },
  });
});

test("identity providers are listed when offered or linked", async () => {
  const { userId, emailOf } = await household();
  const ask = await asUser(app, emailOf("owner"));
  expect((await profileOf(ask)).accounts).toEqual([{ service: "google", linked: false, email: null }]);
  await pg.pool.query(
    "INSERT INTO social_identities (service, subject, user_id, email) VALUES ('facebook', $1, $2, 'me@example.com')",
    [`fb-${userId}`, userId],
  );
  expect((await profileOf(ask)).accounts).toEqual([
    { service: "google", linked: false, email: null },
    { service: "facebook", linked: true, email: "me@example.com" },
  ]);
});

test.each([
  ["name", "Ada Lovelace", { name: "Ada Lovelace" }],
  ["name", "  Ada ", { name: "Ada" }],
  ["surname", "O'Neill-Smith", { surname: "O'Neill-Smith" }],
  ["surname", "", { surname: "" }],
  ["phone", "+4930123456", { extra: { phone: "+4930123456" } }],
  ["days_left", 7, { extra: { days_left: 7 } }],
  ["days_left", null, { extra: { days_left: null } }],
  ["is_subscribed", true, { is_subscribed: true }],
  ["week_start_on_sunday", true, { week_start_on_sunday: true }],
])("the field %s is saved as %j", async (name, value, shown) => {
  const { emailOf } = await household();
  const ask = await asUser(app, emailOf("owner"));
  const reply = await edit(ask, name, value);
  expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
    200,
    expect.stringMatching(/saved$/) as string,
  ]);
  expect(await profileOf(ask)).toMatchObject(shown);
});

test.each([
  ["name", "", TEXTS.required],
  ["name", "A", TEXTS.nameTooShort],
  ["name", "A".repeat(26), TEXTS.nameTooLong],
  ["name", "One Two Three Four", TEXTS.nameAlphabet],
  ["name", "<b>Ada</b>", TEXTS.nameAlphabet],
  ["surname", "Ł", TEXTS.nameTooShort],
  ["surname", "Łukasz", TEXTS.nameAlphabet],
  ["phone", "+123", TEXTS.phoneTooShort],
  ["phone", "+1234567890123456", TEXTS.phoneTooLong],
  ["phone", "call me", TEXTS.phoneAlphabet],
  ["password", "short", TEXTS.passwordTooShort],
  ["password", "a".repeat(129), TEXTS.passwordTooLong],
  ["password", "with space", TEXTS.passwordAlphabet],
  ["days_left", 4, "Choose one of 1, 2, 3, 5, 7, 14 days"],
])("the field %s is not saved as %j", async (name, value, sentence) => {
  const { emailOf } = await household();
  const ask = await asUser(app, emailOf("owner"));
  const before = await profileOf(ask);
  const reply = await edit(ask, name, value);
  expect([reply.statusCode, reply.json()]).toEqual([400, { error: { value: sentence } }]);
  expect(await profileOf(ask)).toEqual(before);
});

test.each([
  [{ name: "email", value: "other@example.com" }, "name"],
  [{ name: "password_hash", value: "x" }, "name"],
  [{ name: "role", value: "admin" }, "name"],
  [{ name: "name", value: "Ada", user_id: 1 }, "user_id"],
  [{ name: "is_subscribed", value: "yes" }, "value"],
])("%j cannot reach another column", async (body, field) => {
  const { emailOf } = await household();
  const reply = await (await asUser(app, emailOf("owner")))("POST", "/profile/edit.json", body);
  expect(reply.statusCode).toBe(400);
  expect(Object.keys(reply.json<{ error: object }>().error)).toEqual([field]);
});

test("repeated password changes by one user keep nobody from signing in", async () => {
  const { emailOf } = await household();
  const ask = await asUser(app, emailOf("owner"));
  const replies = await Promise.all(Array.from({ length: 120 }, () => edit(ask, "password", "a-new-password")));
  const statuses = replies.map(({ statusCode }) => statusCode);
  expect([200, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([3, 117]);
});

test("a new password waits, as a hash, for the link of the mail, and the old one stays valid until then", async () => {
  const { emailOf } = await household();
  const email = emailOf("owner");
  const ask = await asUser(app, email);
  const reply = await edit(ask, "password", "a-new-password");
  expect(reply.json<{ message: string }>().message).toContain(email);
  await expect(asUser(app, email)).resolves.toBeTypeOf("function");
  const { rows } = await pg.pool.query<{ type: string; row: string }>(
    "SELECT type, t::text AS row FROM tickets t WHERE email = $1",
    [email],
  );
  expect(rows).toMatchObject([{ type: "change_pass" }]);
  expect(rows[0]?.row).not.toContain("a-new-password");

  const ticket = await ticketTo(mails, email);
  const used = await app.inject({ method: "POST", url: `/ticket/${ticket}.json`, payload: {} });
  expect(used.statusCode).toBe(200);
  await asUser(app, email, { password: "a-new-password" });
  expect((await ask("GET", "/session.json")).statusCode).toBe(401);
});

test("an impersonating admin can save a field, which is logged under both identities, but no password", async () => {
  const { userId, emailOf } = await household();
  const email = emailOf("owner");
  const { ask, adminId } = await asVisitor(app, pg.pool, email);
  expect((await edit(ask, "name", "Renamed")).statusCode).toBe(200);
  expect((await edit(ask, "password", "a-new-password")).statusCode).toBe(403);
  expect((await mails()).filter(({ to }) => to === email)).toEqual([]);
  const { rows } = await pg.pool.query(
    "SELECT action, details FROM audit_log WHERE actor_user_id = $1 AND as_user_id = $2",
    [adminId, userId],
  );
  expect(rows).toEqual([{ action: "profile_edited", details: { field: "name" } }]);
});

test.each(["SUSR", "SDEV", "GST"])("%s can edit their own fields, but not the password", async (role) => {
  const { emailOf } = await household();
  const login = `${role.toLowerCase()}-${++number}@users.millrace.invalid`;
  await pg.pool.query("UPDATE users SET email = $2 WHERE email = $1", [emailOf(role), login]);
  const ask = await asUser(app, login);
  expect((await edit(ask, "name", "Own Name")).statusCode).toBe(200);
  expect(await profileOf(ask)).toMatchObject({ name: "Own Name" });
  expect((await profileOf(await asUser(app, emailOf("owner")))).name).toBe("Pub");
  expect((await edit(ask, "password", "a-new-password")).statusCode).toBe(403);
});

test("an owner can open the other side once; it is available immediately and logged", async () => {
  const email = `one-side-${++number}@example.com`;
  const { accountId } = await newOwner(pg.pool, email, { canCampaign: false });
  await newMember(pg.pool, accountId, { email: `runs-${email}`, role: "SUSR" });
  const ask = await asUser(app, email);
  const open = (by: Ask, side: string) => by("POST", "/profile/sides", { side });
  expect((await open(await asUser(app, `runs-${email}`), "campaign")).statusCode).toBe(403);
  expect((await open(ask, "apps")).statusCode).toBe(409);
  expect((await open(ask, "admin")).statusCode).toBe(400);
  const replies = await Promise.all([open(ask, "campaign"), open(ask, "campaign")]);
  expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await ask("GET", "/session.json")).json()).toMatchObject({ roles: { can_apps: true, can_campaign: true } });
  const { rows } = await pg.pool.query(
    "SELECT action, details FROM audit_log WHERE account_id = $1 AND action = 'side_opened'",
    [accountId],
  );
  expect(rows).toEqual([{ action: "side_opened", details: { side: "campaign" } }]);
});

test("an impersonating admin cannot open a side", async () => {
  const email = `visited-side-${++number}@example.com`;
  await newOwner(pg.pool, email, { canCampaign: false });
  const { ask } = await asVisitor(app, pg.pool, email);
  expect((await ask("POST", "/profile/sides", { side: "campaign" })).statusCode).toBe(403);
});

test("renaming an owner renames the account, unless the account has its own name", async () => {
  const email = `renamed-${++number}@example.com`;
  const { accountId } = await newOwner(pg.pool, email);
  const ask = await asUser(app, email);
  const nameOf = async () =>
    (await pg.pool.query<{ name: string }>("SELECT name FROM accounts WHERE id = $1", [accountId])).rows[0]?.name;
  await edit(ask, "name", "Ada");
  expect(await nameOf()).toBe("Ada");
  await ask("POST", "/manager/add_manager", { email: `manager-of-${email}`, name: "Max", is_super_manager: false });
  await expect
    .poll(async () => (await mails()).find(({ to }) => to === `manager-of-${email}`)?.text)
    .toContain('The account "Ada"');
  await pg.pool.query("UPDATE accounts SET name = 'Tide Studio' WHERE id = $1", [accountId]);
  await edit(ask, "name", "Grace");
  expect(await nameOf()).toBe("Tide Studio");
});
