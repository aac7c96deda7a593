import type { Pool } from "pg";

/** SQL: whether the membership `m` is that of a user to whom the account belongs. An admin's account is the admin's own. */
export const IS_OWNER = "m.role IN ('owner', 'admin')";

/** SQL: a column of an account's first owner, or null; `account` is an expression of the account's id. */
export const ownerColumn = (column: "email" | "uuid", account: string): string =>
  `(SELECT u.${column} FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = ${account} AND ${IS_OWNER} ORDER BY u.id LIMIT 1)`;

/** The address that mails about an account go to; undefined if it is deleted. */
export async function ownerEmail(pool: Pool, accountId: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ email: string | null }>(
    `SELECT ${ownerColumn("email", "a.id")} AS email FROM accounts a WHERE a.id = $1 AND a.deleted_at IS NULL`,
    [accountId],
  );
  return rows[0]?.email ?? undefined;
}
