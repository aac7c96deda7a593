import { ROLES, type Profile } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { asVisitor, newMember } from "../testing/new-member.ts";

const pg = await testPostgres();
const { app, area, mailTo } = await accountsServer(pg.pool);

const make = async (ask: Ask) =>
  (await ask("POST", "/profile/access_token")).json<{ access_token: string }>().access_token;
const bearer = (token: string, url = "/session.json") =>
  app.inject({ url, headers: { authorization: `Bearer ${token}` } });
/** The user that the platform takes the token for, as the reporting calls see it. */
const speaksFor = (token: string) =>
  area.authenticate({ headers: { authorization: `Bearer ${token}` } } as Parameters<typeof area.authenticate>[0]);

test("the token is shown once, stored as a hash, listed by its last four characters, and acts as the owner", async () => {
  const { userId, accountId } = await newOwner(pg.pool, "token1@example.com");
  const ask = await asUser(app, "token1@example.com");
  const token = await make(ask);
  const { rows } = await pg.pool.query<{ row: string }>("SELECT t::text AS row FROM access_tokens t");
  expect(rows.map(({ row }) => row).join()).not.toContain(token);
  expect(await speaksFor(token)).toMatchObject({ userId, accountId, role: "owner", byToken: true });
  const { access_token: told } = (await ask("GET", "/profile.json")).json<Profile>();
  expect(told).toMatchObject({ hint: token.slice(-4) });
  expect(told?.last_used_at).not.toBeNull();
});

test("creating a token sends a mail, a new password leaves it valid, and its owner can revoke it", async () => {
  const email = "token6@example.com";
  const { userId } = await newOwner(pg.pool, email);
  const ask = await asUser(app, email);
  const token = await make(ask);
  const mail = await mailTo(email);
  expect(mail.subject).toBe("An access token was created for your account");
  expect(mail.text).toContain("revoke the token in your profile");
  expect(mail.text).not.toContain(token);
  await pg.pool.query("UPDATE users SET password_hash = 'another' WHERE id = $1", [userId]);
  expect(await speaksFor(token)).toMatchObject({ userId });
});

test("creating tokens is throttled, revoking them is not", async () => {
  await newOwner(pg.pool, "token7@example.com");
  const ask = await asUser(app, "token7@example.com");
  const statuses = [];
  for (let nth = 0; nth < 12; nth++) statuses.push((await ask("POST", "/profile/access_token")).statusCode);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  expect((await ask("DELETE", "/profile/access_token")).statusCode).toBe(200);
});

test("a token opens only the reporting calls", async () => {
  await newOwner(pg.pool, "token2@example.com");
  const token = await make(await asUser(app, "token2@example.com"));
  for (const url of ["/session.json", "/profile.json", "/api/otp_secret_generate"]) {
    const reply = await app.inject({ url, headers: { authorization: `Bearer ${token}`, accept: "application/json" } });
    expect([url, reply.statusCode]).toEqual([url, 403]);
  }
});

test("a new token replaces the old one, and revoking ends it", async () => {
  await newOwner(pg.pool, "token3@example.com");
  const ask = await asUser(app, "token3@example.com");
  const first = await make(ask);
  const second = await make(ask);
  expect(await speaksFor(first)).toBeNull();
  expect(await speaksFor(second)).not.toBeNull();
  expect((await ask("DELETE", "/profile/access_token")).json()).toEqual({ ok: 1 });
  expect(await speaksFor(second)).toBeNull();
  expect((await bearer(second)).statusCode).toBe(401);
  expect((await ask("GET", "/profile.json")).json<Profile>().access_token).toBeNull();
  const { rows } = await pg.pool.query<{ action: string }>(
    "SELECT action FROM audit_log WHERE actor_user_id = (SELECT id FROM users WHERE email = 'token3@example.com') ORDER BY id",
  );
  expect(rows.map(({ action }) => action)).toEqual(["access_token_made", "access_token_made", "access_token_revoked"]);
});

test("a program with an unknown or revoked token is told about the token, not to log in", async () => {
  await newOwner(pg.pool, "token8@example.com");
  const ask = await asUser(app, "token8@example.com");
  const token = await make(ask);
  await ask("DELETE", "/profile/access_token");
  for (const wrong of [token, "mr_unknown"]) {
    const reply = await bearer(wrong);
    expect([reply.statusCode, reply.json()]).toEqual([401, { error: "This access token is not valid" }]);
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
  }
});

test("only the owner creates or revokes it, not even an impersonating admin", async () => {
  const { accountId } = await newOwner(pg.pool, "token4@example.com");
  const token = await make(await asUser(app, "token4@example.com"));
  for (const role of ROLES.filter((one) => one !== "owner")) {
    const email = `token4-${role.toLowerCase()}@example.com`;
    await newMember(pg.pool, accountId, { email, role });
    const ask = await asUser(app, email);
    expect([role, (await ask("POST", "/profile/access_token")).statusCode]).toEqual([role, 403]);
    expect([role, (await ask("DELETE", "/profile/access_token")).statusCode]).toEqual([role, 403]);
  }
  const { ask } = await asVisitor(app, pg.pool, "token4@example.com");
  expect((await ask("POST", "/profile/access_token")).statusCode).toBe(403);
  expect(await speaksFor(token)).not.toBeNull();
});

test("the token of a blocked owner is refused", async () => {
  const { userId } = await newOwner(pg.pool, "token5@example.com");
  const token = await make(await asUser(app, "token5@example.com"));
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [userId]);
  expect(await speaksFor(token)).toBeNull();
});
