import { SUB_USER_ROLES, type SubUser, type SubUserRole } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { hasMailbox } from "../../../platform/mail/index.ts";
import { type Invitation, listInvitations, lockInvitation, timesOf } from "./invitation-store.ts";

/** Finds a sub-user of the account; `$2` is the sub-users' roles. */
const OF_ACCOUNT = "FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = $1 AND m.role = ANY($2)";
const SUB_USER = "u.uuid, u.email, u.name, m.role AS role_code";

type Row = Pick<SubUser, "uuid" | "email" | "name" | "role_code">;

/** The account's sub-users in the order in which they were added, and its invitations to be one. */
export async function listSubUsers(pool: Pool, accountId: number, now: Date): Promise<SubUser[]> {
  const { rows } = await pool.query<Row>(`SELECT ${SUB_USER} ${OF_ACCOUNT} ORDER BY u.id`, [accountId, SUB_USER_ROLES]);
  const invitations = await listInvitations(pool, { accountId, roles: SUB_USER_ROLES, now });
  return [...rows.map(activeSubUser), ...invitations.map(invitedSubUser)];
}

const activeSubUser = (row: Row): SubUser => ({
  ...row,
  salt: null,
  state: "active",
  invitation: null,
  has_mailbox: hasMailbox(row.email),
});

function invitedSubUser({ uuid, email, name, role, ...times }: Invitation): SubUser {
  if (role === "manager") throw new Error("An invitation to a manager is not one to a sub-user");
  return {
    uuid,
    email,
    name,
    role_code: role,
    salt: null,
    state: "invited",
    invitation: timesOf(times),
    has_mailbox: true,
  };
}

/** A login, or an invitation that is not accepted yet. */
export type FoundSubUser = { subUser: SubUser } & ({ userId: number } | { invited: true });

/** The account's sub-user or invitation of this UUID, held until the transaction ends. */
export async function lockSubUser(
  client: PoolClient,
  { accountId, uuid, now }: { accountId: number; uuid: string; now: Date },
): Promise<FoundSubUser | undefined> {
  const invitation = await lockInvitation(client, { accountId, uuid, roles: SUB_USER_ROLES, now });
  if (invitation) return { subUser: invitedSubUser(invitation), invited: true };
  const { rows } = await client.query<Row & { userId: number }>(
    `SELECT u.id AS "userId", ${SUB_USER} ${OF_ACCOUNT} WHERE u.uuid = $3 FOR UPDATE OF u, m`,
    [accountId, SUB_USER_ROLES, uuid],
  );
  if (!rows[0]) return undefined;
  const { userId, ...row } = rows[0];
  return { userId, subUser: activeSubUser(row) };
}

/** The account's sub-users, invited ones included. */
export async function countSubUsers(client: PoolClient, accountId: number, now: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int ${OF_ACCOUNT}`, [
    accountId,
    SUB_USER_ROLES,
  ]);
  const invitations = await listInvitations(client, { accountId, roles: SUB_USER_ROLES, now });
  return (rows[0]?.count ?? 0) + invitations.length;
}

/** Creates a login for the account only; the owner has accepted the terms for it. */
export async function insertSubUser(
  client: PoolClient,
  accountId: number,
  login: { email: string; name: string; passwordHash: string; role: SubUserRole; agreedVersion: number },
): Promise<{ userId: number; subUser: SubUser }> {
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
  return { userId: made.userId, subUser: activeSubUser({ uuid: made.uuid, email, name, role_code: role }) };
}

export async function setSubUser(
  client: PoolClient,
  { accountId, userId }: { accountId: number; userId: number },
  { role, name }: { role: SubUserRole; name: string },
): Promise<void> {
  await client.query("UPDATE memberships SET role = $3 WHERE account_id = $1 AND user_id = $2 AND role = ANY($4)", [
    accountId,
    userId,
    role,
    SUB_USER_ROLES,
  ]);
  await client.query("UPDATE users SET name = $2 WHERE id = $1", [userId, name]);
}
