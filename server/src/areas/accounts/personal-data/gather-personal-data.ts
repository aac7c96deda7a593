import type { Pool } from "pg";
import type { AccountsDeps } from "../deps.ts";

/** The apps that a membership is limited to; null for all. */
const CHOSEN_APPS = `CASE WHEN m.app_ids IS NOT NULL THEN ARRAY(
      SELECT p.uuid FROM apps p WHERE p.id = ANY(m.app_ids) ORDER BY p.id) END AS chosen_apps`;

/**
 * Everything stored, by its name in the export; $1 is the user, $2 the account. Secrets are listed but not included.
 * Amounts are in micro-dollars.
 */
const KEPT = {
  person: `SELECT uuid, email, name, surname, phone, created_at, last_seen_at, is_subscribed, week_start_on_sunday,
      balance_alert_days, agreed_version, password_hash IS NOT NULL AS has_password,
      otp_secret IS NOT NULL AS has_authenticator, blocked_at, blocked_reason
    FROM users WHERE id = $1 AND $2::int IS NOT NULL`,
  account: `SELECT uuid, name, can_apps, can_campaign, created_at, developer_domain, is_confidential FROM accounts
    WHERE id = $2 AND $1::int IS NOT NULL`,
  memberships: `SELECT a.uuid AS account, m.role, m.is_super, ${CHOSEN_APPS}, m.created_at
    FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = $1 AND $2::int IS NOT NULL`,
  sub_users: `SELECT u.uuid, u.email, u.name, m.role, ${CHOSEN_APPS}, u.created_at, u.last_seen_at
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = $2 AND m.user_id <> $1 AND m.role IN ('SUSR', 'SDEV', 'GST') ORDER BY u.id`,
  managers: `SELECT u.uuid, u.email, u.name, m.is_super, ${CHOSEN_APPS}, u.created_at, u.last_seen_at
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = $2 AND m.user_id <> $1 AND m.role = 'manager' ORDER BY u.id`,
  mailed_links: `SELECT type, email, payload->>'name' AS name, created_at, expires_at, activated_at FROM tickets
    WHERE user_id = $1 OR account_id = $2 OR email = (SELECT email FROM users WHERE id = $1) ORDER BY number`,
  linked_identities: `SELECT service, subject, email, linked_at FROM social_identities
    WHERE user_id = $1 AND $2::int IS NOT NULL ORDER BY service`,
  sessions: `SELECT created_at, expires_at, otp_verified_until, switched_by IS NOT NULL AS opened_by_an_admin
    FROM sessions WHERE user_id = $1 AND $2::int IS NOT NULL ORDER BY created_at`,
  app_devices_and_servers: `SELECT a.uuid AS app, a.test_devices, a.reward_callback_url, w.url AS revenue_webhook_url
    FROM apps a LEFT JOIN revenue_webhooks w ON w.app_id = a.id
    WHERE a.account_id = $2 AND a.deleted_at IS NULL AND $1::int IS NOT NULL ORDER BY a.id`,
  access_token: `SELECT hint, created_at, last_used_at FROM access_tokens
    WHERE account_id = $2 AND $1::int IS NOT NULL`,
  mails_about_failed_sign_ins: `SELECT kind, told_at FROM failure_notices
    WHERE user_id = $1 AND $2::int IS NOT NULL ORDER BY kind`,
  recovery_codes: `SELECT used_at FROM recovery_codes WHERE user_id = $1 AND $2::int IS NOT NULL`,
  support_messages: `SELECT message, page, created_at, reply, replied_at FROM support_messages
    WHERE user_id = $1 AND $2::int IS NOT NULL ORDER BY id`,
  deductions: `SELECT day, reason, explanation, amount_micros, state, noted_at, dispute, disputed_at,
      disputed_by = $1 AS disputed_by_you, answer, answered_at
    FROM deductions WHERE account_id = $2 ORDER BY id`,
  // Of another account only what the user wrote.
  disputes_for_other_accounts: `SELECT dispute, disputed_at FROM deductions
    WHERE disputed_by = $1 AND account_id <> $2 ORDER BY id`,
  news_mails: `SELECT n.subject, n.sent_at, m.state FROM news_mails m JOIN news n ON n.id = m.news_id
    WHERE m.user_id = $1 AND $2::int IS NOT NULL ORDER BY m.id`,
  // Another person's address is their personal data.
  audit_log: `SELECT at, action, subject, details, actor_user_id = $1 AS by_you, as_user_id = $1 AS as_you,
      CASE WHEN actor_user_id = $1 THEN host(address) END AS address
    FROM audit_log WHERE actor_user_id = $1 OR as_user_id = $1 OR account_id = $2 ORDER BY id`,
  payout_method: `SELECT provider, method, checked_at FROM payees WHERE account_id = $2 AND $1::int IS NOT NULL`,
  billing_details: `SELECT legal_name, address, country, is_business, vat_id, self_billing_since, changed_at
    FROM billing_details WHERE account_id = $2 AND $1::int IS NOT NULL`,
  invoices: `SELECT number, series, issued_at, supplied_on, net_cents, vat_cents, treatment, party, reason
    FROM invoices WHERE account_id = $2 AND $1::int IS NOT NULL ORDER BY id`,
  revenue_shares: `SELECT from_day, share_ppm, reason, set_at
    FROM revenue_shares WHERE account_id = $2 AND $1::int IS NOT NULL ORDER BY id`,
  payouts: `SELECT to_char(period, 'YYYY-MM') AS month, amount_micros, method, state, created_at, changed_at, reason
    FROM payouts WHERE account_id = $2 AND $1::int IS NOT NULL ORDER BY period`,
  ledger: `SELECT p.at, p.kind, p.reason, l.book, l.amount_micros
    FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
    WHERE l.account_id = $2 AND $1::int IS NOT NULL ORDER BY p.id, l.line`,
} as const;

/** Gathers everything stored about a user and their own account, without secrets. */
export async function gatherPersonalData(
  deps: Pick<AccountsDeps, "pool" | "revenueTodayOf" | "publisherBalanceOf" | "campaignBalanceOf" | "belongingsOf">,
  { userId, accountId, at }: { userId: number; accountId: number; at: Date },
): Promise<Record<string, unknown>> {
  const gathered: Record<string, unknown> = { gathered_at: at.toISOString() };
  for (const [name, sql] of Object.entries(KEPT)) gathered[name] = await rowsOf(deps.pool, sql, [userId, accountId]);
  const [person] = gathered.person as unknown[];
  const [account] = gathered.account as unknown[];
  const balances = {
    balance_micros: await deps.publisherBalanceOf(accountId),
    earned_today_micros: await deps.revenueTodayOf(accountId),
    campaign_balance_micros: await deps.campaignBalanceOf(accountId),
  };
  return { ...gathered, person, account, balances, belongings: await deps.belongingsOf(accountId) };
}

/** As PostgreSQL's JSON: a bigint is a number, and a time has its zone. */
async function rowsOf(pool: Pool, sql: string, values: unknown[]): Promise<unknown[]> {
  const { rows } = await pool.query<{ row: unknown }>(`SELECT to_jsonb(kept) AS row FROM (${sql}) kept`, values);
  return rows.map(({ row }) => row);
}
