import { dayOf } from "@millrace/units";
import type { PoolClient } from "pg";

/** What a campaign spent on a UTC day, in micro-dollars. */
interface DaySpent {
  campaignId: number;
  day: string;
  micros: number;
}

/**
 * Books what a campaign spent before this platform sold its ads, as the demo's history does, up to a moment of its last day.
 * Once a campaign has spent on an earlier day, repeating it does nothing. Call it in a transaction.
 */
export async function recordPastSpend(client: PoolClient, spent: readonly DaySpent[], until: Date): Promise<void> {
  const campaignIds = [...new Set(spent.map(({ campaignId }) => campaignId))];
  const insert = (table: string, columns: string) =>
    client.query(
      `INSERT INTO ${table} (${columns}) SELECT DISTINCT ${columns.replace("campaign_id", "id")} FROM campaigns
      WHERE id = ANY($1) ON CONFLICT DO NOTHING`,
      [campaignIds],
    );
  await insert("account_budgets", "account_id");
  await client.query("SELECT lock_budgets($1)", [campaignIds]);
  await insert("campaign_budgets", "campaign_id, account_id");
  const { rows } = await client.query<{ id: number }>(
    "SELECT DISTINCT campaign_id AS id FROM campaign_days WHERE campaign_id = ANY($1) AND day < $2",
    [campaignIds, dayOf(until.getTime())],
  );
  const booked = new Set(rows.map(({ id }) => id));
  const missing = spent.filter(({ campaignId }) => !booked.has(campaignId));
  await client.query(
    `WITH past AS (SELECT * FROM unnest($1::integer[], $2::date[], $3::bigint[]) AS p(campaign_id, day, micros)),
     days AS (
       INSERT INTO campaign_days (campaign_id, day, spent_micros) SELECT * FROM past
       ON CONFLICT (campaign_id, day) DO UPDATE SET spent_micros = campaign_days.spent_micros + excluded.spent_micros
     ), campaigns AS (
       UPDATE campaign_budgets b SET spent_micros = b.spent_micros + p.micros
       FROM (SELECT campaign_id, sum(micros) AS micros FROM past GROUP BY campaign_id) p
       WHERE b.campaign_id = p.campaign_id
     )
     UPDATE account_budgets a SET spent_micros = a.spent_micros + p.micros
     FROM (SELECT b.account_id, sum(past.micros) AS micros FROM past JOIN campaign_budgets b USING (campaign_id)
       GROUP BY b.account_id) p
     WHERE a.account_id = p.account_id`,
    [missing.map((one) => one.campaignId), missing.map(({ day }) => day), missing.map(({ micros }) => micros)],
  );
}
