import type { Reply, deductible } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { ownerColumn } from "../../../platform/postgres/account-owner.ts";
import { type Earned, leftOf } from "./rules.ts";

/** What the ledger holds of an account's apps on a UTC day, by app and provider. Given back means not deducted. */
export async function earnedOn(
  db: Pool | PoolClient,
  { accountId, day }: { accountId: number; day: string },
): Promise<(Earned & { appId: number })[]> {
  const { rows } = await db.query<{ appId: number; provider: string; earned: string; deducted: string }>(
    `SELECT l.app_id AS "appId", l.provider,
            coalesce(-sum(l.amount_micros) FILTER (WHERE p.kind = 'accrual'), 0) AS earned,
            coalesce(sum(l.amount_micros) FILTER (WHERE p.kind = 'deduction'), 0) AS deducted
     FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE p.for_day = $2 AND p.kind IN ('accrual', 'deduction')
       AND l.account_id = $1 AND l.book = 'publisher_balance' AND l.app_id IS NOT NULL
     GROUP BY l.app_id, l.provider`,
    [accountId, day],
  );
  return rows.map(({ appId, provider, earned, deducted }) => ({
    appId,
    provider,
    earnedMicros: BigInt(earned),
    deductedMicros: BigInt(deducted),
  }));
}

/**
 * What can still be deducted from a publisher's day: the apps by name, and an app's providers by what is left of their earnings.
 */
export async function deductibleOn(
  { pool, providerNames }: { pool: Pool; providerNames(): Promise<ReadonlyMap<string, string>> },
  about: { accountId: number; day: string },
): Promise<Reply<typeof deductible>> {
  const earned = await earnedOn(pool, about);
  const { rows: apps } = await pool.query<{ id: number; uuid: string; name: string }>(
    "SELECT id, uuid, name FROM apps WHERE id = ANY($1) ORDER BY lower(name), id",
    [earned.map(({ appId }) => appId)],
  );
  const payers = await advertisersOf(
    pool,
    about.day,
    apps.map(({ id }) => id),
  );
  const names = await providerNames();
  return {
    apps: apps.flatMap(({ id, uuid, name }) => {
      const ofApp = earned.filter(({ appId }) => appId === id);
      const left = Number(leftOf(ofApp, null));
      if (left === 0) return [];
      const providers = ofApp
        .map(({ provider }) => ({
          provider,
          name: names.get(provider) ?? provider,
          left: provider === "" ? 0 : Number(leftOf(ofApp, provider)),
        }))
        .filter((one) => one.left > 0)
        .toSorted((one, other) => other.left - one.left);
      const advertisers = payers.filter(({ appId }) => appId === id).map(({ email, paid }) => ({ email, paid }));
      return [{ uuid, name, left, providers, advertisers }];
    }),
  };
}

/** What advertisers whose accounts are not deleted paid for the ads of their campaigns in some apps on a day, the most first. */
async function advertisersOf(
  pool: Pool,
  day: string,
  appIds: readonly number[],
): Promise<{ appId: number; email: string; paid: number }[]> {
  const { rows } = await pool.query<{ appId: number; email: string; paid: string }>(
    `SELECT l.app_id AS "appId", o.email, sum(l.amount_micros) AS paid
     FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     JOIN LATERAL ${ownerColumn("email", "l.account_id")} o ON true
     WHERE p.for_day = $1 AND p.kind = 'accrual' AND l.book = 'campaign_costs' AND l.app_id = ANY($2)
     GROUP BY l.app_id, o.email HAVING sum(l.amount_micros) > 0 ORDER BY paid DESC, o.email`,
    [day, appIds],
  );
  return rows.map(({ paid, ...row }) => ({ ...row, paid: Number(paid) }));
}
