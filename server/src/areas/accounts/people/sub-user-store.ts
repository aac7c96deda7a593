import type { SubUser, SubUserRole } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

const SUB_USER_ROLES_SQL = "('SUSR', 'SDEV', 'GST')";

/** Finds a sub-user of the account. */
const OF_ACCOUNT = `FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = $1
  AND m.role IN ${SUB_USER_ROLES_SQL}`;
const SUB_USER = "u.uuid, u.email, u.name, m.role AS role_code, NULL AS salt";

export async function listSubUsers(pool: Pool, accountId: number): Promise<SubUser[]> {
  const { rows } = await pool.query<SubUser>(`SELECT ${SUB_USER} ${OF_ACCOUNT} ORDER BY u.id`, [accountId]);
  return rows;
}

export interface FoundSubUser {
  userId: number;
  subUser: SubUser;
}

/** Held until the transaction ends. */
export async function lockSubUser(
  client: PoolClient,
  accountId: number,
  uuid: string,
): Promise<FoundSubUser | undefined> {
  const { rows } = await client.query<SubUser & { userId: number }>(
    `SELECT u.id AS "userId", ${SUB_USER} ${OF_ACCOUNT} WHERE u.uuid = $2 FOR UPDATE OF u, m`,
    [accountId, uuid],
  );
  if (!rows[0]) return undefined;
  const { userId, ...subUser } = rows[0];
  return { userId, subUser };
}

export async function countSubUsers(client: PoolClient, accountId: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int ${OF_ACCOUNT}`, [accountId]);
  return rows[0]?.count ?? 0;
}

/** Creates a login for the account only; the owner has accepted the terms for it. */
export async function insertSubUser(
  client: PoolClient,
  accountId: number,
  login: { email: string; name: string; passwordHash: string; role: SubUserRole; agreedVersion: number },
): Promise<FoundSubUser> {
  const { rows } = await client.query<{ userId: number; uuid: string }>(
    `WITH person AS (
       INSERT INTO users (email, name, password_hash, agreed_version, is_subscribed) VALUES ($2, $3, $4, $6, false)
       RETURNING id, uuid
     ), member AS (INSERT INTO memberships (user_id, account_id, role) SELECT id, $1, $5 FROM person)
     SELECT id AS "userId", uuid FROM person`,
    [accountId, login.email, login.name, login.passwordHash, login.role, login.agreedVersion],
  );
  const [made] = rows;
  if (!made) throw new Error("The sub-user was not kept");
  const { email, name, role } = login;
  return { userId: made.userId, subUser: { uuid: made.uuid, email, name, role_code: role, salt: null } };
}

export async function setSubUserRole(
  client: PoolClient,
  { accountId, userId }: { accountId: number; userId: number },
  { role, name }: { role: SubUserRole; name: string },
): Promise<void> {
  await client.query(
    `UPDATE memberships SET role = $3 WHERE account_id = $1 AND user_id = $2 AND role IN ${SUB_USER_ROLES_SQL}`,
    [accountId, userId, role],
  );
  await client.query("UPDATE users SET name = $2 WHERE id = $1", [userId, name]);
}
