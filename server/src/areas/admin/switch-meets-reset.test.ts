import { expect, test } from "vitest";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { type As, newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const { pg, clickhouse } = await testStores();
const { pool, ask, mailsTo } = await testPlatform({ pg, clickhouse });
const WAITING = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

async function waiting(count: number): Promise<void> {
  await expect.poll(async () => (await pool.query(WAITING)).rowCount).toBeGreaterThanOrEqual(count);
}

/** The address of the link that a person without a password sets one with. */
async function linkOf(email: string): Promise<string> {
  await ask({}, "POST", "/remind.json", { email });
  const ticket = async () => /\/ticket\/([0-9a-f-]+)$/m.exec((await mailsTo(email))[0]?.text ?? "")?.[1];
  await expect.poll(ticket).toBeDefined();
  return `/ticket/${await ticket()}.json`;
}

/** Moves a session, and resets the admin's password while the move is halfway. */
async function resetDuring(email: string, move: () => ReturnType<typeof ask>): Promise<As> {
  const link = await linkOf(email);
  const { moved, reset } = await inTransaction(pool, async (client) => {
    // A move writes to the log when it has replaced the session, and has yet to commit.
    await client.query("LOCK TABLE audit_log IN SHARE MODE");
    const moved = move();
    await waiting(1);
    const reset = ask({}, "POST", link, { pass: "battery-staple", pass_confirm: "battery-staple" });
    await waiting(2);
    return { moved, reset };
  });
  expect((await reset).status).toBe(200);
  const { cookie = "" } = await moved;
  return { cookie };
}

test("a stolen session that switches to a user, or back, during the admin's password reset ends with it", async () => {
  const { uuid } = await newPerson(pool, "owner@example.com");
  const thief = async (email: string): Promise<As> => ({
    cookie: await sessionOf(pool, await newPerson(pool, email, { role: "admin" })),
  });
  const there = await thief("there@example.com");
  const inside = await resetDuring("there@example.com", () => ask(there, "POST", `/admin/users/${uuid}/switch`));
  expect((await ask(inside, "GET", "/session.json")).status).toBe(401);

  const back = await thief("back@example.com");
  const { cookie = "" } = await ask(back, "POST", `/admin/users/${uuid}/switch`);
  const home = await resetDuring("back@example.com", () => ask({ cookie }, "POST", "/return_to_admin"));
  expect((await ask(home, "GET", "/session.json")).status).toBe(401);
});
