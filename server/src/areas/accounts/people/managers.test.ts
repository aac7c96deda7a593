import { type Manager, type Profile, ROLES, TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { asVisitor, newMember } from "../testing/new-member.ts";
import { mailsTo } from "../testing/mails-to.ts";
import { ticketIn, ticketTo } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);

let number = 0;
async function owner() {
  const email = `boss${++number}@example.com`;
  const made = await newOwner(pg.pool, email);
  return { ...made, email, ask: await asUser(app, email) };
}
const invite = (ask: Ask, email: string, more: object = {}) =>
  ask("POST", "/manager/add_manager", { email, name: "Mia", ...more });
const change = (ask: Ask, uuid: string, body: object) => ask("POST", `/manager/${uuid}/edit`, body);
const remove = (ask: Ask, uuid: string) => ask("POST", `/manager/${uuid}/delete`);
const listed = async (ask: Ask) => (await ask("GET", "/profile.json")).json<Profile>().managers;
const open = (ticket: string) =>
  app.inject({
    method: "POST",
    url: `/ticket/${ticket}.json`,
    payload: { pass: "managers-own", pass_confirm: "managers-own" },
  });

test("an invited manager is listed, opens the mailed link, and signs in to the account with their own password", async () => {
  const { ask, accountId } = await owner();
  const reply = await invite(ask, "Mia1@example.com");
  const made = reply.json<Manager>();
  expect(made).toMatchObject({ email: "mia1@example.com", name: "Mia", is_super_manager: false, state: "invited" });
  expect(await listed(ask)).toEqual([made]);
  expect((await open(await ticketTo(mails, "mia1@example.com"))).statusCode).toBe(200);
  const [active] = await listed(ask);
  expect(active).toMatchObject({ email: "mia1@example.com", name: "Mia", state: "active" });
  const session = await (await asUser(app, "mia1@example.com", { password: "managers-own" }))("GET", "/session.json");
  expect(session.json()).toMatchObject({ role: "manager" });
  const { rows } = await pg.pool.query("SELECT 1 FROM memberships WHERE account_id = $1 AND role = 'manager'", [
    accountId,
  ]);
  expect(rows).toHaveLength(1);
});

test("an invitation looks the same for an e-mail with a login, which gets a mail and stays unchanged", async () => {
  const { ask } = await owner();
  const other = await owner();
  const free = (await invite(ask, "mia2@example.com")).json<Manager>();
  const taken = (await invite(ask, other.email)).json<Manager>();
  const shape = ({ invitation, ...rest }: Manager) => ({ ...rest, uuid: "", email: "", waits: invitation !== null });
  expect(shape(taken)).toEqual(shape(free));
  const [mail] = await mailsTo(mails, other.email, 1);
  expect(mail && ticketIn(mail)).toBeUndefined();
  await mailsTo(mails, "mia2@example.com", 1);
  expect((await listed(ask)).map(({ state }) => state)).toEqual(["invited", "invited"]);
  expect(await listed(other.ask)).toEqual([]);
});

test.each([
  [{ email: "nobody" }, { email: TEXTS.invalidEmail }],
  [{ email: "" }, { email: TEXTS.required }],
  [{ name: "" }, { name: TEXTS.required }],
  [{ name: "M".repeat(26) }, { name: TEXTS.nameTooLong }],
  [{ password: "short" }, { password: TEXTS.passwordTooShort }],
  [{ password: "a".repeat(129) }, { password: TEXTS.passwordTooLong }],
  [{ account_id: 1 }, { account_id: "This field is not known" }],
])("an invitation with %j is refused", async (wrong, error) => {
  const { ask } = await owner();
  const reply = await invite(ask, "mia3@example.com", wrong);
  expect([reply.statusCode, reply.json()]).toEqual([400, { error }]);
  expect(await listed(ask)).toEqual([]);
});

test("a member of the account is not invited again", async () => {
  const { ask, email, accountId } = await owner();
  await newMember(pg.pool, accountId, { email: `in-${email}`, role: "manager" });
  expect((await invite(ask, email)).statusCode).toBe(409);
  expect((await invite(ask, `in-${email}`)).statusCode).toBe(409);
});

test("the newest of two invitations to one e-mail is listed", async () => {
  const { ask } = await owner();
  await invite(ask, "mia4@example.com", { name: "First" });
  const second = (await invite(ask, "mia4@example.com", { name: "Second" })).json<Manager>();
  expect(await listed(ask)).toEqual([second]);
});

test("the link of an edited invitation applies the edit", async () => {
  const { ask } = await owner();
  const { uuid } = (await invite(ask, "mia5@example.com")).json<Manager>();
  const changed = (await change(ask, uuid, { name: "Mia Maria", is_super_manager: true })).json<Manager>();
  expect(changed).toMatchObject({ uuid, name: "Mia Maria", is_super_manager: true, state: "invited" });
  expect((await open(await ticketTo(mails, "mia5@example.com"))).statusCode).toBe(200);
  expect(await listed(ask)).toMatchObject([{ name: "Mia Maria", is_super_manager: true, state: "active" }]);
});

