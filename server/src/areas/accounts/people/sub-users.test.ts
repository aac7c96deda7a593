import { randomUUID } from "node:crypto";
import { ROLES, SUB_USER_ROLES, type Profile, type SubUser, TEXTS } from "@millrace/contract";
import { generate } from "otplib";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { asVisitor, newMember } from "../testing/new-member.ts";

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);

let number = 0;
async function owner() {
  const email = `subs${++number}@example.com`;
  const made = await newOwner(pg.pool, email);
  return { ...made, email, ask: await asUser(app, email) };
}
const add = (ask: Ask, role: unknown = "SUSR") => ask("POST", "/profile/guest/add", { role_code: role });
const change = (ask: Ask, uuid: string, body: object) => ask("POST", `/profile/guest/${uuid}/edit`, body);
const remove = (ask: Ask, uuid: string) => ask("POST", `/profile/guest/${uuid}/delete`);
const listed = async (ask: Ask) => (await ask("GET", "/profile.json")).json<Profile>().sub_users;
const signedIn = (one: SubUser) => asUser(app, one.email, { password: one.salt });

test.each(SUB_USER_ROLES)("an owner adds a %s, who signs in with the password shown once", async (role) => {
  const { ask, accountId } = await owner();
  const reply = await add(ask, role);
  const made = reply.json<SubUser>();
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(made.email).toMatch(new RegExp(`^${role.toLowerCase()}-[0-9a-f]{8}@users\\.millrace\\.invalid$`));
  expect(made.salt).toMatch(/^[\w-]{16}$/);
  expect(await listed(ask)).toEqual([{ ...made, salt: null }]);
  const session = await (await signedIn(made))("GET", "/session.json");
  expect(session.json()).toMatchObject({ role, email: made.email, globalConfig: { show_agreement: 0 } });
  const { rows } = await pg.pool.query<{ row: string }>("SELECT u::text AS row FROM users u WHERE email = $1", [
    made.email,
  ]);
  expect(rows[0]?.row).not.toContain(made.salt);
  expect(accountId).toBe((await accountOf(made.email)).accountId);
});

test("a sub-user that is added again after a lost reply is there once, with the password of the last reply", async () => {
  const { ask } = await owner();
  const key = randomUUID();
  const send = (sent: string, by = ask) => by("POST", `/profile/guest/add?key=${sent}`, { role_code: "GST" });
  const lost = (await send(key)).json<SubUser>();
  const made = (await send(key.toUpperCase())).json<SubUser>();
  expect(made).toEqual({ ...lost, salt: expect.any(String) as string });
  expect(await listed(ask)).toEqual([{ ...made, salt: null }]);
  expect((await (await signedIn(made))("GET", "/session.json")).statusCode).toBe(200);
  // Somebody has the password by now.
  expect((await send(key)).json()).toEqual({ error: "This sub-user was already added, and has signed in since" });
  expect((await ask("POST", `/profile/guest/add?key=${key}`, { role_code: "SUSR" })).statusCode).toBe(409);
  for (const by of [ask, (await owner()).ask]) expect((await send(randomUUID(), by)).statusCode).toBe(200);
  expect((await send(key, (await owner()).ask)).json<SubUser>().uuid).not.toBe(made.uuid);
  expect(await listed(ask)).toHaveLength(2);
});

async function accountOf(email: string): Promise<{ accountId: number | undefined }> {
  const { rows } = await pg.pool.query<{ account_id: number }>(
    "SELECT m.account_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1",
    [email],
  );
  return { accountId: rows[0]?.account_id };
}

test.each([undefined, "owner", "admin", "manager", ""])("the role %j is refused", async (role) => {
  const { ask } = await owner();
  const reply = await ask("POST", "/profile/guest/add", { role_code: role });
  expect([reply.statusCode, reply.json()]).toEqual([400, { error: { role_code: TEXTS.chooseRole } }]);
  expect(await listed(ask)).toEqual([]);
});

