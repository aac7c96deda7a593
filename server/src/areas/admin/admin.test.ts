import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";
import { createApp } from "../apps/index.ts";

const stores = await testStores();
const { pool, ask } = await testPlatform(stores);
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const asAdmin = { cookie: await sessionOf(pool, admin) };

async function rowsOf<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await pool.query<T>(sql, values)).rows;
}
const lastAct = async () => (await rowsOf("SELECT * FROM audit_log ORDER BY id DESC LIMIT 1"))[0];

test("users are found by a part of their e-mail or name, or by id, newest first", async () => {
  const ada = await newPerson(pool, "ada@analytical.test", { name: "Ada Byron", canCampaign: false });
  const bob = await newPerson(pool, "bob@analytical.test", { name: "Bob" });
  await createApp(pool, ada.accountId, { name: "Engine", bundleId: "test.engine", platform: "ios" });
  const found = async (search: string) => {
    const { body } = await ask(asAdmin, "GET", `/admin/users.json?search=${encodeURIComponent(search)}`);
    return (body["users"] as { email: string }[]).map(({ email }) => email);
  };
  expect(await found("ANALYTICAL")).toEqual([bob.email, ada.email]);
  expect(await found("a byr")).toEqual([ada.email]);
  expect(await found(bob.uuid.toUpperCase())).toEqual([bob.email]);
  expect(await found("%")).toEqual([]);
  const { body } = await ask(asAdmin, "GET", `/admin/users.json?search=${ada.uuid}`);
  expect(body["users"]).toEqual([
    expect.objectContaining({ name: "Ada Byron", apps: 1, can_apps: true, can_campaign: false, blocked: false }),
  ]);
});

test("lists have pages of fifty, and a page past the end is the last", async () => {
  await pool.query(
    `WITH p AS (INSERT INTO users (email, name) SELECT 'many' || n || '@many.test', 'Many' FROM generate_series(1, 51) n RETURNING id),
       a AS (INSERT INTO accounts (name) SELECT 'Many' FROM p RETURNING id),
       pn AS (SELECT id, row_number() OVER () AS n FROM p), an AS (SELECT id, row_number() OVER () AS n FROM a)
     INSERT INTO memberships (user_id, account_id, role) SELECT pn.id, an.id, 'owner' FROM pn JOIN an USING (n)`,
  );
  const page = async (p: number) => (await ask(asAdmin, "GET", `/admin/users.json?search=many.test&p=${p}`)).body;
  const [first, last, beyond] = [await page(0), await page(1), await page(9)];
  expect(first["pager"]).toEqual({ current_page: 1, entries_per_page: 50, first_page: 1, last_page: 2 });
  expect((first["users"] as []).length).toBe(50);
  expect((last["users"] as []).length).toBe(1);
  expect(beyond).toEqual(last);
});

test("apps of all accounts are found by name, bundle, store id or owner's e-mail, except deleted ones", async () => {
  const owner = await newPerson(pool, "shelf@example.com");
  const shelf = { platform: "ios", bundleId: "com.example.shelf", url: "https://store.example/app/id1234567" } as const;
  const app = await createApp(pool, owner.accountId, { ...shelf, name: "Bookshelf" });
  const gone = await createApp(pool, owner.accountId, { ...shelf, name: "Gone" });
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [gone.id]);
  for (const search of ["bookSHELF", "example.shelf", "id1234567", "shelf@exam", app.uuid]) {
    const { body } = await ask(asAdmin, "GET", `/admin/apps.json?search=${encodeURIComponent(search)}`);
    expect(body["apps"]).toEqual([
      expect.objectContaining({ name: "Bookshelf", owner: { uuid: owner.uuid, name: "Somebody", email: owner.email } }),
    ]);
  }
});

