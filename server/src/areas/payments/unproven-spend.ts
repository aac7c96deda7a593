import { addDays, dayOf, eachDay } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type Line, bookNew } from "./ledger.ts";

/** Days that an exchange has to bring the events it recorded; by then its money is counted, or it has none to count. */
export const PROVEN_WITHIN_DAYS = 7;
/** Older days have been looked at often enough, unless something was booked of them since then. */
const LOOK_BACK_DAYS = 30;

/**
 * Gives advertisers back what a campaign spent on a day and no impression proves, as an exchange that dies between the two
 * leaves it; and takes that back if the impressions arrive after all. Charges impressions that no campaign has spent for, as those of the days
 * since the copy from which PostgreSQL was restored. Running it again posts nothing. Resolves with the
 * number of postings. Call it after the days' accrual.
 */
export async function returnUnprovenSpend({ pool, clock }: { pool: Pool; clock: Clock }): Promise<number> {
  const at = new Date(clock.now());
  const today = dayOf(at.getTime());
  const range = { ds: addDays(today, -LOOK_BACK_DAYS), de: addDays(today, -PROVEN_WITHIN_DAYS) };
  return inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('unproven spend', 0))");
    const days = [...(await bookedLate(client, range.ds)), ...eachDay(range)];
    const { rows } = await client.query<{
      campaignId: number;
      accountId: number;
      day: string;
      micros: string;
      nth: number;
    }>(
      `WITH spent AS (
         SELECT d.campaign_id, b.account_id, d.day, d.spent_micros AS micros
         FROM campaign_days d JOIN campaign_budgets b USING (campaign_id) WHERE d.day = ANY($1)
       ), booked AS (
         SELECT l.campaign_id, l.account_id, p.for_day AS day, sum(l.amount_micros) AS micros,
                count(DISTINCT p.id) FILTER (WHERE p.kind = 'return') AS returns
         FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
         WHERE p.kind IN ('accrual', 'return') AND p.for_day = ANY($1) AND l.book = 'campaign_costs'
         GROUP BY l.campaign_id, l.account_id, p.for_day
       )
       SELECT campaign_id AS "campaignId", account_id AS "accountId", day::text AS day,
              coalesce(s.micros, 0) - coalesce(b.micros, 0) AS micros, coalesce(b.returns, 0)::integer AS nth
       FROM spent s FULL JOIN booked b USING (campaign_id, account_id, day)
       WHERE coalesce(s.micros, 0) <> coalesce(b.micros, 0)`,
      [days],
    );
    for (const { campaignId, accountId, day, micros, nth } of rows) {
      const cost: Line = { book: "campaign_costs", accountId, campaignId, amountMicros: BigInt(micros) };
      await bookNew(client, {
        reference: `return ${day} campaign ${campaignId} ${nth + 1}`,
        kind: "return",
        reason: BigInt(micros) > 0n ? "Spend that no impression proves" : "Impressions that arrived after all",
        actorUserId: null,
        at,
        forDay: day,
        lines: [cost, { ...cost, book: "campaign_balance", amountMicros: -BigInt(micros) }],
      });
    }
    return rows.length;
  });
}

/** Days before a day of which impressions were booked on it or later, as those of an exchange that was away for long. */
async function bookedLate(client: PoolClient, first: string): Promise<string[]> {
  const { rows } = await client.query<{ day: string }>(
    `SELECT DISTINCT for_day::text AS day FROM ledger_postings
     WHERE kind = 'accrual' AND for_day < $1 AND (at AT TIME ZONE 'UTC')::date >= $1`,
    [first],
  );
  return rows.map(({ day }) => day);
}
