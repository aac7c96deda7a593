import { generate } from "otplib";
import type { PoolClient } from "pg";
import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { insertIdentity } from "../social/identity-store.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { asUser } from "../testing/as-user.ts";
import { newMember } from "../testing/new-member.ts";
import { from, ticketTo } from "../testing/ticket-links.ts";
import { insertTicket, setTicketSalt } from "../tickets/ticket-store.ts";

// Deletions may overlap with any other act on the same users without deadlock or failure.

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);

let number = 0;
async function owner() {
  const email = `meets${++number}@example.com`;
  const made = await newOwner(pg.pool, email);
  return { ...made, email, ask: await asUser(app, email) };
}

/** Runs `meanwhile` halfway through a deletion, then completes both. */
async function deletingWhile<T>(
  begin: (client: PoolClient) => Promise<unknown>,
  meanwhile: () => Promise<T>,
  end: (client: PoolClient) => Promise<unknown>,
): Promise<T> {
  const { met } = await inTransaction(pg.pool, async (client) => {
    await begin(client);
    const met = meanwhile();
    met.catch(() => undefined);
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => (await pg.pool.query(waiting)).rowCount).toBeGreaterThan(0);
    await end(client);
    return { met };
  });
  return met;
}
const holdPerson = (userId: number) => (client: PoolClient) =>
  client.query("SELECT FROM users WHERE id = $1 FOR UPDATE", [userId]);
const deletePerson = (userId: number, email: string) => async (client: PoolClient) => {
  await client.query("DELETE FROM tickets WHERE user_id = $1 OR email = $2", [userId, email]);
  await client.query("DELETE FROM users WHERE id = $1", [userId]);
};

test("a link used during its user's deletion is refused", async () => {
  const { userId, email } = await owner();
  const ask = from(app, "198.51.100.1");
  await ask("POST", "/remind.json", { email });
  const url = `/ticket/${await ticketTo(mails, email)}.json`;
  const reply = await deletingWhile(
    holdPerson(userId),
    () => ask("POST", url, { pass: "battery-staple", pass_confirm: "battery-staple" }),
    deletePerson(userId, email),
  );
  expect(reply.statusCode).toBe(404);
});

test("a link created during its user's deletion does not stop the deletion", async () => {
  const { userId, email } = await owner();
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
  const asked = { type: "reset_pass", email, userId: null, accountId: null, payload: {}, ...times } as const;
  const uuid = await insertTicket(pg.pool, asked);
  await deletingWhile(
    holdPerson(userId),
    () => setTicketSalt(pg.pool, uuid, { saltHash: "a-hash", userId }),
    deletePerson(userId, email),
  );
  expect((await pg.pool.query("SELECT FROM tickets WHERE email = $1", [email])).rowCount).toBe(0);
});

test("two links of one user used at once do not wait for each other", async () => {
  for (let round = 0; round < 5; round++) {
    const { email, ask } = await owner();
    const browser = from(app, `198.51.100.${10 + round}`);
    await ask("POST", "/profile/edit.json", { name: "password", value: "of-the-profile" });
    const change = await ticketTo(mails, email);
    await browser("POST", "/remind.json", { email });
    const reset = await ticketTo(mails, email, 2);
    const replies = await Promise.all([
      browser("POST", `/ticket/${change}.json`, {}),
      browser("POST", `/ticket/${reset}.json`, { pass: "battery-staple", pass_confirm: "battery-staple" }),
    ]);
    const statuses = replies.map(({ statusCode }) => statusCode).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 409]);
  }
});

test("an authenticator switched on during its user's deletion is refused and does not stop the deletion", async () => {
  const { userId, email, ask } = await owner();
  const { otp_secret: secret } = (await ask("GET", "/api/otp_secret_generate")).json<{ otp_secret: string }>();
  const query = new URLSearchParams({ secret, code: await generate({ secret }) });
  const reply = await deletingWhile(
    holdPerson(userId),
    () => ask("POST", `/api/otp_secret_save?${query.toString()}`),
    deletePerson(userId, email),
  );
  expect(reply.statusCode).toBeLessThan(500);
});

test("linking an identity to a user who is being deleted fails", async () => {
  const { userId, email } = await owner();
  const link = { service: "google", subject: "late", userId, email: null, at: new Date() } as const;
  const outcome = await deletingWhile(
    holdPerson(userId),
    () => insertIdentity(pg.pool, link),
    deletePerson(userId, email),
  );
  expect(outcome).not.toBe("linked");
  expect((await pg.pool.query("SELECT FROM social_identities WHERE subject = 'late'")).rowCount).toBe(0);
});

test("a manager removed during the account's deletion does not stop the deletion", async () => {
  const { ask, email, accountId, userId } = await owner();
  const manager = await newMember(pg.pool, accountId, { email: `m-${email}`, role: "manager" });
  await pg.pool.query(
    `INSERT INTO tickets (salt_hash, type, email, account_id, payload, created_at, expires_at)
     VALUES ('', 'manager', $1, $2, '{}', now(), now() + interval '1 day')`,
    [`m-${email}`, accountId],
  );
  const reply = await deletingWhile(
    async (client) => {
      await client.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
      await client.query("DELETE FROM tickets WHERE account_id = $1", [accountId]);
    },
    () => ask("POST", `/manager/${manager.uuid}/delete`),
    async (client) => {
      await client.query("SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR UPDATE", [[userId, manager.userId]]);
      await client.query("DELETE FROM users WHERE id = ANY($1)", [[userId, manager.userId]]);
      await client.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [accountId]);
    },
  );
  expect(reply.statusCode).toBe(401);
});
