import type { Manager } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

/** A manager of the account: a login, or an invitation that is not accepted yet. */
export type FoundManager = { manager: Manager } & ({ userId: number } | { invited: true });

const ACTIVE = `u.uuid, u.email, u.name, m.is_super AS is_super_manager, 'active' AS state
  FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = $1 AND m.role = 'manager'`;
const INVITED = `t.uuid, t.email, t.payload->>'name' AS name, (t.payload->>'isSuper')::boolean AS is_super_manager,
  'invited' AS state
  FROM tickets t WHERE t.account_id = $1 AND t.type = 'manager' AND t.activated_at IS NULL AND t.expires_at > $2`;

export async function listManagers(pool: Pool, accountId: number, now: Date): Promise<Manager[]> {
  const { rows } = await pool.query<Manager>(
    // Of several invitations to one e-mail, the newest counts.
    `SELECT ${ACTIVE} UNION ALL
     SELECT * FROM (SELECT DISTINCT ON (t.email) ${INVITED} ORDER BY t.email, t.number DESC) invited
     ORDER BY state, email`,
    [accountId, now],
  );
  return rows;
}

/** Whether a member of the account has the right to run managers. */
export async function isSuperManager(
  client: Pool | PoolClient,
  { accountId, userId }: { accountId: number; userId: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM memberships WHERE account_id = $1 AND user_id = $2 AND role = 'manager' AND is_super",
    [accountId, userId],
  );
  return rowCount === 1;
}

/** The account's manager or invitation of this UUID, held until the transaction ends. */
export async function lockManager(
  client: PoolClient,
  { accountId, uuid, now }: { accountId: number; uuid: string; now: Date },
): Promise<FoundManager | undefined> {
  const invited = await client.query<Manager>(`SELECT ${INVITED} AND t.uuid = $3 FOR UPDATE`, [accountId, now, uuid]);
  if (invited.rows[0]) return { manager: invited.rows[0], invited: true };
  const active = await client.query<Manager & { userId: number }>(
    `SELECT u.id AS "userId", ${ACTIVE} WHERE u.uuid = $2 FOR UPDATE OF u, m`,
    [accountId, uuid],
  );
  if (!active.rows[0]) return undefined;
  const { userId, ...manager } = active.rows[0];
  return { manager, userId };
}

export interface ManagerChange {
  name: string;
  isSuper: boolean;
}

export async function changeActive(
  client: PoolClient,
  { accountId, userId }: { accountId: number; userId: number },
  { name, isSuper }: ManagerChange,
): Promise<void> {
  await client.query("UPDATE users SET name = $2 WHERE id = $1", [userId, name]);
  await client.query(
    "UPDATE memberships SET is_super = $3 WHERE account_id = $1 AND user_id = $2 AND role = 'manager'",
    [accountId, userId, isSuper],
  );
}

/** Changes the manager that an invitation will create. */
export async function changeInvitation(
  client: PoolClient,
  { accountId, uuid }: { accountId: number; uuid: string },
  change: ManagerChange,
): Promise<void> {
  await client.query("UPDATE tickets SET payload = payload || $3 WHERE account_id = $1 AND uuid = $2", [
    accountId,
    uuid,
    JSON.stringify(change),
  ]);
}

/** Withdraws all invitations of the account to an e-mail, including used ones, so that none of their links works. */
export async function deleteInvitations(client: PoolClient, accountId: number, email: string): Promise<void> {
  await client.query("DELETE FROM tickets WHERE account_id = $1 AND email = $2 AND type = 'manager'", [
    accountId,
    email,
  ]);
}

/** Creates the login of an invited manager, for this account only; null if the e-mail is taken. */
export async function insertManager(
  client: PoolClient,
  accountId: number,
  manager: ManagerChange & { email: string; passwordHash: string },
): Promise<number | null> {
  const { rows } = await client.query<{ user_id: number }>(
    `WITH person AS (
       INSERT INTO users (email, name, password_hash) VALUES ($2, $3, $4) ON CONFLICT (email) DO NOTHING RETURNING id
     )
     INSERT INTO memberships (user_id, account_id, role, is_super) SELECT id, $1, 'manager', $5 FROM person
     RETURNING user_id`,
    [accountId, manager.email, manager.name, manager.passwordHash, manager.isSuper],
  );
  return rows[0]?.user_id ?? null;
}
