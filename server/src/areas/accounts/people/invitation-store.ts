import type { SubUserRole } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

export type InvitedRole = SubUserRole | "manager";

/** What a member is called and may do. */
export interface MemberRights {
  name: string;
  role: InvitedRole;
  /** May add and remove managers. */
  isSuper: boolean;
  /** The chosen apps; null for all of the account. */
  appIds: number[] | null;
}

/** An invitation by mail that is not accepted yet. */
export interface Invitation extends MemberRights {
  uuid: string;
  email: string;
  invitedAt: Date;
  expiresAt: Date;
}

/** Open invitations of an account. A member's earlier invitations are no longer open. */
const OPEN = `SELECT t.uuid, t.email, t.payload->>'name' AS name, coalesce(t.payload->>'role', 'manager') AS role,
    (t.payload->>'isSuper')::boolean AS "isSuper",
    CASE WHEN jsonb_typeof(t.payload->'appIds') = 'array' THEN ARRAY(
      SELECT id FROM apps WHERE account_id = $1 AND t.payload->'appIds' @> to_jsonb(id) AND deleted_at IS NULL ORDER BY id
    ) END AS "appIds", t.created_at AS "invitedAt", t.expires_at AS "expiresAt", t.number
  FROM tickets t
  WHERE t.account_id = $1 AND t.type = 'manager' AND t.activated_at IS NULL AND t.expires_at > $2 AND NOT EXISTS (
    SELECT FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.email = t.email AND m.account_id = t.account_id)`;
/** Of several invitations to one e-mail, the newest counts. */
const NEWEST = `SELECT DISTINCT ON (email) * FROM (${OPEN}) open ORDER BY email, number DESC`;

/** The account's invitations to any of these roles, by e-mail. */
export async function listInvitations(
  db: Pool | PoolClient,
  { accountId, roles, now }: { accountId: number; roles: readonly InvitedRole[]; now: Date },
): Promise<Invitation[]> {
  const { rows } = await db.query<Invitation>(`SELECT * FROM (${NEWEST}) newest WHERE role = ANY($3)`, [
    accountId,
    now,
    roles,
  ]);
  return rows;
}

/** An invitation to one of these roles, held with all others to its e-mail until the transaction ends. */
export async function lockInvitation(
  client: PoolClient,
  { accountId, uuid, roles, now }: { accountId: number; uuid: string; roles: readonly InvitedRole[]; now: Date },
): Promise<Invitation | undefined> {
  const { rows } = await client.query<Invitation>(
    `${OPEN} AND t.email = (SELECT email FROM tickets WHERE uuid = $3 AND account_id = $1) ORDER BY number FOR UPDATE OF t`,
    [accountId, now, uuid],
  );
  const invitation = rows.find((one) => one.uuid === uuid);
  return invitation && roles.includes(invitation.role) ? invitation : undefined;
}

/**
 * Changes the member that the open invitations to an e-mail will create. An older one's link works until the newer one's mail
 * is sent, so that none may give rights of before.
 */
export async function changeInvitations(
  client: PoolClient,
  { accountId, email }: { accountId: number; email: string },
  change: MemberRights,
): Promise<void> {
  await client.query(
    `UPDATE tickets SET payload = payload || $3
     WHERE account_id = $1 AND email = $2 AND type = 'manager' AND activated_at IS NULL`,
    [accountId, email, JSON.stringify(change)],
  );
}

/** Withdraws all invitations of the account to an e-mail, including used ones, so that none of their links works. */
export async function deleteInvitations(client: PoolClient, accountId: number, email: string): Promise<void> {
  await client.query("DELETE FROM tickets WHERE account_id = $1 AND email = $2 AND type = 'manager'", [
    accountId,
    email,
  ]);
}

/** An invitation's times, as the lists show them. */
export const timesOf = ({ invitedAt, expiresAt }: Pick<Invitation, "invitedAt" | "expiresAt">) => ({
  invited_at: invitedAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});
