import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool, PoolClient } from "pg";
import { clearMadeUpEvents } from "./clear-made-up-events.ts";
import { MARKS_TABLE } from "./history/fill-history.ts";
import { type MadeUpMoney, clearInvoices, clearMadeUpMoney, findMadeUpMoney } from "./made-up-money.ts";

/**
 * Removes the demo from both stores, and what it gave to other accounts: demo money, what was bought with it, and what the demo's
 * partners paid. Rollups do not say which rows are demo, so rows are deleted by app: the apps that are
 * marked as demo or belong to a demo account. Returns their number, and the stored files that no account has any more. If
 * interrupted, call it again: PostgreSQL, which lists the apps, is cleared last. No platform may run on the stores meanwhile.
 */
export async function clearDemo({
  pool,
  write,
}: {
  pool: Pool;
  write: ClickHouseClient;
}): Promise<{ apps: number; files: string[] }> {
  const { rows } = await pool.query<{ id: number }>(
    "SELECT a.id FROM apps a JOIN accounts o ON o.id = a.account_id WHERE a.demo OR o.demo",
  );
  const appIds = rows.map(({ id }) => id);
  const campaigns = await pool.query<{ id: number }>(
    `SELECT c.id FROM (SELECT id, account_id FROM campaigns UNION ALL SELECT id, account_id FROM inhouse_campaigns) c
     JOIN accounts a ON a.id = c.account_id WHERE a.demo`,
  );
  await clearRowsOf(write, appIds);
  await clearRowsOf(
    write,
    campaigns.rows.map(({ id }) => id),
    "campaign_id",
  );
  const madeUp = await findMadeUpMoney(pool);
  await clearMadeUpEvents(write, madeUp);
  await write.command({ query: `DROP TABLE IF EXISTS ${MARKS_TABLE}` });
  // The numbers of the remaining documents are stored again; the demo's numbers may be reissued.
  await write.command({ query: "TRUNCATE TABLE invoice_numbers" });
  return { apps: appIds.length, files: await clearRelational(pool, appIds, madeUp) };
}

/** Deletes the rows of apps or campaigns from every table with a column of their ids, including tables of later versions. */
export async function clearRowsOf(
  write: ClickHouseClient,
  ids: readonly number[],
  column: "app_id" | "campaign_id" = "app_id",
): Promise<void> {
  if (ids.length === 0) return;
  const found = await write.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
      AND name IN (SELECT table FROM system.columns WHERE database = currentDatabase() AND name = {column:String}) ORDER BY name`,
    query_params: { column },
    format: "JSONEachRow",
  });
  for (const { name } of await found.json<{ name: string }>()) {
    await write.command({
      // Waits for the mutation, so that the rows are gone when this returns.
      query: `ALTER TABLE \`${name}\` DELETE WHERE ${column} IN (${ids.join(", ")}) SETTINGS mutations_sync = 2`,
    });
  }
}

/** The postings that concern a demo account, app or partner. If they also booked something for a real account, it is booked again from the events. */
async function postingsOfDemo(client: PoolClient, appIds: readonly number[]): Promise<string[]> {
  const { rows } = await client.query<{ posting_id: string }>(
    `SELECT l.posting_id FROM ledger_lines l LEFT JOIN accounts a ON a.id = l.account_id GROUP BY l.posting_id
     HAVING bool_or(a.demo)
     UNION SELECT l.posting_id FROM ledger_lines l JOIN ledger_postings g ON g.id = l.posting_id AND g.kind = 'statement'
       WHERE l.app_id = ANY($1) OR l.provider IN (SELECT id FROM partners WHERE demo)`,
    [appIds],
  );
  return rows.map((row) => row.posting_id);
}

const APPEND_ONLY = ["ledger_lines", "ledger_postings", "invoices"];

/**
 * Deletes the demo's postings from the ledger (whole postings, so that it stays balanced), made-up money, and the documents
 * of both. A series of documents that is now empty starts over. The triggers that keep the tables append-only are disabled
 * within this transaction only.
 */
async function clearBooks(client: PoolClient, appIds: readonly number[], madeUp: MadeUpMoney): Promise<void> {
  const demo = "SELECT id FROM accounts WHERE demo";
  for (const table of APPEND_ONLY) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_are_append_only`);
  const postingIds = [...(await postingsOfDemo(client, appIds)), ...(await clearMadeUpMoney(client, madeUp))];
  await client.query(`DELETE FROM invoices WHERE account_id IN (${demo})`);
  await clearInvoices(client, "posting_id = ANY($1::bigint[])", postingIds);
  await client.query("DELETE FROM ledger_lines WHERE posting_id = ANY($1::bigint[])", [postingIds]);
  await client.query("DELETE FROM ledger_postings WHERE id = ANY($1::bigint[])", [postingIds]);
  for (const table of APPEND_ONLY) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${table}_are_append_only`);
  await client.query(
    "DELETE FROM invoice_numbers n WHERE NOT EXISTS (SELECT FROM invoices i WHERE i.series = n.series AND i.year = n.year)",
  );
  await client.query(`DELETE FROM billing_details WHERE account_id IN (${demo})`);
}

