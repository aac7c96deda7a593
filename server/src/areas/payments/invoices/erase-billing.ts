import type { InvoiceBlock } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { noDocument, readDue, rulingOn } from "./due-documents.ts";
import { TAKEN_BACK } from "../take-back-refill.ts";
import type { Issuer } from "./issuer.ts";

/**
 * Erases who a deleted account was, in the client's transaction. Its documents stay, as the law demands; while one may still follow,
 * so do its details, until `eraseServed` finds that none does.
 */
export async function eraseBilling(client: PoolClient, accountId: number): Promise<void> {
  await client.query(
    `DELETE FROM billing_details b WHERE b.account_id = $1
       AND NOT EXISTS (SELECT FROM payouts o WHERE o.account_id = b.account_id AND o.state <> 'rejected' AND ${noDocument("payout_id", "o.id")})
       AND NOT EXISTS (
         SELECT FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
         WHERE l.account_id = b.account_id AND l.book = 'campaign_balance' AND p.kind = 'refill'
           AND -l.amount_micros > ${TAKEN_BACK} AND ${noDocument("posting_id", "p.id")})`,
    [accountId],
  );
}

/** What only the account could have removed: nobody does once it is deleted. */
const FOR_GOOD: ReadonlySet<InvoiceBlock> = new Set([
  "no_self_billing",
  "agreed_later",
  "vat_id_missing",
  "domestic_publisher",
]);

/** Erases who deleted accounts were, once no document of them follows any more. Without an issuer none ever does. */
export async function eraseServed(pool: Pool, issuer: Issuer | null): Promise<void> {
  // First what is on its way: a payout that is paid meanwhile is due afterwards.
  const { rows } = await pool.query<{ accountId: number; isPaying: boolean }>(
    `SELECT b.account_id AS "accountId", b.self_billing_since IS NOT NULL AND EXISTS (
       SELECT FROM payouts o WHERE o.account_id = b.account_id AND o.state IN ('due', 'sending', 'sent')) AS "isPaying"
     FROM billing_details b JOIN accounts a ON a.id = b.account_id WHERE a.deleted_at IS NOT NULL`,
  );
  if (rows.length === 0) return;
  const waiting = new Set<number>();
  if (issuer !== null)
    for (const due of await readDue(pool, issuer.from, { withDetails: true })) {
      const ruling = rulingOn(due, issuer);
      if (!("block" in ruling && FOR_GOOD.has(ruling.block))) waiting.add(due.accountId);
    }
  const served = rows.filter(({ accountId, isPaying }) => issuer === null || !(isPaying || waiting.has(accountId)));
  await pool.query("DELETE FROM billing_details WHERE account_id = ANY($1)", [served.map((one) => one.accountId)]);
}
