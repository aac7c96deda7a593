import { type Profile, type SubUser, TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { mailsTo } from "../testing/mails-to.ts";
import { newMember } from "../testing/new-member.ts";
import { ticketIn, ticketTo } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);
const DAY_MS = 86_400_000;

let number = 0;
async function owner() {
  const email = `host${++number}@example.com`;
  const made = await newOwner(pg.pool, email);
  return { ...made, email, ask: await asUser(app, email) };
}
const invite = (ask: Ask, email: string, more: object = {}) =>
  ask("POST", "/profile/guest/invite", { email, name: "Dee", role_code: "SDEV", ...more });
const change = (ask: Ask, uuid: string, body: object) => ask("POST", `/profile/guest/${uuid}/edit`, body);
const remove = (ask: Ask, uuid: string) => ask("POST", `/profile/guest/${uuid}/delete`);
const listed = async (ask: Ask) => (await ask("GET", "/profile.json")).json<Profile>().sub_users;
const open = (ticket: string) =>
  app.inject({
    method: "POST",
    url: `/ticket/${ticket}.json`,
    payload: { pass: "own-secret", pass_confirm: "own-secret" },
  });

test("an invited sub-user waits in the list, opens the mailed link, and signs in with their own password and role", async () => {
  const { ask } = await owner();
  const made = (await invite(ask, "Dee1@example.com")).json<SubUser>();
  expect(made).toMatchObject({ email: "dee1@example.com", role_code: "SDEV", state: "invited", has_mailbox: true });
  expect(made.salt).toBeNull();
  expect(await listed(ask)).toEqual([made]);
  const { invited_at, expires_at } = made.invitation ?? {};
  expect(Date.parse(expires_at ?? "") - Date.parse(invited_at ?? "")).toBe(7 * DAY_MS);
  const [mail] = await mailsTo(mails, "dee1@example.com", 1);
  expect(mail?.subject).toBe("You are invited as a developer");
  expect((await open(await ticketTo(mails, "dee1@example.com"))).statusCode).toBe(200);
  expect(await listed(ask)).toMatchObject([
    { email: "dee1@example.com", name: "Dee", state: "active", invitation: null },
  ]);
  const theirs = await asUser(app, "dee1@example.com", { password: "own-secret" });
  expect((await theirs("GET", "/session.json")).json()).toMatchObject({ role: "SDEV", name: "Dee" });
  expect((await theirs("GET", "/profile.json")).json()).toMatchObject({ has_mailbox: true });
});

test("inviting again sends a new link, the older one stops working, and a member's earlier invitations are not listed", async () => {
  const { ask } = await owner();
  await invite(ask, "dee2@example.com");
  const first = await ticketTo(mails, "dee2@example.com");
  const again = (await invite(ask, "dee2@example.com")).json<SubUser>();
  expect(await listed(ask)).toEqual([again]);
  const second = await ticketTo(mails, "dee2@example.com", 2);
  expect((await open(first)).statusCode).toBe(409);
  expect((await open(second)).statusCode).toBe(200);
  expect((await listed(ask)).map(({ state }) => state)).toEqual(["active"]);
});

test("an invitation looks the same for an e-mail with a login, which stays as it is", async () => {
  const { ask } = await owner();
  const other = await owner();
  const shape = ({ invitation, ...rest }: SubUser) => ({ ...rest, uuid: "", email: "", waits: invitation !== null });
  const free = (await invite(ask, "dee3@example.com")).json<SubUser>();
  const taken = (await invite(ask, other.email)).json<SubUser>();
  expect(shape(taken)).toEqual(shape(free));
  const [mail] = await mailsTo(mails, other.email, 1);
  expect([mail?.subject, mail && ticketIn(mail)]).toEqual(["You could not be invited as a developer", undefined]);
  expect((await listed(ask)).map(({ state }) => state)).toEqual(["invited", "invited"]);
});

test("the link of an edited invitation applies the edit", async () => {
  const { ask } = await owner();
  const { uuid } = (await invite(ask, "dee4@example.com")).json<SubUser>();
  expect((await change(ask, uuid, { role_code: "GST" })).json()).toMatchObject({ role_code: "GST", name: "Dee" });
  expect((await change(ask, uuid, { name: "Deirdre" })).json()).toMatchObject({ role_code: "GST", state: "invited" });
  expect((await open(await ticketTo(mails, "dee4@example.com"))).statusCode).toBe(200);
  expect(await listed(ask)).toMatchObject([{ name: "Deirdre", role_code: "GST", state: "active" }]);
});

