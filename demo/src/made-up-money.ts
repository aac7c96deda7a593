import type { Pool, PoolClient } from "pg";

/** Made-up money that other accounts received from the demo. It must not be spent or paid out. */
export interface MadeUpMoney {
  /** The demo's partners, who pay nobody. */
  partners: string[];
  /** What was bought with demo money: everything that a campaign spent from one UTC day to another. */
  spend: { campaignId: number; since: string; until: string }[];
}

/** Refills with demo money, refills and credits by the demo's admin, and what was taken back of them. */
const DEMO_CREDITS = `
  SELECT p.id, l.account_id, p.on_day, -l.amount_micros AS micros
  FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id AND l.book = 'campaign_balance'
  WHERE p.kind IN ('refill', 'refill_taken_back') AND split_part(p.reference, ' ', 2) IN (
    SELECT details->>'key' FROM audit_log WHERE action = 'demo_money_added'
    UNION ALL SELECT split_part(r.reference, ' ', 2) FROM ledger_postings r JOIN users u ON u.id = r.actor_user_id AND u.demo
      WHERE r.kind = 'refill')
  OR p.kind = 'advertiser_credit' AND p.actor_user_id IN (SELECT id FROM users WHERE demo)`;

/** An account spends its demo money first, whole days at a time, so that no part of it is left with a publisher. */
const SPEND = `
  WITH money AS (
    SELECT account_id, sum(micros) AS micros, min(on_day) AS since FROM (${DEMO_CREDITS}) r GROUP BY account_id
  ), days AS (
    SELECT b.account_id, d.day, sum(d.spent_micros) AS micros
    FROM campaign_days d JOIN campaign_budgets b USING (campaign_id) JOIN money m USING (account_id)
    WHERE d.day >= m.since GROUP BY b.account_id, d.day
  ), spent AS (
    SELECT account_id, day, sum(micros) OVER (PARTITION BY account_id ORDER BY day) - micros AS before FROM days
  )
  SELECT b.campaign_id AS "campaignId", m.since::text AS since, max(s.day)::text AS until
  FROM money m JOIN spent s USING (account_id) JOIN campaign_budgets b USING (account_id) JOIN accounts a ON a.id = m.account_id
  WHERE s.before < m.micros AND NOT a.demo GROUP BY b.campaign_id, m.since`;

export async function findMadeUpMoney(pool: Pool): Promise<MadeUpMoney> {
  const partners = await pool.query<{ id: string }>("SELECT id FROM partners WHERE demo");
  const { rows: spend } = await pool.query<MadeUpMoney["spend"][number]>(SPEND);
  return { partners: partners.rows.map(({ id }) => id), spend };
}

const ACCRUED = `kind = 'accrual' AND (l.provider = ANY($1) OR EXISTS (SELECT FROM unnest($2::integer[], $3::date[], $4::date[])
  AS s(campaign_id, since, until) WHERE s.campaign_id = l.campaign_id AND p.for_day BETWEEN s.since AND s.until))`;

/**
 * Takes made-up money out of the books, in the client's transaction and with the ledger's triggers disabled: what it was sold for, the
 * publishers' payouts that nobody made, and the advertisers' refills and budgets. The lines of a sale sum to zero, so that real sales of the same
 * day keep theirs. Resolves with the other postings to be deleted, as a whole.
 */