/** What the demo's campaigns have spent. */
async function clearBudgets(client: PoolClient): Promise<void> {
  const demo = "(SELECT b.campaign_id FROM campaign_budgets b JOIN accounts a ON a.id = b.account_id WHERE a.demo)";
  for (const table of ["budget_leases", "campaign_days", "campaign_budgets"])
    await client.query(`DELETE FROM ${table} WHERE campaign_id IN ${demo}`);
  await client.query("DELETE FROM account_budgets b USING accounts a WHERE a.id = b.account_id AND a.demo");
}

/** Deletes the demo's payouts, payees and payment details, and the results of comparing the books. */
async function clearPayouts(client: PoolClient): Promise<void> {
  const demo = "SELECT id FROM accounts WHERE demo";
  await client.query(
    `DELETE FROM sandbox_payments s USING payouts p WHERE p.id = s.payout_id AND p.account_id IN (${demo})`,
  );
  await client.query(
    `DELETE FROM sandbox_payees s USING payees y WHERE y.payee_id = s.payee_id AND y.account_id IN (${demo})`,
  );
  for (const table of ["payouts", "payees", "ledger_drifts"])
    await client.query(`DELETE FROM ${table} WHERE account_id IN (${demo})`);
}

/** Deletes the shares of demo accounts and those that the demo's admin gave to others. Past sales keep their reported revenue. */
async function clearShares(client: PoolClient): Promise<void> {
  await client.query("ALTER TABLE revenue_shares DISABLE TRIGGER revenue_shares_are_append_only");
  await client.query(
    `DELETE FROM revenue_shares s WHERE account_id IN (SELECT id FROM accounts WHERE demo) OR EXISTS (
       SELECT FROM audit_log l JOIN users u ON u.id = l.actor_user_id AND u.demo WHERE l.action = 'share_set'
         AND l.account_id = s.account_id AND l.details->>'from' = s.from_day::text AND l.details->>'share_ppm' = s.share_ppm::text)`,
  );
  await client.query("ALTER TABLE revenue_shares ENABLE TRIGGER revenue_shares_are_append_only");
}

/** Deletes the statements of the demo's partners, and the lines about the demo's apps in any other statement. */
async function clearStatements(client: PoolClient, appIds: readonly number[]): Promise<void> {
  const demo = "SELECT s.id FROM statements s JOIN partners p ON p.id = s.partner_id WHERE p.demo";
  await client.query(`DELETE FROM statement_days WHERE app_id = ANY($1) OR statement_id IN (${demo})`, [appIds]);
  await client.query(`DELETE FROM statements WHERE id IN (${demo})`);
}

async function clearRelational(pool: Pool, appIds: readonly number[], madeUp: MadeUpMoney): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("DELETE FROM deductions WHERE app_id = ANY($1)", [appIds]);
    await clearStatements(client, appIds);
    await client.query("DELETE FROM apps WHERE id = ANY($1)", [appIds]);
    await clearBooks(client, appIds, madeUp);
    await clearShares(client);
    await client.query("DELETE FROM partners WHERE demo");
    await client.query(
      // Also deletes sub-users and managers of demo accounts only. Users with an account of their own stay.
      `DELETE FROM users u WHERE u.demo OR (
         EXISTS (SELECT FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = u.id AND a.demo)
         AND NOT EXISTS (SELECT FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = u.id AND NOT a.demo))`,
    );
    await clearBudgets(client);
    await clearPayouts(client);
    await client.query("DELETE FROM conversions WHERE demo");
    await client.query("DELETE FROM campaigns c USING accounts a WHERE a.id = c.account_id AND a.demo");
    const { rows } = await client.query<{ file: string }>(
      `DELETE FROM uploads u USING accounts a WHERE a.id = u.account_id AND a.demo AND NOT EXISTS (
         SELECT FROM uploads o JOIN accounts b ON b.id = o.account_id WHERE o.file = u.file AND NOT b.demo)
       RETURNING u.file`,
    );
    await client.query("DELETE FROM accounts WHERE demo");
    await client.query("COMMIT");
    return rows.map(({ file }) => file);
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