test("a withdrawn invitation opens nothing, and is not one to a manager", async () => {
  const { ask } = await owner();
  const { uuid } = (await invite(ask, "dee5@example.com")).json<SubUser>();
  const ticket = await ticketTo(mails, "dee5@example.com");
  expect((await ask("POST", `/manager/${uuid}/delete`)).statusCode).toBe(404);
  expect((await remove(ask, uuid)).json()).toEqual({ ok: 1 });
  expect(await listed(ask)).toEqual([]);
  expect((await open(ticket)).statusCode).toBe(404);
});

test("nobody else sets the password of a person with their own e-mail, who can change it", async () => {
  const { ask, accountId } = await owner();
  const { uuid } = await newMember(pg.pool, accountId, { email: "dee6@example.com", role: "GST" });
  const refusal = await change(ask, uuid, { new_password: 1 });
  expect([refusal.statusCode, refusal.json<{ error: string }>().error]).toEqual([
    409,
    expect.stringContaining("chooses the password"),
  ]);
  const theirs = await asUser(app, "dee6@example.com");
  const asked = await theirs("POST", "/profile/edit.json", { name: "password", value: "a-new-password" });
  expect(asked.statusCode).toBe(200);
  expect(await ticketTo(mails, "dee6@example.com")).toMatch(/^[0-9a-f-]+$/);
});

test("a removed sub-user's earlier invitation opens nothing", async () => {
  const { ask } = await owner();
  await invite(ask, "dee7@example.com");
  const first = await ticketTo(mails, "dee7@example.com");
  expect((await open(first)).statusCode).toBe(200);
  const [{ uuid } = { uuid: "" }] = await listed(ask);
  await remove(ask, uuid);
  expect((await open(first)).statusCode).toBe(404);
  await expect(asUser(app, "dee7@example.com", { password: "own-secret" })).rejects.toThrow("422");
});

test.each([
  [{ email: "nobody" }, { email: TEXTS.invalidEmail }],
  [{ name: "" }, { name: TEXTS.required }],
  [{ role_code: "manager" }, { role_code: TEXTS.chooseRole }],
])("an invitation with %j is refused", async (wrong, error) => {
  const { ask } = await owner();
  const reply = await invite(ask, "dee8@example.com", wrong);
  expect([reply.statusCode, reply.json()]).toEqual([400, { error }]);
  expect(await listed(ask)).toEqual([]);
});

test("invitations count towards the sub-users that an account can have", async () => {
  const { ask, accountId } = await owner();
  await pg.pool.query(
    `WITH people AS (INSERT INTO users (email, name) SELECT 'full' || n || '@users.millrace.invalid', 'Guest'
       FROM generate_series(1, 99) n RETURNING id)
     INSERT INTO memberships (user_id, account_id, role) SELECT id, $1, 'GST' FROM people`,
    [accountId],
  );
  expect((await invite(ask, "dee9@example.com")).statusCode).toBe(200);
  expect((await invite(ask, "dee10@example.com")).statusCode).toBe(409);
  expect((await ask("POST", "/profile/guest/add", { role_code: "GST" })).statusCode).toBe(409);
  expect(await listed(ask)).toHaveLength(100);
});

test("a sub-user has the given name, and keeps it with another role", async () => {
  const { ask } = await owner();
  const named = (await ask("POST", "/profile/guest/add", { role_code: "GST", name: "Grace" })).json<SubUser>();
  expect(named).toMatchObject({ name: "Grace", state: "active", invitation: null, has_mailbox: false });
  expect((await change(ask, named.uuid, { role_code: "SDEV" })).json()).toMatchObject({ name: "Grace" });
  expect((await change(ask, named.uuid, { name: "Margaret" })).json()).toMatchObject({
    name: "Margaret",
    role_code: "SDEV",
  });
  expect((await change(ask, named.uuid, { name: "x" })).json()).toEqual({ error: { name: TEXTS.nameTooShort } });
  const theirs = await asUser(app, named.email, { password: named.salt });
  expect((await theirs("GET", "/session.json")).json()).toMatchObject({ name: "Margaret" });
});
