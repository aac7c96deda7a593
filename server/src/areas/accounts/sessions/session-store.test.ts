import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { newOwner } from "../testing/accounts-server.ts";
import { MOST_SESSIONS, insertSession } from "./session-store.ts";

const { pool } = await testPostgres();

type Owner = Awaited<ReturnType<typeof newOwner>>;
const open = async ({ userId, accountId }: Owner, tokenHash: string, at: Date) =>
  insertSession(pool, {
    tokenHash,
    userId,
    accountId,
    createdAt: at,
    expiresAt: new Date(at.getTime() + 86_400_000),
    otpVerifiedUntil: null,
    passwordHash: null,
  });

test("of a user who keeps signing in the newest sessions stay, and nobody else's end", async () => {
  const [busy, other] = [await newOwner(pool, "busy@example.com"), await newOwner(pool, "other@example.com")];
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
  await open(other, "of another user", at(0));
  await open(busy, "of a visiting admin", at(0));
  await pool.query("UPDATE sessions SET switched_by = $1 WHERE token_hash = 'of a visiting admin'", [other.userId]);
  for (let nth = 1; nth <= MOST_SESSIONS + 3; nth++) await open(busy, `no ${nth}`, at(nth));
  const { rows } = await pool.query<{ token_hash: string }>("SELECT token_hash FROM sessions ORDER BY created_at");
  const kept = Array.from({ length: MOST_SESSIONS }, (_, nth) => `no ${nth + 4}`);
  expect(rows.map((row) => row.token_hash).toSorted()).toEqual(
    ["of another user", "of a visiting admin", ...kept].toSorted(),
  );
});

test("simultaneous sign-ins of one user leave no more sessions than others", async () => {
  const owner = await newOwner(pool, "hurried@example.com");
  const now = new Date();
  for (let nth = 0; nth < MOST_SESSIONS; nth++) await open(owner, randomUUID(), now);
  const opened = await Promise.all(Array.from({ length: 20 }, () => open(owner, randomUUID(), now)));
  expect(new Set(opened)).toEqual(new Set([true]));
  const { rowCount } = await pool.query("SELECT FROM sessions WHERE user_id = $1", [owner.userId]);
  expect(rowCount).toBe(MOST_SESSIONS);
});
