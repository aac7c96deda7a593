import type { DayRange } from "@millrace/units";
import type { Pool, PoolClient } from "pg";

/** What was sold on a UTC day, of one app to one partner or campaign. */
export interface Sale {
  day: string;
  appId: number;
  provider: string;
  /** 0 for a partner's ads. */
  campaignId: number;
  /** What the demand source pays, and the publisher's part of it. */
  grossMicros: bigint;
  revenueMicros: bigint;
}

/** What accruals have booked for the days of a range. */
export async function bookedSales(db: Pool | PoolClient, { ds, de }: DayRange): Promise<Sale[]> {
  const { rows } = await db.query<
    Pick<Sale, "day" | "appId" | "provider" | "campaignId"> & { gross: string; revenue: string }
  >(
    `SELECT p.for_day::text AS day, l.app_id AS "appId", l.provider, coalesce(l.campaign_id, 0) AS "campaignId",
            coalesce(sum(l.amount_micros) FILTER (WHERE l.book IN ('partner_receivable', 'campaign_costs')), 0) AS gross,
            coalesce(-sum(l.amount_micros) FILTER (WHERE l.book = 'publisher_balance'), 0) AS revenue
     FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE p.for_day BETWEEN $1 AND $2 AND p.kind = 'accrual'
     GROUP BY p.for_day, l.app_id, l.provider, l.campaign_id ORDER BY p.for_day, l.app_id, l.provider, l.campaign_id`,
    [ds, de],
  );
  return rows.map(({ gross, revenue, ...keys }) => ({
    ...keys,
    grossMicros: BigInt(gross),
    revenueMicros: BigInt(revenue),
  }));
}

/** The accounts of apps and campaigns, by their ids. */
export interface Owners {
  publishers: ReadonlyMap<number, number>;
  advertisers: ReadonlyMap<number, number>;
}

/** Made-up figures of a sample app are nobody's money. */
const IS_REAL = {
  apps: "(NOT t.demo OR EXISTS (SELECT FROM accounts a WHERE a.id = t.account_id AND a.demo))",
  campaigns: "true",
} as const;

/** Who owns what was sold; deleted apps and campaigns have owners too. */
export async function ownersOf(db: Pool | PoolClient, sales: readonly Sale[]): Promise<Owners> {
  const ownersIn = async (table: keyof typeof IS_REAL, ids: readonly number[]): Promise<Map<number, number>> => {
    const { rows } = await db.query<{ id: number; accountId: number }>(
      `SELECT t.id, t.account_id AS "accountId" FROM ${table} t WHERE t.id = ANY($1) AND ${IS_REAL[table]}`,
      [[...new Set(ids)]],
    );
    return new Map(rows.map(({ id, accountId }) => [id, accountId]));
  };
  return {
    publishers: await ownersIn(
      "apps",
      sales.map(({ appId }) => appId),
    ),
    advertisers: await ownersIn(
      "campaigns",
      sales.map(({ campaignId }) => campaignId),
    ),
  };
}

/** The sales of all but sample apps. */
export async function realSales(db: Pool | PoolClient, sales: readonly Sale[]): Promise<Sale[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT t.id FROM apps t WHERE t.id = ANY($1) AND NOT ${IS_REAL.apps}`,
    [[...new Set(sales.map(({ appId }) => appId))]],
  );
  const samples = new Set(rows.map(({ id }) => id));
  return sales.filter(({ appId }) => !samples.has(appId));
}
