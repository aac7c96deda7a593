import { randomBytes } from "node:crypto";
import { TICKET_ERRORS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { hashPassword } from "../passwords.ts";
import { PASSWORD, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { from, passes, ticketTo, urlOf } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);
const counted = (statuses: number[]) => {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
async function forgotten(email: string) {
  const owner = await newOwner(pg.pool, email);
  await from(app, "203.0.113.1")("POST", "/remind.json", { email });
  return { ...owner, ticket: await ticketTo(mails, email) };
}

test("of 1,000 guesses at a link's salt twenty are checked, by GET or by POST", async () => {
  const { ticket } = await forgotten("guessed@example.com");
  const ask = from(app, "192.0.2.1");
  const guess = () => urlOf(`${ticket.slice(0, 36)}-${randomBytes(16).toString("hex")}`);
  const statuses: number[] = [];
  for (let nth = 0; nth < 20; nth++) {
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, k) =>
        k % 2 === 0 ? ask("GET", guess()) : ask("POST", guess(), passes("battery-staple")),
      ),
    );
    for (const reply of replies) {
      statuses.push(reply.statusCode);
      expect(reply.cookies).toEqual([]);
      if (reply.statusCode === 200) expect(reply.json()).toEqual({ type: null, has_pass: false, error: "not_found" });
      if (reply.statusCode === 429) expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
    }
  }
  const slowed = statuses.filter((status) => status === 429).length;
  const { 200: looks = 0, 404: uses = 0 } = counted(statuses);
  expect([looks + uses, slowed]).toEqual([20, 980]);
  // The guesser is also slowed down with the right link; its owner elsewhere is not.
  expect((await ask("POST", urlOf(ticket), passes("battery-staple"))).statusCode).toBe(429);
  const elsewhere = from(app, "192.0.2.2");
  expect((await elsewhere("GET", urlOf(ticket))).json()).toEqual({ type: "reset_pass", has_pass: false });
  expect(
    (await elsewhere("POST", "/login.json", { email: "guessed@example.com", password: PASSWORD })).statusCode,
  ).toBe(200);
});

test("many uses of a right link do not block others behind the same address", async () => {
  const { ticket } = await forgotten("hurried@example.com");
  const ask = from(app, "192.0.2.4");
  const uses = await Promise.all(
    Array.from({ length: 50 }, () => ask("POST", urlOf(ticket), passes("battery-staple"))),
  );
  expect(uses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect((await ask("GET", urlOf(ticket))).json()).toMatchObject({ error: "activated" });
});

test("reading a right link a hundred times does not count as guessing", async () => {
  const { ticket } = await forgotten("looked@example.com");
  const statuses = [];
  for (let looks = 0; looks < 100; looks++) {
    statuses.push((await from(app, "192.0.2.3")("GET", urlOf(ticket))).statusCode);
  }
  expect(counted(statuses)).toEqual({ 200: 100 });
});

test("of 50 simultaneous uses of one link one succeeds and sets the password", async () => {
  const email = "parallel@example.com";
  const { ticket, userId } = await forgotten(email);
  const replies = await Promise.all(
    Array.from({ length: 50 }, async (_, nth) =>
      from(app, `10.1.1.${nth}`)("POST", urlOf(ticket), passes(`password-${nth}`)),
    ),
  );
  const winner = replies.findIndex(({ statusCode }) => statusCode === 200);
  expect(counted(replies.map(({ statusCode }) => statusCode))).toEqual({ 200: 1, 409: 49 });
  for (const [nth, reply] of replies.entries()) {
    if (nth !== winner) expect([reply.json(), reply.cookies]).toEqual([{ error: TICKET_ERRORS.activated }, []]);
  }
  const signIn = async (password: string) =>
    (await from(app, "10.1.2.1")("POST", "/login.json", { email, password })).statusCode;
  expect(await signIn(`password-${winner}`)).toBe(200);
  expect(await signIn(`password-${(winner + 1) % 50}`)).toBe(422);
  const acts = await pg.pool.query("SELECT FROM audit_log WHERE actor_user_id = $1", [userId]);
  expect(acts.rowCount).toBe(1);
});

test("50 simultaneous openings of one account create one account", async () => {
  const email = "opened@example.com";
  const form = { email, name: "Ada", password: PASSWORD, passConfirm: PASSWORD, role: "NEW", agree: true };
  await from(app, "203.0.113.2")("POST", "/reg.json", form);
  const url = urlOf(await ticketTo(mails, email));
  const replies = await Promise.all(
    Array.from({ length: 50 }, async (_, nth) => from(app, `10.1.3.${nth}`)("POST", url, passes(PASSWORD))),
  );
  expect(counted(replies.map(({ statusCode }) => statusCode))).toEqual({ 200: 1, 409: 49 });
  const { rows } = await pg.pool.query(
    `SELECT (SELECT count(*)::int FROM users WHERE email = $1) AS users,
            (SELECT count(*)::int FROM accounts a JOIN memberships m ON m.account_id = a.id
             JOIN users u ON u.id = m.user_id WHERE u.email = $1) AS accounts`,
    [email],
  );
  expect(rows).toEqual([{ users: 1, accounts: 1 }]);
});

test("a right link is used fifty times an hour, whatever is wrong with each use", async () => {
  const { ticket } = await forgotten("again@example.com");
  const statuses: number[] = [];
  for (let nth = 0; nth < 60; nth++) {
    const reply = await from(app, `10.1.4.${nth}`)("POST", urlOf(ticket), {
      ...passes("one-horse"),
      pass_confirm: "2",
    });
    statuses.push(reply.statusCode);
  }
  expect(counted(statuses)).toEqual({ 400: 50, 429: 10 });
});

test("a sign-up link whose e-mail has a login by now is refused without hashing a password", async () => {
  const email = "taken@example.com";
  const form = { email, name: "Ada", password: PASSWORD, passConfirm: PASSWORD, role: "NEW", agree: true };
  await from(app, "203.0.113.3")("POST", "/reg.json", form);
  const url = urlOf(await ticketTo(mails, email));
  await newOwner(pg.pool, email);
  // While this many wait, a hash is refused.
  const flood = Promise.allSettled(Array.from({ length: 100 }, () => hashPassword(PASSWORD)));
  const reply = await from(app, "203.0.113.3")("POST", url, passes("another-horse"));
  expect([reply.statusCode, reply.json()]).toEqual([409, { error: "This e-mail already has a login. Please log in" }]);
  await flood;
});
