import type { CampaignFunds } from "@millrace/contract";
import { DAY_MS, addDays, dayOf, dayStartMs } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";

/** How long a balance lasts is predicted from the spend of this many UTC days, of which the last is today so far. */
export const SPEND_DAYS = 7;

/** What an advertiser has, and what was spent in the last `SPEND_DAYS` days and today, in micro-dollars. */
interface Funds {
  accountId: number;
  balanceMicros: number;
  spentMicros: number;
  spentTodayMicros: number;
  /** How many days it took to spend this: today counts as far as it has gone, and an advertiser's first day as a whole one. */
  days: number;
  /** The first day with any spend, if it is later than the first of the `SPEND_DAYS`; otherwise missing. */
  since?: string;
}

/** How many days a balance lasts at the recent spend; null without spend. */
export const daysLeftOf = (balanceMicros: number, spentMicros: number, days: number): number | null =>
  spentMicros <= 0 ? null : (Math.max(0, balanceMicros) * days) / spentMicros;

const IS_SPEND = "l.amount_micros > 0 AND p.kind NOT IN ('refill_taken_back', 'advertiser_credit', 'return')";

/** `$1` are the accounts, `$2` the moment from which debits count, `$3` today. Spend is what campaigns spent and the debits
 * that are no refill or credit taken back, and no money given back for an older day that its impressions have claimed again. */
const FUNDS = `
  SELECT a.id AS "accountId", coalesce(l.balance, 0) - coalesce(b.spent_micros, 0) AS balance,
         coalesce(l.debits, 0) + coalesce(s.spent, 0) AS spent, coalesce(s.today, 0) AS today,
         least((l.first AT TIME ZONE 'UTC')::date, f.day)::text AS "firstDay"
  FROM accounts a LEFT JOIN account_budgets b ON b.account_id = a.id
  LEFT JOIN LATERAL (
    SELECT -sum(l.amount_micros) AS balance,
           sum(l.amount_micros) FILTER (WHERE ${IS_SPEND} AND p.at >= $2) AS debits,
           min(p.at) FILTER (WHERE ${IS_SPEND}) AS first
    FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
    WHERE l.account_id = a.id AND l.book = 'campaign_balance'
  ) l ON true
  LEFT JOIN LATERAL (
    SELECT sum(d.spent_micros) AS spent, sum(d.spent_micros) FILTER (WHERE d.day = $3) AS today
    FROM campaign_budgets c JOIN campaign_days d USING (campaign_id)
    WHERE c.account_id = a.id AND d.day > $3::date - ${SPEND_DAYS}
  ) s ON true
  LEFT JOIN LATERAL (
    SELECT min(d.day) AS day FROM campaign_budgets c JOIN campaign_days d USING (campaign_id)
    WHERE c.account_id = a.id AND d.spent_micros > 0
  ) f ON true
  WHERE a.id = ANY($1)`;

/** What advertisers have and how fast it goes. */
export async function fundsOf(pool: Pool, clock: Clock, accountIds: readonly number[]): Promise<Funds[]> {
  const at = clock.now();
  const sinceMs = dayStartMs(addDays(dayOf(at), 1 - SPEND_DAYS));
  type Row = { accountId: number; firstDay: string | null } & Record<"balance" | "spent" | "today", string>;
  const { rows } = await pool.query<Row>(FUNDS, [accountIds, new Date(sinceMs), dayOf(at)]);
  return rows.map(({ accountId, balance, spent, today, firstDay }) => {
    const firstMs = firstDay === null ? sinceMs : dayStartMs(firstDay);
    const isNew = firstDay !== null && firstMs > sinceMs;
    return {
      accountId,
      balanceMicros: Number(balance),
      spentMicros: Number(spent),
      spentTodayMicros: Number(today),
      // Days before the first would make what is spent since look like less.
      days: isNew ? Math.max(1, (at - firstMs) / DAY_MS) : (at - sinceMs) / DAY_MS,
      ...(isNew && { since: firstDay }),
    };
  });
}

/** An advertiser's balance, its spend, and how long it lasts. */
export async function readCampaignFunds(
  { pool, clock }: { pool: Pool; clock: Clock },
  accountId: number,
): Promise<CampaignFunds> {
  const [funds] = await fundsOf(pool, clock, [accountId]);
  const { balanceMicros = 0, spentMicros = 0, spentTodayMicros = 0, days = SPEND_DAYS, since } = funds ?? {};
  return {
    balance: balanceMicros,
    spent_today: spentTodayMicros,
    daily_spend: Math.round(spentMicros / days),
    days_left: daysLeftOf(balanceMicros, spentMicros, days),
    ...(since !== undefined && { since }),
  };
}
