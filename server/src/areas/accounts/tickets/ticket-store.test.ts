import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { insertOwner } from "../people-store.ts";
import { insertTicket, setTicketSalt } from "./ticket-store.ts";

const { pg } = await testStores();

test("a link that gets ready while its user is deleted does not stop the deletion", async () => {
  const email = "leaving@example.com";
  const sides = { canApps: true, canCampaign: false };
  const owner = {
    email,
    name: "Ada",
    passwordHash: null,
    role: "owner",
    ...sides,
    agreedVersion: 1,
    demo: false,
  } as const;
  const { userId } = (await insertOwner(pg.pool, owner)) ?? { userId: 0 };
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
  const asked = { type: "reset_pass", email, userId: null, accountId: null, payload: {}, ...times } as const;
  const uuid = await insertTicket(pg.pool, asked);

  const { readying } = await inTransaction(pg.pool, async (client) => {
    // What a deletion does, held in its middle: the people first, then their tickets.
    await client.query("SELECT FROM users WHERE id = $1 FOR UPDATE", [userId]);
    const readying = setTicketSalt(pg.pool, uuid, { saltHash: "a-hash", userId });
    await expect
      .poll(async () => (await pg.pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount, { timeout: 10_000 })
      .toBeGreaterThan(0);
    await client.query("DELETE FROM tickets WHERE email = $1", [email]);
    await client.query("DELETE FROM users WHERE id = $1", [userId]);
    return { readying };
  });
  await expect(readying).resolves.toBeUndefined();
  expect((await pg.pool.query("SELECT FROM tickets WHERE email = $1", [email])).rowCount).toBe(0);
});
