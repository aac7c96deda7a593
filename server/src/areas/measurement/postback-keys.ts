import type { Pool, PoolClient } from "pg";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import { newToken } from "../../platform/secrets/token.ts";

/** The sealing purpose of the secrets of postbacks. */
export const POSTBACK_SECRET = "postback secret";

/** An account's address for postbacks and its secret. */
export interface PostbackKey {
  accountId: number;
  uuid: string;
  secret: string;
  /** When somebody made the secret; null if nobody knows it. */
  secretSince: Date | null;
}

interface Row {
  account_id: number;
  uuid: string;
  secret: Buffer;
  secret_since: Date | null;
}
const COLUMNS = "account_id, uuid, secret, secret_since";

interface Deps {
  pool: Pool;
  sealer: Sealer;
}

const keyOf = (sealer: Sealer, { account_id, uuid, secret, secret_since }: Row): PostbackKey => ({
  accountId: account_id,
  uuid,
  secret: sealer.open(secret, POSTBACK_SECRET),
  secretSince: secret_since,
});

/** The key of an address; undefined if there is none. */
export async function postbackKey({ pool, sealer }: Deps, uuid: string): Promise<PostbackKey | undefined> {
  const { rows } = await pool.query<Row>(`SELECT ${COLUMNS} FROM postback_keys WHERE uuid = $1`, [uuid]);
  return rows[0] && keyOf(sealer, rows[0]);
}

/** The account's key, which is made, with a secret that nobody knows, when it is first asked for. */
export async function accountPostbackKey({ pool, sealer }: Deps, accountId: number): Promise<PostbackKey> {
  const find = () => pool.query<Row>(`SELECT ${COLUMNS} FROM postback_keys WHERE account_id = $1`, [accountId]);
  let { rows } = await find();
  if (!rows[0]) {
    await pool.query("INSERT INTO postback_keys (account_id, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
      accountId,
      sealer.seal(newToken(), POSTBACK_SECRET),
    ]);
    ({ rows } = await find());
  }
  if (!rows[0]) throw new Error("the account has a key for postbacks");
  return keyOf(sealer, rows[0]);
}

/** Replaces the account's secret, and returns it with the id of the address, which stays. */
export async function replaceSecret(
  client: PoolClient,
  sealer: Sealer,
  { accountId, at }: { accountId: number; at: Date },
): Promise<{ id: string; secret: string }> {
  const secret = newToken();
  const { rows } = await client.query<{ uuid: string }>(
    `INSERT INTO postback_keys (account_id, secret, secret_since) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET secret = EXCLUDED.secret, secret_since = EXCLUDED.secret_since
     RETURNING uuid`,
    [accountId, sealer.seal(secret, POSTBACK_SECRET), at],
  );
  return { id: rows[0]?.uuid ?? "", secret };
}
