import type { Manager } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

/** A manager's place in the account: a login, or an invitation whose link was not opened yet. */
export type FoundManager = { manager: Manager } & ({ userId: number } | { invited: true });

const ACTIVE = `SELECT u.uuid, u.email, u.name, m.is_super AS is_super_manager, 'active' AS state
  FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = $1 AND m.role = 'manager'`;

/** Of several invitations to one e-mail, the newest stands. */
const INVITED = `SELECT DISTINCT ON (t.email) t.uuid, t.email, t.payload->>'name' AS name,
    (t.payload->>'isSuper')::boolean AS is_super_manager, 'invited' AS state
  FROM tickets t WHERE t.account_id = $1 AND t.type = 'manager' AND t.activated_at IS NULL AND t.expires_at > $2
  ORDER BY t.email, t.number DESC`;

export async function listManagers(pool: Pool, accountId: number, now: Date): Promise<Manager[]> {
  const { rows } = await pool.query<Manager>(
    `SELECT * FROM (${ACTIVE}) active UNION ALL SELECT * FROM (${INVITED}) invited ORDER BY state, email`,
    [accountId, now],
  );
  return rows;
}

/** Whether the right to run managers was given to a member of the account. */
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

/** Whether somebody with this e-mail is in the account already. */
export async function isMember(pool: Pool, accountId: number, email: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    "SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 AND u.email = $2",
    [accountId, email],
  );
  return rowCount !== 0;
}

/** The account's manager or invitation of this UUID, held until the transaction ends. */
export async function lockManager(
  client: PoolClient,
  { accountId, uuid, now }: { accountId: number; uuid: string; now: Date },
): Promise<FoundManager | undefined> {
  const invited = await client.query<Manager>(
    `SELECT t.uuid, t.email, t.payload->>'name' AS name, (t.payload->>'isSuper')::boolean AS is_super_manager,
            'invited' AS state
     FROM tickets t WHERE t.account_id = $1 AND t.uuid = $2 AND t.type = 'manager' AND t.activated_at IS NULL
       AND t.expires_at > $3 FOR UPDATE`,
    [accountId, uuid, now],
  );
  if (invited.rows[0]) return { manager: invited.rows[0], invited: true };
  const active = await client.query<Manager & { userId: number }>(
    `SELECT u.id AS "userId", u.uuid, u.email, u.name, m.is_super AS is_super_manager, 'active' AS state
     FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = $1 AND m.role = 'manager'
     WHERE u.uuid = $2 FOR UPDATE OF u, m`,
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

/** Changes what an invitation will make. */
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

/** Takes every invitation of the account to an e-mail back, used ones too: none of their links opens anything. */
export async function deleteInvitations(client: PoolClient, accountId: number, email: string): Promise<void> {
  await client.query("DELETE FROM tickets WHERE account_id = $1 AND email = $2 AND type = 'manager'", [
    accountId,
    email,
  ]);
}