test("a new role takes effect at once, in open sessions too", async () => {
  const { ask } = await owner();
  const made = (await add(ask, "SUSR")).json<SubUser>();
  const theirs = await signedIn(made);
  const changed = (await change(ask, made.uuid, { role_code: "GST" })).json<SubUser>();
  expect(changed.revision).not.toBe(made.revision);
  expect(changed).toEqual({ ...made, role_code: "GST", name: "Guest", salt: null, revision: changed.revision });
  expect((await theirs("GET", "/session.json")).json()).toMatchObject({ role: "GST" });
});

test("a new password is shown once, ends the sub-user's sessions and replaces the old one", async () => {
  const { ask } = await owner();
  const made = (await add(ask)).json<SubUser>();
  const theirs = await signedIn(made);
  const changed = (await change(ask, made.uuid, { new_password: 1 })).json<SubUser>();
  expect(changed.salt).not.toBe(made.salt);
  expect((await theirs("GET", "/session.json")).statusCode).toBe(401);
  await expect(signedIn(made)).rejects.toThrow("422");
  expect((await (await signedIn(changed))("GET", "/session.json")).statusCode).toBe(200);
  expect((await ask("GET", "/session.json")).statusCode).toBe(200);
});

test("a new password is the only way in: links of the previous user, finished or pending, are gone", async () => {
  const { ask } = await owner();
  const made = (await add(ask)).json<SubUser>();
  const { rows } = await pg.pool.query<{ id: number }>("SELECT id FROM users WHERE uuid = $1", [made.uuid]);
  const userId = rows[0]?.id;
  const link = "INSERT INTO social_identities (service, subject, user_id) VALUES ('google', $1, $2)";
  await pg.pool.query(link, [`of ${made.uuid}`, userId]);
  const begin = `INSERT INTO social_requests (reqid, binding_hash, service, payload, expires_at)
    VALUES ($1, '', 'google', $2, now() + interval '5 minutes')`;
  for (const pending of [
    { step: "code", userId },
    { step: "away", linkUserId: userId },
  ])
    await pg.pool.query(begin, [`${pending.step} ${made.uuid}`, JSON.stringify(pending)]);
  const left = async () => {
    const found = await pg.pool.query(
      `SELECT (SELECT count(*)::int FROM social_identities WHERE user_id = $1) AS linked,
              (SELECT count(*)::int FROM social_requests WHERE reqid LIKE '%' || $2) AS pending`,
      [userId, made.uuid],
    );
    return found.rows[0];
  };
  await change(ask, made.uuid, { role_code: "GST" });
  expect(await left()).toEqual({ linked: 1, pending: 2 });
  await change(ask, made.uuid, { new_password: 1 });
  expect(await left()).toEqual({ linked: 0, pending: 0 });
});

test("a new password removes an authenticator that the previous person set up", async () => {
  const { ask } = await owner();
  const made = (await add(ask)).json<SubUser>();
  const theirs = await signedIn(made);
  const setup = await theirs("GET", "/api/otp_secret_generate");
  const { otp_secret: secret } = setup.json<{ otp_secret: string }>();
  const query = new URLSearchParams({ secret, code: await generate({ secret }) });
  expect((await theirs("POST", `/api/otp_secret_save?${query.toString()}`)).statusCode).toBe(200);
  const changed = (await change(ask, made.uuid, { new_password: 1 })).json<SubUser>();
  const session = await (await signedIn(changed))("GET", "/session.json");
  expect(session.json()).toMatchObject({ email: made.email, need_verify_otp: false });
});

test("generating passwords is rate-limited, so that it cannot delay sign-ins", async () => {
  const { ask } = await owner();
  const { uuid } = (await add(ask)).json<SubUser>();
  const replies = await Promise.all(Array.from({ length: 150 }, () => change(ask, uuid, { new_password: 1 })));
  const slowed = replies.filter(({ statusCode }) => statusCode === 429);
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(replies.length - slowed.length);
  expect(slowed).toHaveLength(150 - 29);
  expect(Number(slowed[0]?.headers["retry-after"])).toBeGreaterThan(0);
  expect((await change(ask, uuid, { role_code: "GST" })).statusCode).toBe(200);
});

