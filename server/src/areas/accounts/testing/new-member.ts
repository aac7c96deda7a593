import type { Role } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { cookieOf, newOwner, passwordHash } from "./accounts-server.ts";
import { withCookie } from "./as-user.ts";

/** A user with a role in an account, who signs in with the usual password. */
export async function newMember(
  pool: Pool,
  accountId: number,
  { email, role, isSuper = false }: { email: string; role: Role; isSuper?: boolean },
): Promise<{ userId: number; uuid: string }> {
  const { rows } = await pool.query<{ userId: number; uuid: string }>(
    `WITH person AS (
       INSERT INTO users (email, name, password_hash, agreed_version) VALUES ($2, 'Member', $3, 1) RETURNING id, uuid
     ), member AS (INSERT INTO memberships (user_id, account_id, role, is_super) SELECT id, $1, $4, $5 FROM person)
     SELECT id AS "userId", uuid FROM person`,
    [accountId, email, await passwordHash(), role, isSuper],
  );
  if (!rows[0]) throw new Error(`${email} was not made`);
  return rows[0];
}

let visits = 0;
/** Sends a request as an admin who impersonates the user. */
export async function asVisitor(app: FastifyInstance, pool: Pool, email: string) {
  const admin = await newOwner(pool, `visitor${++visits}-of-${email}`);
  await pool.query("UPDATE memberships SET role = 'admin' WHERE user_id = $1", [admin.userId]);
  const { rows } = await pool.query<{ token_hash: string }>("SELECT token_hash FROM sessions");
  const before = rows.map(({ token_hash: hash }) => hash);
  const cookie = await cookieOf(app, email);
  await pool.query("UPDATE sessions SET switched_by = $1 WHERE token_hash <> ALL($2)", [admin.userId, before]);
  return { ask: withCookie(app, cookie), adminId: admin.userId };
}
