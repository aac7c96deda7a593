import type { PoolClient } from "pg";
import { Problem, notSignedIn } from "../../../platform/http/problem.ts";
import { lockAccount } from "../people/member-store.ts";

/** Those who were erased, and what may still be on its way to them. */
export interface Erased {
  userIds: number[];
  addresses: string[];
  accountName: string;
  /** Whom the account had invited, to addresses that are not its own. */
  invited: string[];
  /** Of links, exports and messages to support: jobs name them. */
  uuids: string[];
}

const DELETED_NAME = "Deleted account";

/**
 * Deletes what is personal in an account: its owner, the sub-users and managers who belong to no other account, and all
 * that hangs on them. The account stays without a name, as money rows and the audit log point to it. Problem
 * `unauthenticated` where it has gone already, `conflict` where nobody would be left to run the platform.
 */
export async function eraseAccount(
  client: PoolClient,
  { accountId, ownerId, now }: { accountId: number; ownerId: number; now: Date },
): Promise<Erased> {
  // Lets those go on who are just being let in, and no others.
  const { name: accountName } = await lockAccount(client, accountId);
  // Before the people: whoever is just using an invitation is waited for, and then found among the members.
  const invitations = await client.query<{ uuid: string; email: string }>(
    "DELETE FROM tickets WHERE account_id = $1 RETURNING uuid, email",
    [accountId],
  );
  const people = await lockPeople(client, { accountId, ownerId });
  const userIds = people.map(({ id }) => id);
  const addresses = people.map(({ email }) => email);
  await demandOtherAdmin(client, userIds);
  const links = await client.query<{ uuid: string }>(
    "DELETE FROM tickets WHERE user_id = ANY($1) OR email = ANY($2) RETURNING uuid",
    [userIds, addresses],
  );
  const exports = await client.query<{ uuid: string }>(
    "DELETE FROM personal_exports WHERE user_id = ANY($1) OR account_id = $2 RETURNING uuid",
    [userIds, accountId],
  );
  const messages = await client.query<{ uuid: string }>(
    "SELECT uuid FROM support_messages WHERE user_id = ANY($1) OR account_id = $2",
    [userIds, accountId],
  );
  await eraseSocialRequests(client, userIds, addresses);
  // Sessions, memberships, tokens, identities, codes, set-ups and messages go with them.
  await client.query("DELETE FROM users WHERE id = ANY($1)", [userIds]);
  for (const table of ["sessions", "memberships", "access_tokens", "support_messages"])
    await client.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
  // What they did stays on record, under ids that are nobody's any more; where they did it from goes.
  await client.query("UPDATE audit_log SET address = NULL WHERE actor_user_id = ANY($1) AND address IS NOT NULL", [
    userIds,
  ]);
  await client.query("UPDATE accounts SET name = $2, deleted_at = $3 WHERE id = $1", [accountId, DELETED_NAME, now]);
  const uuids = [...invitations.rows, ...links.rows, ...exports.rows, ...messages.rows].map(({ uuid }) => uuid);
  return { userIds, addresses, accountName, invited: invitations.rows.map(({ email }) => email), uuids };
}

/** Those who go with the account, held until then. */
async function lockPeople(
  client: PoolClient,
  { accountId, ownerId }: { accountId: number; ownerId: number },
): Promise<{ id: number; email: string }[]> {
  const { rows } = await client.query<{ id: number; email: string }>(
    `SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.account_id = $1 AND (u.id = $2 OR NOT EXISTS (
       SELECT FROM memberships o WHERE o.user_id = u.id AND o.account_id <> $1))
     ORDER BY u.id FOR UPDATE OF u`,
    [accountId, ownerId],
  );
  if (!rows.some(({ id }) => id === ownerId)) throw notSignedIn();
  return rows;
}

async function demandOtherAdmin(client: PoolClient, userIds: number[]): Promise<void> {
  // Of two admins who go at once, the second finds the first gone.
  const { rows } = await client.query<{ userId: number }>(
    `SELECT m.user_id AS "userId" FROM memberships m WHERE m.role = 'admin' ORDER BY m.user_id FOR UPDATE`,
  );
  const goes = rows.filter(({ userId }) => userIds.includes(userId));
  if (goes.length > 0 && goes.length === rows.length)
    throw new Problem("conflict", "You are the last admin. Make somebody else one before you go");
}

async function eraseSocialRequests(client: PoolClient, userIds: number[], addresses: string[]): Promise<void> {
  await client.query(
    `DELETE FROM social_requests r
     WHERE (payload->>'userId')::int = ANY($1) OR (payload->>'linkUserId')::int = ANY($1)
       OR lower(payload->>'email') = ANY($2)
       OR EXISTS (SELECT FROM social_identities i WHERE i.user_id = ANY($1)
         AND i.service = r.service AND i.subject = r.payload->>'subject')`,
    [userIds, addresses],
  );
}
