import { ACCOUNT_LIMITS, accountLimitText } from "@millrace/contract";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";

/** Keys at partners are limited where they are saved. */
type Limited = Exclude<keyof typeof ACCOUNT_LIMITS, "partnerKeyBytes">;

const COUNTS = {
  apps: "SELECT count(*) AS count FROM apps WHERE account_id = $1 AND deleted_at IS NULL",
  floors: `SELECT count(*) AS count FROM floors f JOIN apps a ON a.id = f.app_id
           WHERE a.account_id = $1 AND a.deleted_at IS NULL`,
  blocks: `SELECT coalesce(sum(cardinality(blocked_categories) + cardinality(blocked_domains)), 0) AS count
           FROM apps WHERE account_id = $1 AND deleted_at IS NULL`,
  testDevices: `SELECT coalesce(sum(cardinality(test_devices)), 0) AS count
                FROM apps WHERE account_id = $1 AND deleted_at IS NULL`,
  // Every exchange keeps them in memory, so what counts is how long they are, not how many.
  lineItemCharacters: `SELECT coalesce(sum(length(l.source::text) + length(l.prices::text) + length(l.zones::text)), 0) AS count
                       FROM line_items l JOIN apps a ON a.id = l.app_id WHERE a.account_id = $1 AND a.deleted_at IS NULL`,
} as const satisfies Record<Limited, string>;

/**
 * Refuses a change that brings the account above its limits; removals are never refused. Runs in the change's
 * transaction, after the write. Problem `conflict`. The account must be locked: see `lockAccount`.
 */
export async function refuseAboveLimit(
  client: PoolClient,
  accountId: number,
  { what, grew }: { what: Limited; grew: boolean },
): Promise<void> {
  if (!grew) return;
  const { rows } = await client.query<{ count: string }>(COUNTS[what], [accountId]);
  if (Number(rows[0]?.count) > ACCOUNT_LIMITS[what]) throw new Problem("conflict", accountLimitText(what));
}
