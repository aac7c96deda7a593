import type { Manager } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { type Invitation, listInvitations, lockInvitation, timesOf } from "./invitation-store.ts";

/** A manager of the account: a login, or an invitation that is not accepted yet. */
export type FoundManager = { manager: Manager } & ({ userId: number } | { invited: true });

const ROLES = ["manager"] as const;
const ACTIVE = `u.uuid, u.email, u.name, m.is_super AS is_super_manager, 'active' AS state, NULL AS invitation
  FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = $1 AND m.role = 'manager'`;

export async function listManagers(pool: Pool, accountId: number, now: Date): Promise<Manager[]> {
  const { rows } = await pool.query<Manager>(`SELECT ${ACTIVE} ORDER BY u.email`, [accountId]);
  return [...rows, ...(await listInvitations(pool, { accountId, roles: ROLES, now })).map(invitedManager)];
}

const invitedManager = (invitation: Invitation): Manager => ({
  uuid: invitation.uuid,
  email: invitation.email,
  name: invitation.name,
  is_super_manager: invitation.isSuper,
  state: "invited",
  invitation: timesOf(invitation),
});

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
  const invitation = await lockInvitation(client, { accountId, uuid, roles: ROLES, now });
  if (invitation) return { manager: invitedManager(invitation), invited: true };
  const active = await client.query<Manager & { userId: number }>(
    `SELECT u.id AS "userId", ${ACTIVE} WHERE u.uuid = $2 FOR UPDATE OF u, m`,
    [accountId, uuid],
  );
  if (!active.rows[0]) return undefined;
  const { userId, ...manager } = active.rows[0];
  return { manager, userId };
}

export async function changeActive(
  client: PoolClient,
  { accountId, userId }: { accountId: number; userId: number },
  { name, isSuper }: { name: string; isSuper: boolean },
): Promise<void> {
  await client.query("UPDATE users SET name = $2 WHERE id = $1", [userId, name]);
  await client.query(
    "UPDATE memberships SET is_super = $3 WHERE account_id = $1 AND user_id = $2 AND role = 'manager'",
    [accountId, userId, isSuper],
  );
}
