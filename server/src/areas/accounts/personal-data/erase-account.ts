import type { PoolClient } from "pg";
import { Problem, notSignedIn } from "../../../platform/http/problem.ts";
import { forgetAuditAddresses, lockAccount } from "../people/member-store.ts";
import type { Erased } from "./forget-people.ts";

const DELETED_NAME = "Deleted account";

/**
 * Erases everything personal in an account: its owner, the sub-users and managers who belong to no other account, and
 * all their data. The account itself stays, without a name, because money rows and the audit log refer to it. Problem
 * `unauthenticated` if it was deleted before, `conflict` if no admin would be left.
 */
export async function eraseAccount(
  client: PoolClient,
  { accountId, ownerId, now }: { accountId: number; ownerId: number; now: Date },
): Promise<Erased> {
  // Waits for invitations that are being accepted right now, and for nothing else.
  const { name: accountName } = await lockAccount(client, accountId);
  // Before the users: an invitation that is being accepted completes first, so its user is found among the members.
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
  const deductions = await eraseDisputes(client, accountId, userIds);
  // Sessions, memberships, tokens, identities, codes, set-ups and messages go with them.
  await client.query("DELETE FROM users WHERE id = ANY($1)", [userIds]);
  for (const table of ["sessions", "memberships", "access_tokens", "support_messages"])
    await client.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
  await forgetAuditAddresses(client, userIds);
  await client.query("UPDATE accounts SET name = $2, developer_domain = NULL, deleted_at = $3 WHERE id = $1", [
    accountId,
    DELETED_NAME,
    now,
  ]);
  const uuids = [...invitations.rows, ...links.rows, ...exports.rows, ...messages.rows, ...deductions].map(
    ({ uuid }) => uuid,
  );
  return { userIds, addresses, accountName, invited: invitations.rows.map(({ email }) => email), uuids };
}

/** The users deleted with the account, locked until then. */
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
  // Of two admins who delete their accounts at once, the second sees the first one's deletion.
  const { rows } = await client.query<{ userId: number }>(
    `SELECT m.user_id AS "userId" FROM memberships m WHERE m.role = 'admin' ORDER BY m.user_id FOR UPDATE`,
  );
  const goes = rows.filter(({ userId }) => userIds.includes(userId));
  if (goes.length > 0 && goes.length === rows.length)
    throw new Problem("conflict", "You are the last admin. Make another user an admin first");
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

/** Deductions are about money and stay, without what people wrote about them. Returns those of the account. */
async function eraseDisputes(client: PoolClient, accountId: number, userIds: number[]): Promise<{ uuid: string }[]> {
  // Those who belong to the account may have disputed for another one.
  await client.query("UPDATE deductions SET dispute = NULL WHERE disputed_by = ANY($1)", [userIds]);
  const { rows } = await client.query<{ uuid: string }>(
    "UPDATE deductions SET dispute = NULL, answer = NULL WHERE account_id = $1 RETURNING uuid",
    [accountId],
  );
  return rows;
}