test("an admin impersonates an owner and returns, and the log names both", async () => {
  const owner = await newPerson(pool, "visited@example.com");
  const before = { cookie: await sessionOf(pool, admin) };
  const ends = (await rowsOf("SELECT expires_at FROM sessions ORDER BY created_at DESC, expires_at DESC LIMIT 1"))[0];
  const inside = await ask(before, "POST", `/admin/users/${owner.uuid}/switch`);
  expect([inside.status, inside.body]).toEqual([200, { redirect_to: "/apps" }]);
  expect(await lastAct()).toMatchObject({
    action: "switched_in",
    actor_user_id: admin.userId,
    as_user_id: null,
    account_id: owner.accountId,
    subject: owner.uuid,
  });
  const visit = { cookie: inside.cookie ?? "" };
  expect((await ask(before, "GET", "/session.json")).status).toBe(401);
  expect((await ask(visit, "GET", "/session.json")).body).toMatchObject({
    email: owner.email,
    role: "owner",
    is_switched: true,
    admin_apps: false,
  });
  expect((await ask(visit, "GET", "/admin/users.json")).status).toBe(403);
  expect((await ask(visit, "POST", `/admin/users/${owner.uuid}/switch`)).status).toBe(403);

  const back = await ask(visit, "POST", "/return_to_admin");
  expect([back.status, back.body]).toEqual([200, { redirect_to: "/admin/users" }]);
  expect(await lastAct()).toMatchObject({
    action: "returned_to_admin",
    actor_user_id: admin.userId,
    as_user_id: owner.userId,
    account_id: owner.accountId,
  });
  expect((await ask(visit, "GET", "/session.json")).status).toBe(401);
  const home = { cookie: back.cookie ?? "" };
  expect((await ask(home, "GET", "/session.json")).body).toMatchObject({ email: admin.email, is_switched: false });
  // Impersonation does not extend a session.
  expect(
    (await rowsOf("SELECT expires_at FROM sessions WHERE user_id = $1 ORDER BY created_at DESC", [admin.userId]))[0],
  ).toEqual(ends);
  expect((await ask(home, "POST", "/return_to_admin")).status).toBe(409);
});

test("simultaneous requests to switch or return take effect once", async () => {
  const owner = await newPerson(pool, "visited-once@example.com");
  const busy = await newPerson(pool, "busy-admin@example.com", { role: "admin" });
  const before = { cookie: await sessionOf(pool, busy) };
  const many = async (as: { cookie: string }, path: string) => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(as, "POST", path)));
    const [done, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    return { cookie: done?.cookie ?? "" };
  };
  const sessions = () =>
    rowsOf("SELECT user_id, switched_by FROM sessions WHERE user_id = $1 OR switched_by = $1", [busy.userId]);
  const acts = () => rowsOf("SELECT action FROM audit_log WHERE actor_user_id = $1 ORDER BY id", [busy.userId]);
  const visit = await many(before, `/admin/users/${owner.uuid}/switch`);
  expect(await sessions()).toEqual([{ user_id: owner.userId, switched_by: busy.userId }]);
  expect((await ask(await many(visit, "/return_to_admin"), "GET", "/session.json")).status).toBe(200);
  expect(await sessions()).toEqual([{ user_id: busy.userId, switched_by: null }]);
  expect(await acts()).toEqual([{ action: "switched_in" }, { action: "returned_to_admin" }]);
  await pool.query("UPDATE memberships SET role = 'owner' WHERE user_id = $1", [busy.userId]);
});

test("impersonation keeps the validity of the admin's code, and ends with the admin's right", async () => {
  const owner = await newPerson(pool, "visited-again@example.com");
  const careful = await newPerson(pool, "careful-admin@example.com", { role: "admin" });
  const cookie = await sessionOf(pool, careful);
  await pool.query("UPDATE users SET otp_secret = 'sealed' WHERE id = $1", [careful.userId]);
  expect((await ask({ cookie }, "POST", `/admin/users/${owner.uuid}/switch`)).status).toBe(403);
  const until = "2100-01-01T00:00:00.000Z";
  await pool.query("UPDATE sessions SET otp_verified_until = $2 WHERE user_id = $1", [careful.userId, until]);
  const visit = async (as: string) =>
    (await ask({ cookie: as }, "POST", `/admin/users/${owner.uuid}/switch`)).cookie ?? "";

  const back = await ask({ cookie: await visit(cookie) }, "POST", "/return_to_admin");
  const home = back.cookie ?? "";
  expect((await ask({ cookie: home }, "GET", "/session.json")).body).toMatchObject({ need_verify_otp: false });
  expect(await rowsOf("SELECT otp_verified_until AS until FROM sessions WHERE user_id = $1", [careful.userId])).toEqual(
    [{ until: new Date(until) }],
  );

  const inside = await visit(home);
  expect((await ask({ cookie: inside }, "GET", "/session.json")).status).toBe(200);
  await pool.query("UPDATE memberships SET role = 'owner' WHERE user_id = $1", [careful.userId]);
  expect((await ask({ cookie: inside }, "GET", "/session.json")).status).toBe(401);
});

test("admins and users without their own account cannot be impersonated, a blocked owner can", async () => {
  const other = await newPerson(pool, "other-admin@example.com", { role: "admin" });
  const owner = await newPerson(pool, "advertiser@example.com", { canApps: false });
  const guest = await newPerson(pool, "guest@example.com");
  await pool.query("UPDATE memberships SET account_id = $2, role = 'GST' WHERE user_id = $1", [
    guest.userId,
    owner.accountId,
  ]);
  const left = await newPerson(pool, "left@example.com");
  await pool.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [left.accountId]);
  const visit = async (uuid: string) => {
    const as = { cookie: await sessionOf(pool, admin) };
    return ask(as, "POST", `/admin/users/${uuid}/switch`);
  };
  expect((await visit(other.uuid)).status).toBe(409);
  expect((await visit(admin.uuid)).status).toBe(409);
  expect((await visit(guest.uuid)).status).toBe(404);
  expect((await visit(left.uuid)).status).toBe(404);
  expect((await visit(randomUUID())).status).toBe(404);
  await pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [owner.userId]);
  const inside = await visit(owner.uuid);
  expect([inside.status, inside.body]).toEqual([200, { redirect_to: "/campaign" }]);
  expect((await ask({ cookie: inside.cookie ?? "" }, "GET", "/session.json")).status).toBe(200);
});

