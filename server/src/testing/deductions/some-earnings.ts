import { randomUUID } from "node:crypto";
import type { Pool } from "pg";

/** What an app earned on a UTC day from a provider, in micro-dollars. */
interface Earning {
  accountId: number;
  appId: number;
  day: string;
  provider: string;
  revenueMicros: number;
  /** Whose campaigns paid it; a partner if left out. */
  advertiserId?: number;
}

/** An app of an account. */
export async function newApp(pool: Pool, accountId: number, name = "Tide"): Promise<{ id: number; uuid: string }> {
  const { rows } = await pool.query<{ id: number; uuid: string }>(
    "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, $2, $3, 'ios') RETURNING id, uuid",
    [accountId, name, randomUUID()],
  );
  const [app] = rows;
  if (!app) throw new Error("an insert gives its row back");
  return app;
}

/** Books earnings as the accrual of their day does, without a fee. */
export async function earn(pool: Pool, earning: Earning): Promise<void> {
  const { accountId, appId, day, provider, revenueMicros, advertiserId = null } = earning;
  await pool.query(
    `WITH posting AS (
       INSERT INTO ledger_postings (reference, kind, at, on_day, for_day) VALUES ($1, 'accrual', now(), $2, $2) RETURNING id
     )
     INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros, app_id, provider)
     SELECT posting.id, line, book, account_id, micros, $4, $5 FROM posting, (VALUES
       (0, CASE WHEN $7::integer IS NULL THEN 'partner_receivable' ELSE 'campaign_costs' END, $7, $6::bigint), (1, 'publisher_balance', $3::integer, -$6::bigint)
     ) AS l(line, book, account_id, micros)`,
    [`earned ${randomUUID()}`, day, accountId, appId, provider, revenueMicros, advertiserId],
  );
}
