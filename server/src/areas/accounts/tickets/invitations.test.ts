import { TEXTS, TICKET_ERRORS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { findUserByEmail } from "../people-store.ts";
import { PASSWORD, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { mailsTo } from "../testing/mails-to.ts";
import { from, ticketIn, ticketTo, urlOf } from "../testing/ticket-links.ts";
import { requestTicket } from "./request-ticket.ts";
import { deleteEndedTickets } from "./ticket-store.ts";
import { ticketThrottle } from "./ticket-throttle.ts";

const pg = await testPostgres();
const DAY_MS = 86_400_000;
let nowMs = Date.now();
const clock = { now: () => nowMs };
const { app, mails, jobs } = await accountsServer(pg.pool, { clock });
const passes = { pass: PASSWORD, pass_confirm: PASSWORD };

let number = 0;
async function owner() {
  const email = `owner${++number}@example.com`;
  const { userId, accountId } = await newOwner(pg.pool, email);
  const deps = { pool: pg.pool, clock, jobs, ticketThrottle: ticketThrottle() };
  const invite = (to: string, isSuper = false) =>
    requestTicket(deps, { type: "manager", email: to, accountId, payload: { name: "Max", isSuper } });
  return { email, userId, accountId, invite, ask: from(app, `198.51.100.${number}`) };
}
const membershipOf = async (email: string) => {
  const { rows } = await pg.pool.query(
    `SELECT m.account_id AS "accountId", m.role, m.is_super AS "isSuper" FROM memberships m
     JOIN users u ON u.id = m.user_id WHERE u.email = $1`,
    [email],
  );
  return rows as unknown[];
};

test("an invited manager signs in with the link and their own password, to this account only", async () => {
  const { accountId, invite, ask } = await owner();
  await invite("Max@example.com", true);
  const url = urlOf(await ticketTo(mails, "max@example.com"));
  expect((await ask("GET", url)).json()).toEqual({ type: "manager", has_pass: false });
  expect(await findUserByEmail(pg.pool, "max@example.com")).toBeUndefined();
  for (const [given, error] of [
    [{}, { pass: TEXTS.required }],
    [{ pass: "short", pass_confirm: "short" }, { pass: TEXTS.passwordTooShort }],
    [{ ...passes, pass_confirm: "something-else" }, { pass_confirm: TEXTS.passwordsDiffer }],
  ]) {
    const refused = await ask("POST", url, given);
    expect([refused.statusCode, refused.json(), refused.cookies]).toEqual([400, { error }, []]);
  }
  const reply = await ask("POST", url, passes);
  expect([reply.statusCode, reply.json(), reply.cookies[0]?.name]).toEqual([
    200,
    { type: "manager", redirect_to: "/apps" },
    "millrace",
  ]);
  expect(await membershipOf("max@example.com")).toEqual([{ accountId, role: "manager", isSuper: true }]);
  const later = await ask("POST", "/login.json", { email: "max@example.com", password: PASSWORD });
  expect(later.statusCode).toBe(200);
  expect((await ask("POST", url, passes)).json()).toEqual({ error: TICKET_ERRORS.activated });
});

test("an invited user with a login is told that it stays as it is, and the inviter sees the invitation as open", async () => {
  const known = await owner();
  const { invite, accountId } = await owner();
  await invite(known.email);
  const [mail] = await mailsTo(mails, known.email, 1);
  expect([mail?.subject, mail && ticketIn(mail)]).toEqual(["You could not be invited as a manager", undefined]);
  expect(await membershipOf(known.email)).toMatchObject([{ role: "owner", accountId: known.accountId }]);
  const { rows } = await pg.pool.query(
    "SELECT activated_at, expires_at > $2 AS open FROM tickets WHERE account_id = $1",
    [accountId, new Date(nowMs)],
  );
  expect(rows).toEqual([{ activated_at: null, open: true }]);
});

test("two accounts can invite the same person; the first accepted invitation wins", async () => {
  const [one, other] = [await owner(), await owner()];
  await one.invite("both@example.com");
  const first = urlOf(await ticketTo(mails, "both@example.com"));
  await other.invite("both@example.com");
  const second = urlOf(await ticketTo(mails, "both@example.com", 2));
  expect((await one.ask("POST", first, passes)).statusCode).toBe(200);
  const late = await other.ask("POST", second, passes);
  expect([late.statusCode, late.json(), late.cookies]).toEqual([
    409,
    { error: "This e-mail already has a login. Please log in" },
    [],
  ]);
  expect(await membershipOf("both@example.com")).toMatchObject([{ accountId: one.accountId }]);
});

test("the link of a deleted account, or of one with a blocked owner, is refused", async () => {
  const gone = await owner();
  await gone.invite("gone@example.com");
  const url = urlOf(await ticketTo(mails, "gone@example.com"));
  await pg.pool.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [gone.accountId]);
  expect((await gone.ask("POST", url, passes)).statusCode).toBe(404);
  const blocked = await owner();
  await blocked.invite("late@example.com");
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [blocked.userId]);
  const late = urlOf(await ticketTo(mails, "late@example.com"));
  expect((await blocked.ask("POST", late, passes)).statusCode).toBe(403);
  for (const email of ["gone@example.com", "late@example.com"]) {
    expect(await findUserByEmail(pg.pool, email)).toBeUndefined();
  }
});

test("an invitation is valid for seven days, reports its expiry for seven more, and is deleted", async () => {
  const { invite, ask } = await owner();
  await invite("slow@example.com");
  const url = urlOf(await ticketTo(mails, "slow@example.com"));
  const told = async () => (await ask("GET", url)).json<{ error?: string }>().error;
  const clean = () => deleteEndedTickets(pg.pool, new Date(nowMs));
  nowMs += 7 * DAY_MS - 1;
  await clean();
  expect(await told()).toBeUndefined();
  nowMs += 1;
  await clean();
  expect(await told()).toBe("expired");
  const kept = await pg.pool.query("SELECT payload FROM tickets WHERE email = 'slow@example.com'");
  expect(kept.rows).toEqual([{ payload: {} }]);
  nowMs += 7 * DAY_MS;
  await clean();
  expect(await told()).toBe("not_found");
  expect(
    (await pg.pool.query("SELECT FROM tickets WHERE expires_at <= $1", [new Date(nowMs - 7 * DAY_MS)])).rowCount,
  ).toBe(0);
});

test("an account can send thirty invitations an hour, and three to the same person", async () => {
  const { invite } = await owner();
  for (let tries = 0; tries < 3; tries++) await invite("often@example.com");
  await expect(invite("often@example.com")).rejects.toMatchObject({ code: "too_many" });
  for (let tries = 0; tries < 26; tries++) await invite(`guest${tries}@example.com`);
  await expect(invite("one-more@example.com")).rejects.toMatchObject({ code: "too_many" });
});
