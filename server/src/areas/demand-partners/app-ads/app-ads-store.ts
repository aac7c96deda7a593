import type { Pool, PoolClient } from "pg";

export interface Seller {
  uuid: string;
  name: string;
  domain: string | null;
  isConfidential: boolean;
}

const SELLER = `a.uuid, a.name, a.developer_domain AS domain, a.is_confidential AS "isConfidential"`;

export const findSeller = (pool: Pool, accountId: number): Promise<Seller> => selectSeller(pool, accountId, "");

/** As `findSeller`, and keeps others from changing it until the transaction ends. */
export const lockSeller = (client: PoolClient, accountId: number): Promise<Seller> =>
  selectSeller(client, accountId, "FOR NO KEY UPDATE");

async function selectSeller(db: Pool | PoolClient, accountId: number, lock: string): Promise<Seller> {
  const { rows } = await db.query<Seller>(`SELECT ${SELLER} FROM accounts a WHERE a.id = $1 ${lock}`, [accountId]);
  const [seller] = rows;
  if (!seller) throw new Error(`the account ${accountId} is gone`);
  return seller;
}

/** What an account says of itself to buyers, as its form edits it. */
export const siteOf = ({ domain, isConfidential }: Pick<Seller, "domain" | "isConfidential">) => ({
  domain,
  is_confidential: isConfidential,
});

export async function updateSeller(
  client: PoolClient,
  accountId: number,
  { domain, isConfidential }: Pick<Seller, "domain" | "isConfidential">,
): Promise<void> {
  await client.query("UPDATE accounts SET developer_domain = $2, is_confidential = $3 WHERE id = $1", [
    accountId,
    domain,
    isConfidential,
  ]);
}

/** All accounts with an app that may serve, except the demo's, which have no buyers. */
export async function listSellers(pool: Pool): Promise<Seller[]> {
  const { rows } = await pool.query<Seller>(
    `SELECT ${SELLER} FROM accounts a
     WHERE a.deleted_at IS NULL AND NOT a.demo AND EXISTS (
       SELECT FROM apps WHERE account_id = a.id AND deleted_at IS NULL AND moderation = 'live' AND NOT demo)
     ORDER BY a.id`,
  );
  return rows;
}