test("a block ends all sessions in the account immediately and no others; lifting it clears the reason", async () => {
  const owner = await newPerson(pool, "blocked@example.com");
  const manager = await newPerson(pool, "manager@example.com");
  await pool.query("UPDATE memberships SET account_id = $2, role = 'manager' WHERE user_id = $1", [
    manager.userId,
    owner.accountId,
  ]);
  const stranger = await newPerson(pool, "stranger@example.com");
  const [ofOwner, ofManager, ofStranger] = await Promise.all([
    sessionOf(pool, owner),
    sessionOf(pool, { userId: manager.userId, accountId: owner.accountId }),
    sessionOf(pool, stranger),
  ]);
  const alive = async (cookie: string) => (await ask({ cookie }, "GET", "/session.json")).status === 200;
  expect(await Promise.all([alive(ofOwner), alive(ofManager), alive(ofStranger)])).toEqual([true, true, true]);
  const path = `/admin/users/${owner.uuid}/block`;
  const block = await ask(asAdmin, "POST", path, { blocked: true, reason: "Invalid traffic" });
  expect([block.status, block.body]).toEqual([200, { ok: 1 }]);
  expect(await Promise.all([alive(ofOwner), alive(ofManager), alive(ofStranger)])).toEqual([false, false, true]);
  expect(await rowsOf("SELECT FROM sessions WHERE account_id = $1", [owner.accountId])).toEqual([]);
  expect(await lastAct()).toMatchObject({
    action: "user_blocked",
    actor_user_id: admin.userId,
    account_id: owner.accountId,
    subject: owner.uuid,
    details: { reason: "Invalid traffic" },
  });
  const state = () =>
    rowsOf("SELECT blocked_at IS NULL AS open, blocked_reason FROM users WHERE id = $1", [owner.userId]);
  expect(await state()).toEqual([{ open: false, blocked_reason: "Invalid traffic" }]);
  // A block that is sent again changes nothing, and another reason does not replace the first.
  expect((await ask(asAdmin, "POST", path, { blocked: true, reason: "Invalid traffic" })).status).toBe(200);
  expect(await ask(asAdmin, "POST", path, { blocked: true, reason: "Spam" })).toMatchObject({
    status: 409,
    body: { error: "This user is already blocked. Reason: Invalid traffic" },
  });
  expect(await state()).toEqual([{ open: false, blocked_reason: "Invalid traffic" }]);
  for (const _ of ["first", "again"])
    expect((await ask(asAdmin, "POST", path, { blocked: false, reason: "It was us" })).status).toBe(200);
  const acts = "SELECT action FROM audit_log WHERE subject = $1 ORDER BY id";
  expect(await rowsOf(acts, [owner.uuid])).toEqual([{ action: "user_blocked" }, { action: "user_unblocked" }]);
  expect(await state()).toEqual([{ open: true, blocked_reason: null }]);
  expect((await ask(asAdmin, "POST", path, { blocked: true, reason: " " })).body).toEqual({
    error: { reason: "This field is required" },
  });
});

test("admins cannot block themselves, nor each other at the same time", async () => {
  const block = (cookie: string, uuid: string) =>
    ask({ cookie }, "POST", `/admin/users/${uuid}/block`, { blocked: true, reason: "A test" });
  expect((await block(asAdmin.cookie, admin.uuid)).status).toBe(409);
  await pool.query("UPDATE users SET blocked_at = now() WHERE email = 'other-admin@example.com'");
  for (let round = 0; round < 10; round++) {
    const second = await newPerson(pool, `second-admin-${round}@example.com`, { role: "admin" });
    const third = await newPerson(pool, `third-admin-${round}@example.com`, { role: "admin" });
    // Two of the three admins are left to block each other.
    await pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [admin.userId]);
    const cookies = await Promise.all([sessionOf(pool, second), sessionOf(pool, third)]);
    const replies = await Promise.all([block(cookies[0], third.uuid), block(cookies[1], second.uuid)]);
    expect(replies.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    await pool.query("UPDATE users SET blocked_at = CASE WHEN id = $1 THEN NULL ELSE now() END WHERE id = ANY($2)", [
      admin.userId,
      [admin.userId, second.userId, third.userId],
    ]);
  }
});
