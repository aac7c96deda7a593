import { type FinanceReport, type Platform, type ReportQuery, narrowed } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import type { PostingKind } from "./ledger.ts";
import { lastBookedDay } from "./read-books.ts";
import { type Movement, type ReportPart, reportOf } from "./report-days.ts";

export interface ReportDeps {
  pool: Pool;
  /** Labels of the providers by id. */
  providerNames(): Promise<ReadonlyMap<string, string>>;
}

/** Where each kind of posting is in the report; accruals, and deductions that name a provider, are looked at one by one. */
const PART_OF = {
  accrual: "credit",
  bonus: "bonuses",
  correction: "corrections",
  deduction: "corrections",
  payout: "cash_out",
  payout_returned: "cash_out",
  payout_sent: "cash_out",
  // Of partners' and advertisers' balances.
  statement: "corrections",
  refill: "corrections",
  refill_taken_back: "corrections",
  advertiser_credit: "corrections",
  return: "corrections",
} as const satisfies Record<PostingKind, ReportPart>;

/** The reason of a difference that has none, as it is the first accrual of its day. */
const LATE = "Booked after its month was closed";
const NO_APP = "Not of one app";

/** `$1` is the account, `$2` and `$3` are providers and apps to which the report is narrowed down, or null. */
const LINES = `ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
  WHERE l.account_id = $1 AND l.book = 'publisher_balance'
    AND ($2::text[] IS NULL OR l.provider = ANY($2)) AND ($3::bigint[] IS NULL OR l.app_id = ANY($3))`;
const IN_RANGE = "p.on_day BETWEEN $4 AND $5";

/**
 * An accrual is the day's revenue if it is the day's first, whose reference ends in 1, and booked on that day. Whatever
 * comes later, or takes money, corrects it.
 */
const IS_FIRST = "(p.reference LIKE '% 1' AND p.on_day IS NOT DISTINCT FROM p.for_day AND l.amount_micros < 0)";
const IS_OF_PROVIDER = `(p.kind = 'accrual' AND NOT ${IS_FIRST} OR p.kind = 'deduction' AND l.provider <> '')`;
const HAS_REASON = `(${IS_OF_PROVIDER} OR p.kind NOT IN ('accrual', 'payout', 'payout_sent', 'payout_returned'))`;

/** What moved a publisher's balance in a range of days, from the ledger alone. */
export async function readFinanceReport(
  { pool, providerNames }: ReportDeps,
  accountId: number,
  { ds, de, provider, app_id }: ReportQuery,
): Promise<FinanceReport> {
  const [providers, apps] = [narrowed(provider), narrowed(app_id)];
  const isWhole = providers === null && apps === null;
  const filter = [accountId, providers, apps];
  const names = await providerNames();
  const nameOf = (id: string) => names.get(id) ?? id;
  return inTransaction(pool, async (client) => {
    // One snapshot: a posting that is booked between two queries would be in one of them only.
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    const opening = isWhole ? await balanceBefore(client, filter, ds) : null;
    const movements = await movementsOf(client, [...filter, ds, de]);
    return {
      ds,
      de,
      ...(await revenueOf(client, [...filter, ds, de], nameOf)),
      ...reportOf(movements, opening, nameOf),
      booked_until: await lastBookedDay(client),
    };
  });
}

async function balanceBefore(client: PoolClient, filter: readonly unknown[], ds: string): Promise<bigint> {
  const { rows } = await client.query<{ micros: string }>(
    `SELECT coalesce(-sum(l.amount_micros), 0) AS micros FROM ${LINES} AND p.on_day < $4`,
    [...filter, ds],
  );
  return BigInt(rows[0]?.micros ?? 0);
}

/** A row for each day and reason, in the order of booking. */
async function movementsOf(client: PoolClient, filter: readonly unknown[]): Promise<Movement[]> {
  const { rows } = await client.query<
    Pick<Movement, "date" | "provider" | "day"> & {
      kind: PostingKind;
      isOfProvider: boolean;
      reason: string;
      micros: string;
    }
  >(
    `SELECT p.on_day::text AS date, p.kind, ${IS_OF_PROVIDER} AS "isOfProvider",
            CASE WHEN ${IS_OF_PROVIDER} THEN l.provider ELSE '' END AS provider,
            CASE WHEN ${IS_OF_PROVIDER} THEN p.for_day::text END AS day,
            CASE WHEN ${HAS_REASON} THEN p.reason ELSE '' END AS reason, -sum(l.amount_micros) AS micros
     FROM ${LINES} AND ${IN_RANGE} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, min(p.id), min(l.line)`,
    [...filter],
  );
  return rows.map(({ date, kind, isOfProvider, provider, day, reason, micros }) => ({
    date,
    part: isOfProvider ? "provider_corrections" : PART_OF[kind],
    provider,
    day,
    reason: isOfProvider && reason === "" ? LATE : reason,
    micros: BigInt(micros),
  }));
}

/** Revenue with its corrections by provider and by app, the largest first. */
async function revenueOf(
  client: PoolClient,
  filter: readonly unknown[],
  nameOf: (provider: string) => string,
): Promise<Pick<FinanceReport, "providers" | "adtoapp_apps">> {
  const { rows } = await client.query<{
    provider: string | null;
    appId: number | null;
    uuid: string | null;
    name: string | null;
    platform: Platform | null;
    isDeleted: boolean;
    revenue: string;
  }>(
    `SELECT s.provider, s.app_id AS "appId", a.uuid, a.name, a.platform, a.deleted_at IS NOT NULL AS "isDeleted", s.revenue
     FROM (
       SELECT l.provider, l.app_id, -sum(l.amount_micros) AS revenue FROM ${LINES} AND ${IN_RANGE}
         AND (p.kind = 'accrual' OR ${IS_OF_PROVIDER})
       GROUP BY GROUPING SETS ((l.provider), (l.app_id))
     ) s LEFT JOIN apps a ON a.id = s.app_id
     ORDER BY s.revenue DESC, s.provider, s.app_id`,
    [...filter],
  );
  return {
    providers: rows.flatMap(({ provider, revenue }) =>
      provider === null ? [] : [{ provider, name: nameOf(provider), revenue: Number(revenue) }],
    ),
    adtoapp_apps: rows.flatMap(({ provider, appId, uuid, name, platform, isDeleted, revenue }) =>
      provider === null
        ? [
            {
              app_id: appId,
              uuid: isDeleted ? null : uuid,
              name: name ?? (appId === null ? NO_APP : `App ${appId}`),
              platform,
              revenue: Number(revenue),
            },
          ]
        : [],
    ),
  };
}