test("a withdrawn invitation opens nothing, nor do older ones to the same e-mail", async () => {
  const { ask } = await owner();
  await invite(ask, "mia6@example.com");
  const { uuid } = (await invite(ask, "mia6@example.com")).json<Manager>();
  const sent = await mailsTo(mails, "mia6@example.com", 2);
  expect((await remove(ask, uuid)).json()).toEqual({ ok: 1 });
  expect(await listed(ask)).toEqual([]);
  for (const mail of sent) expect((await open(ticketIn(mail) ?? "")).statusCode).toBeGreaterThanOrEqual(400);
  await expect(asUser(app, "mia6@example.com", { password: "managers-own" })).rejects.toThrow("422");
});

test("a manager can be changed and removed; sessions end at once and the e-mail is free again", async () => {
  const { ask, accountId } = await owner();
  const email = "mia7@example.com";
  const { uuid } = await newMember(pg.pool, accountId, { email, role: "manager" });
  const theirs = await asUser(app, email);
  expect((await change(ask, uuid, { is_super_manager: true })).json()).toMatchObject({ is_super_manager: true });
  expect((await theirs("GET", "/profile.json")).json<Profile>().roles.is_super_manager).toBe(true);
  expect((await change(ask, uuid, { name: "Other Name" })).json()).toMatchObject({
    name: "Other Name",
    is_super_manager: true,
  });
  expect((await remove(ask, uuid)).json()).toEqual({ ok: 1 });
  expect((await theirs("GET", "/session.json")).statusCode).toBe(401);
  await expect(newOwner(pg.pool, email)).resolves.toBeDefined();
});

test("a manager who also belongs to another account keeps the login and that account", async () => {
  const { ask, accountId } = await owner();
  const other = await owner();
  const { uuid, userId } = await newMember(pg.pool, accountId, { email: "mia8@example.com", role: "manager" });
  await pg.pool.query("INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, 'manager')", [
    userId,
    other.accountId,
  ]);
  expect((await remove(ask, uuid)).statusCode).toBe(200);
  expect(await listed(other.ask)).toMatchObject([{ email: "mia8@example.com" }]);
  expect((await (await asUser(app, "mia8@example.com"))("GET", "/session.json")).statusCode).toBe(200);
});

test("only the owner, and managers with the right, run managers", async () => {
  const { ask, email, accountId } = await owner();
  const target = await newMember(pg.pool, accountId, { email: `target-${email}`, role: "manager" });
  const others: Ask[] = [(await asVisitor(app, pg.pool, email)).ask];
  for (const role of ROLES.filter((one) => one !== "owner")) {
    const theirs = `${role.toLowerCase()}-${email}`;
    await newMember(pg.pool, accountId, { email: theirs, role, isSuper: role !== "manager" });
    others.push(await asUser(app, theirs));
  }
  for (const other of others) {
    expect((await invite(other, "mia9@example.com")).statusCode).toBe(403);
    expect((await change(other, target.uuid, { name: "Stolen" })).statusCode).toBe(403);
    expect((await remove(other, target.uuid)).statusCode).toBe(403);
  }
  expect((await listed(ask)).find(({ uuid }) => uuid === target.uuid)).toMatchObject({ name: "Member" });

  await newMember(pg.pool, accountId, { email: `super-${email}`, role: "manager", isSuper: true });
  const superManager = await asUser(app, `super-${email}`);
  expect((await invite(superManager, "mia9@example.com")).statusCode).toBe(200);
  expect((await change(superManager, target.uuid, { name: "Renamed" })).statusCode).toBe(200);
  expect((await remove(superManager, target.uuid)).statusCode).toBe(200);
});

test("managers and invitations of another account are not found, nor are its owner and sub-users", async () => {
  const mine = await owner();
  const other = await owner();
  const active = await newMember(pg.pool, other.accountId, { email: "mia10@example.com", role: "manager" });
  const invited = (await invite(other.ask, "mia11@example.com")).json<Manager>();
  const subUser = await newMember(pg.pool, mine.accountId, { email: "mia12@example.com", role: "GST" });
  const { uuid: me } = (await mine.ask("GET", "/profile.json")).json<Profile>();
  for (const uuid of [active.uuid, invited.uuid, subUser.uuid, me]) {
    expect((await change(mine.ask, uuid, { name: "Stolen" })).statusCode).toBe(404);
    expect((await remove(mine.ask, uuid)).statusCode).toBe(404);
  }
  expect(await listed(other.ask)).toHaveLength(2);
});

test("changes are in the audit log, without names, e-mails or passwords", async () => {
  const { ask, userId } = await owner();
  const { uuid } = (await invite(ask, "mia13@example.com")).json<Manager>();
  await change(ask, uuid, { name: "Mia Maria" });
  await remove(ask, uuid);
  const { rows } = await pg.pool.query<{ action: string; row: string }>(
    "SELECT action, a::text AS row FROM audit_log a WHERE actor_user_id = $1 ORDER BY id",
    [userId],
  );
  expect(rows.map(({ action }) => action)).toEqual(["manager_invited", "manager_changed", "manager_removed"]);
  for (const word of ["mia13", "Mia", "managers-own"]) expect(rows.map(({ row }) => row).join()).not.toContain(word);
});