test("a deleted sub-user is signed out at once, and the e-mail is free again", async () => {
  const { ask } = await owner();
  const made = (await add(ask)).json<SubUser>();
  const theirs = await signedIn(made);
  expect((await remove(ask, made.uuid)).json()).toEqual({ ok: 1 });
  expect((await theirs("GET", "/session.json")).statusCode).toBe(401);
  await expect(signedIn(made)).rejects.toThrow("422");
  expect(await listed(ask)).toEqual([]);
  await expect(newOwner(pg.pool, made.email)).resolves.toBeDefined();
});

test("sub-users of another account are not found, nor are its owner and managers", async () => {
  const mine = await owner();
  const other = await owner();
  const theirs = (await add(other.ask)).json<SubUser>();
  const manager = await newMember(pg.pool, mine.accountId, { email: `m-${mine.email}`, role: "manager" });
  const { uuid: me } = (await mine.ask("GET", "/profile.json")).json<Profile>();
  for (const uuid of [theirs.uuid, manager.uuid, me, "00000000-0000-4000-8000-000000000000"]) {
    expect((await change(mine.ask, uuid, { role_code: "GST" })).statusCode).toBe(404);
    expect((await change(mine.ask, uuid, { new_password: 1 })).statusCode).toBe(404);
    expect((await remove(mine.ask, uuid)).statusCode).toBe(404);
  }
  expect(await listed(other.ask)).toEqual([{ ...theirs, salt: null }]);
  expect((await (await signedIn(theirs))("GET", "/session.json")).json()).toMatchObject({ role: "SUSR" });
});

test("only the owner adds, changes or deletes sub-users, not even an impersonating admin", async () => {
  const { ask, email, accountId } = await owner();
  const made = (await add(ask)).json<SubUser>();
  const others: Ask[] = [(await asVisitor(app, pg.pool, email)).ask];
  for (const role of ROLES.filter((one) => one !== "owner")) {
    await newMember(pg.pool, accountId, { email: `${role.toLowerCase()}-${email}`, role, isSuper: true });
    others.push(await asUser(app, `${role.toLowerCase()}-${email}`));
  }
  for (const other of others) {
    expect((await add(other)).statusCode).toBe(403);
    expect((await change(other, made.uuid, { new_password: 1 })).statusCode).toBe(403);
    expect((await remove(other, made.uuid)).statusCode).toBe(403);
  }
  expect(await listed(ask)).toContainEqual({ ...made, salt: null });
});

test("an account has at most 100 sub-users, also when they are added at once", async () => {
  const { ask, accountId } = await owner();
  await pg.pool.query(
    `WITH people AS (INSERT INTO users (email, name) SELECT 'many' || n || '@users.millrace.invalid', 'Guest'
       FROM generate_series(1, 97) n RETURNING id)
     INSERT INTO memberships (user_id, account_id, role) SELECT id, $1, 'GST' FROM people`,
    [accountId],
  );
  const replies = await Promise.all(Array.from({ length: 6 }, () => add(ask)));
  expect(replies.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 200, 200, 409, 409, 409]);
});

test("changes are in the audit log, and no mail goes to a made-up address", async () => {
  const { ask, userId } = await owner();
  const made = (await add(ask, "SDEV")).json<SubUser>();
  const changed = (await change(ask, made.uuid, { new_password: 1 })).json<SubUser>();
  await remove(ask, made.uuid);
  const { rows } = await pg.pool.query<{ action: string; row: string }>(
    "SELECT action, a::text AS row FROM audit_log a WHERE actor_user_id = $1 ORDER BY id",
    [userId],
  );
  expect(rows.map(({ action }) => action)).toEqual(["sub_user_added", "sub_user_changed", "sub_user_removed"]);
  for (const secret of [made.salt, changed.salt, made.email])
    expect(rows.map(({ row }) => row).join()).not.toContain(secret);
  expect((await mails()).filter(({ to }) => to.endsWith(".invalid"))).toEqual([]);
});
