import type { SocialService } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

/** The profile page's data about a user, with flags in place of secrets. */
export interface ProfileRow {
  uuid: string;
  email: string;
  name: string;
  surname: string;
  phone: string;
  balanceAlertDays: number | null;
  isSubscribed: boolean;
  weekStartOnSunday: boolean;
  hasPassword: boolean;
  hasAuthenticator: boolean;
  recoveryCodesLeft: number;
  /** A manager who may manage other managers. */
  isSuper: boolean;
  identities: { service: SocialService; email: string | null }[];
}

export async function findProfile(
  pool: Pool,
  { userId, accountId }: { userId: number; accountId: number },
): Promise<ProfileRow | undefined> {
  const { rows } = await pool.query<ProfileRow>(
    `SELECT u.uuid, u.email, u.name, u.surname, u.phone, u.balance_alert_days AS "balanceAlertDays",
            u.is_subscribed AS "isSubscribed", u.week_start_on_sunday AS "weekStartOnSunday",
            u.password_hash IS NOT NULL AS "hasPassword", u.otp_secret IS NOT NULL AS "hasAuthenticator",
            (SELECT count(*)::int FROM recovery_codes r WHERE r.user_id = u.id AND r.used_at IS NULL)
              AS "recoveryCodesLeft",
            m.is_super AS "isSuper",
            (SELECT coalesce(jsonb_agg(jsonb_build_object('service', s.service, 'email', s.email)), '[]')
             FROM social_identities s WHERE s.user_id = u.id) AS identities
     FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = $2 WHERE u.id = $1`,
    [userId, accountId],
  );
  return rows[0];
}

/** The column of each profile field. */
const COLUMNS = {
  name: "name",
  surname: "surname",
  phone: "phone",
  days_left: "balance_alert_days",
  is_subscribed: "is_subscribed",
  week_start_on_sunday: "week_start_on_sunday",
} as const;
export type SavedField = keyof typeof COLUMNS;

/**
 * Saves one field. If the account has its owner's name, it is renamed too, because invitations, the support desk and
 * sellers.json show it.
 */
export async function setProfileField(
  client: PoolClient,
  userId: number,
  field: SavedField,
  value: string | number | boolean | null,
): Promise<void> {
  if (field !== "name") {
    await client.query(`UPDATE users SET ${COLUMNS[field]} = $2 WHERE id = $1`, [userId, value]);
    return;
  }
  await client.query(
    `WITH before AS (SELECT id, name FROM users WHERE id = $1 FOR NO KEY UPDATE),
       person AS (UPDATE users SET name = $2 WHERE id = $1)
     UPDATE accounts a SET name = $2 FROM before, memberships m
     WHERE m.user_id = before.id AND m.account_id = a.id AND m.role IN ('owner', 'admin') AND a.name = before.name`,
    [userId, value],
  );
}
