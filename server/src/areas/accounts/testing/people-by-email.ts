import type { Pool } from "pg";

/** How many users have an e-mail: none, or one. */
export async function countUsers(pool: Pool, email: string): Promise<number> {
  const { rowCount } = await pool.query("SELECT FROM users WHERE email = $1", [email]);
  return rowCount ?? 0;
}

/** The identities of the user with this e-mail, as `service subject`. */
export async function identitiesOf(pool: Pool, email: string): Promise<string[]> {
  const { rows } = await pool.query<{ of: string }>(
    "SELECT service || ' ' || subject AS of FROM social_identities i JOIN users u ON u.id = i.user_id WHERE u.email = $1",
    [email],
  );
  return rows.map(({ of }) => of);
}
