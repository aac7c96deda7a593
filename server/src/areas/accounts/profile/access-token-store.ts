import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { tokenHash } from "../../../platform/secrets/token.ts";

/** The prefix of every token, which makes a leaked one recognizable. */
export const ACCESS_TOKEN_PREFIX = "mr_";
const HINT_LENGTH = 4;
/** The minimum interval between updates of the last use, so that a report does not write for every page it reads. */
const USE_NOTED_EVERY = "1 minute";

/** Stores the account's token, replacing an earlier one: its SHA-256, and its last characters for display. */
export async function replaceAccessToken(
  client: PoolClient,
  owner: { accountId: number; userId: number },
  { token, at }: { token: string; at: Date },
): Promise<void> {
  await client.query(
    `INSERT INTO access_tokens (account_id, user_id, token_hash, hint, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_id) DO UPDATE SET user_id = excluded.user_id, token_hash = excluded.token_hash,
       hint = excluded.hint, created_at = excluded.created_at, last_used_at = NULL`,
    [owner.accountId, owner.userId, tokenHash(token), token.slice(-HINT_LENGTH), at],
  );
}

export async function deleteAccessToken(client: PoolClient, accountId: number): Promise<void> {
  await client.query("DELETE FROM access_tokens WHERE account_id = $1", [accountId]);
}

/** The displayable parts of the account's token, or null. */
export async function findAccessToken(
  pool: Pool,
  accountId: number,
): Promise<{ hint: string; createdAt: Date; lastUsedAt: Date | null } | null> {
  const { rows } = await pool.query<{ hint: string; createdAt: Date; lastUsedAt: Date | null }>(
    `SELECT hint, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM access_tokens WHERE account_id = $1`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** The owner of a token, unless they are blocked; null for an unknown or replaced token. */
export async function callerByToken(
  { pool, clock }: { pool: Pool; clock: Clock },
  token: string,
): Promise<Caller | null> {
  if (!token.startsWith(ACCESS_TOKEN_PREFIX)) return null;
  const { rows } = await pool.query<{ userId: number; accountId: number; canApps: boolean; canCampaign: boolean }>(
    `WITH used AS (
       UPDATE access_tokens SET last_used_at = $2
       WHERE token_hash = $1 AND coalesce(last_used_at, '-infinity') < $2::timestamptz - interval '${USE_NOTED_EVERY}'
     )
     SELECT t.user_id AS "userId", t.account_id AS "accountId", a.can_apps AS "canApps", a.can_campaign AS "canCampaign"
     FROM access_tokens t JOIN accounts a ON a.id = t.account_id JOIN users u ON u.id = t.user_id
     JOIN memberships m ON m.user_id = u.id AND m.account_id = a.id AND m.role = 'owner'
     WHERE t.token_hash = $1 AND a.deleted_at IS NULL AND u.blocked_at IS NULL`,
    [tokenHash(token), new Date(clock.now())],
  );
  const [found] = rows;
  if (!found) return null;
  return {
    userId: found.userId,
    uuid: "",
    accountId: found.accountId,
    role: "owner",
    roles: { can_apps: found.canApps, can_campaign: found.canCampaign },
    is_switched: false,
    has_all_apps: true,
    appIds: null,
    sessionHash: "",
    impersonatorId: null,
    mfaPending: false,
    byToken: true,
  };
}
