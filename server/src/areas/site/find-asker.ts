import type { Role } from "@millrace/contract";
import type { Pool } from "pg";

/** Who asks support for something, with the account they act for. */
export interface Asker {
  uuid: string;
  name: string;
  email: string;
  createdAt: Date;
  role: Role;
  accountUuid: string;
  accountName: string;
}

/** Undefined where the person does not act for the account any more. */
export async function findAsker(
  pool: Pool,
  { userId, accountId }: { userId: number; accountId: number },
): Promise<Asker | undefined> {
  const { rows } = await pool.query<Asker>(
    `SELECT u.uuid, concat_ws(' ', u.name, nullif(u.surname, '')) AS name, u.email, u.created_at AS "createdAt", m.role,
            a.uuid AS "accountUuid", a.name AS "accountName"
     FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
     WHERE u.id = $1 AND a.id = $2`,
    [userId, accountId],
  );
  return rows[0];
}

/** The e-mail of the admin who visits the account. */
export async function findEmail(pool: Pool, userId: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ email: string }>("SELECT email FROM users WHERE id = $1", [userId]);
  return rows[0]?.email;
}