export async function clearMadeUpMoney(client: PoolClient, { partners, spend }: MadeUpMoney): Promise<string[]> {
  const params = [
    partners,
    spend.map(({ campaignId }) => campaignId),
    spend.map(({ since }) => since),
    spend.map(({ until }) => until),
  ];
  const { rows: sold } = await client.query<SaleLine>(
    `DELETE FROM ledger_lines l USING ledger_postings p WHERE p.id = l.posting_id AND ${ACCRUED}
     RETURNING l.posting_id AS posting, l.app_id AS "appId", p.for_day::text AS day`,
    params,
  );
  await clearSpend(client, params.slice(1));
  const deductions = await clearDeductions(client, partners, sold);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM (${DEMO_CREDITS}) r
     UNION SELECT p.id FROM ledger_postings p JOIN users u ON u.id = p.actor_user_id AND u.demo WHERE p.kind IN ('bonus', 'correction')
     UNION SELECT id FROM ledger_postings WHERE kind = 'deduction' AND split_part(reference, ' ', 2) = ANY($5)
     UNION SELECT p.id FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id AND p.kind = 'return'
       JOIN unnest($1::integer[], $2::date[], $3::date[]) AS s(campaign_id, since, until)
       ON s.campaign_id = l.campaign_id AND p.for_day BETWEEN s.since AND s.until
     UNION SELECT p.id FROM ledger_postings p WHERE p.id = ANY($4) AND NOT EXISTS (SELECT FROM ledger_lines l WHERE l.posting_id = p.id)`,
    [...params.slice(1), sold.map(({ posting }) => posting), deductions],
  );
  return [...rows.map(({ id }) => id), ...(await clearPayouts(client))];
}

/** A line of a sale that is deleted. */
interface SaleLine {
  posting: string;
  appId: number | null;
  day: string;
}

/**
 * Deletes the deductions from payments of the demo's partners, and those of days that now earn less than was deducted.
 * Resolves with their uuids.
 */
async function clearDeductions(
  client: PoolClient,
  partners: readonly string[],
  sold: readonly SaleLine[],
): Promise<string[]> {
  const { rows } = await client.query<{ uuid: string }>(
    `DELETE FROM deductions x WHERE x.provider = ANY($1) OR (x.app_id, x.day) IN (SELECT * FROM unnest($2::integer[], $3::date[]))
       AND (SELECT sum(d.amount_micros) FROM deductions d WHERE d.app_id = x.app_id AND d.day = x.day
            AND d.state <> 'reversed' AND NOT d.provider = ANY($1) AND x.provider IN ('', d.provider))
         > (SELECT coalesce(-sum(l.amount_micros), 0) FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
            WHERE p.kind = 'accrual' AND p.for_day = x.day AND l.app_id = x.app_id AND l.book = 'publisher_balance'
            AND x.provider IN ('', l.provider))
     RETURNING x.uuid`,
    [partners, sold.map(({ appId }) => appId), sold.map(({ day }) => day)],
  );
  return rows.map(({ uuid }) => uuid);
}

/** Removes what demo money bought from the campaigns' spending, and the budget held for ads that it paid for. */
async function clearSpend(client: PoolClient, spend: unknown[]): Promise<void> {
  await client.query(
    `WITH gone AS (
       DELETE FROM campaign_days d USING unnest($1::integer[], $2::date[], $3::date[]) AS s(campaign_id, since, until)
       WHERE s.campaign_id = d.campaign_id AND d.day BETWEEN s.since AND s.until RETURNING d.campaign_id, d.spent_micros
     ), leases AS (
       DELETE FROM budget_leases WHERE campaign_id = ANY($1)
     ), campaigns AS (
       UPDATE campaign_budgets b SET leased_micros = 0,
         spent_micros = spent_micros - coalesce((SELECT sum(g.spent_micros) FROM gone g WHERE g.campaign_id = b.campaign_id), 0)
       WHERE b.campaign_id = ANY($1)
     )
     UPDATE account_budgets a SET leased_micros = 0, spent_micros = a.spent_micros - g.micros
     FROM (SELECT b.account_id, sum(g.spent_micros) AS micros FROM gone g JOIN campaign_budgets b USING (campaign_id) GROUP BY b.account_id) g
     WHERE g.account_id = a.account_id`,
    spend,
  );
}

/**
 * Payouts that nobody has made: a demo's payments settle by themselves. Those by hand are made by an admin, who has been shown where the
 * money goes. What is left of the publishers' earnings is paid by the next run. Resolves with their postings.
 */
async function clearPayouts(client: PoolClient): Promise<string[]> {
  const { rows: payouts } = await client.query<{ id: string }>(
    // Where there was no demo, nobody's payout is touched.
    `SELECT p.id FROM payouts p WHERE EXISTS (SELECT FROM users WHERE demo) AND p.provider = 'sandbox' AND p.state <> 'rejected' AND NOT EXISTS (
       SELECT FROM audit_log l LEFT JOIN users u ON u.id = l.actor_user_id
       WHERE l.action IN ('payout_details_shown', 'payout_settled') AND l.subject = p.id::text AND u.demo IS NOT TRUE)`,
  );
  const ids = payouts.map(({ id }) => id);
  await clearInvoices(client, "payout_id = ANY($1::uuid[])", ids);
  await client.query("DELETE FROM sandbox_payments WHERE payout_id = ANY($1::uuid[])", [ids]);
  await client.query("DELETE FROM payouts WHERE id = ANY($1::uuid[])", [ids]);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM ledger_postings WHERE kind IN ('payout', 'payout_sent', 'payout_returned') AND split_part(reference, ' ', 2) = ANY($1)`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Deletes documents, and the credit notes that cancel them, with their trigger disabled. */
export async function clearInvoices(
  client: PoolClient,
  which: string,
  ids: readonly (string | number)[],
): Promise<void> {
  await client.query(
    `WITH gone AS (SELECT id FROM invoices WHERE ${which}) DELETE FROM invoices WHERE id IN (SELECT id FROM gone) OR credits IN (SELECT id FROM gone)`,
    [ids],
  );
}
