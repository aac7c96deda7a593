import { dayOf } from "@millrace/units";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { CENT } from "../ledger.ts";
import type { Source } from "./due-documents.ts";
import { type IssueDeps, carriedBy, issueDocument } from "./issue-documents.ts";
import type { Issuer } from "./issuer.ts";
import { type NewDocument, storeDocument } from "./store-document.ts";

type Kept = Pick<
  NewDocument,
  "kind" | "series" | "accountId" | "suppliedOn" | "treatment" | "vatCountry" | "rateBasisPoints" | "platform" | "party"
> & {
  id: string;
  postingId: string | null;
  payoutId: string | null;
  amount: string;
  net: string;
  vat: string;
  isCredited: boolean;
};

/**
 * Cancels a document as an admin by a credit note of the same amounts and the same day of supply, so that a month of which VAT was declared
 * keeps its sums, and issues it anew if today's billing details allow it; if not, that follows once they do. Problem `not_found` for an
 * unknown document, `conflict` for a credit note and for what is cancelled already.
 */
export async function creditByHand(
  deps: IssueDeps,
  by: By,
  issuer: Issuer,
  { uuid, reason }: { uuid: string; reason: string },
): Promise<{ credit_note: string; invoice: string | null }> {
  return inTransaction(deps.pool, async (client) => {
    const kept = await lockDocument(client, uuid);
    const creditNote = await credit(deps, client, issuer, { kept, reason, at: new Date(deps.clock.now()) });
    await recordAct({ pool: client, clock: deps.clock }, by, {
      action: "invoice_credited",
      subject: uuid,
      accountId: kept.accountId,
      details: { reason, creditNote },
    });
    const invoice = await issueDocument({ ...deps, demo: false }, client, issuer, { ...kept, source: sourceOf(kept) });
    return { credit_note: creditNote, invoice };
  });
}

/** Cancels the documents of payouts whose money has come back. What it paid is paid, and invoiced, with a later one. */
export async function creditReturned(deps: IssueDeps, issuer: Issuer): Promise<void> {
  const { rows } = await deps.pool.query<{ uuid: string; at: Date }>(
    `SELECT i.uuid, o.changed_at AS at FROM invoices i JOIN payouts o ON o.id = i.payout_id
     WHERE o.state = 'rejected' AND NOT EXISTS (SELECT FROM invoices c WHERE c.credits = i.id) ORDER BY o.changed_at, i.id`,
  );
  for (const { uuid, at } of rows)
    await inTransaction(deps.pool, async (client) => {
      const kept = await lockDocument(client, uuid);
      // Another process was faster.
      if (kept.isCredited) return;
      const reason = "The payment came back and is on the balance again";
      const creditedAt = deps.demo ? at : new Date(deps.clock.now());
      // The supply was paid until then, so the month of the return is the one that changes.
      const returned = { ...kept, suppliedOn: dayOf(creditedAt.getTime()) };
      await credit(deps, client, issuer, { kept: returned, reason, at: creditedAt });
    });
}

const sourceOf = ({ postingId, payoutId }: Kept): Source =>
  postingId === null ? { postingId, payoutId: payoutId ?? "" } : { postingId, payoutId: null };

/** Locks what documents lock, in their order. */
async function lockDocument(client: PoolClient, uuid: string): Promise<Kept> {
  await client.query("SELECT FROM payouts WHERE id = (SELECT payout_id FROM invoices WHERE uuid = $1) FOR UPDATE", [
    uuid,
  ]);
  await client.query(
    "SELECT FROM accounts WHERE id = (SELECT account_id FROM invoices WHERE uuid = $1) FOR NO KEY UPDATE",
    [uuid],
  );
  const { rows } = await client.query<Kept>(
    `SELECT i.id, i.kind, i.series, i.account_id AS "accountId", i.supplied_on::text AS "suppliedOn", i.posting_id AS "postingId",
       i.payout_id AS "payoutId", i.treatment, i.vat_country AS "vatCountry", i.rate_basis_points AS "rateBasisPoints", i.platform, i.party, i.amount_micros AS amount,
       i.net_cents AS net, i.vat_cents AS vat, EXISTS (SELECT FROM invoices c WHERE c.credits = i.id) AS "isCredited"
     FROM invoices i WHERE i.uuid = $1`,
    [uuid],
  );
  if (!rows[0]) throw new Problem("not_found", "There is no such invoice");
  return rows[0];
}

async function credit(
  deps: IssueDeps,
  client: PoolClient,
  issuer: Issuer,
  { kept, reason, at }: { kept: Kept; reason: string; at: Date },
): Promise<string> {
  if (kept.series === "credit_note") throw new Problem("conflict", "A credit note cannot be cancelled");
  if (kept.isCredited) throw new Problem("conflict", "This document is cancelled already");
  const { id: credits, kind, accountId, amount, net, vat, ...same } = kept;
  const amountMicros = -BigInt(amount);
  const netCents = -BigInt(net);
  const carriedInMicros = await carriedBy(client, accountId, kind);
  const { id, number } = await storeDocument(client, issuer.prefix, {
    ...same,
    kind,
    accountId,
    series: "credit_note",
    postingId: null,
    payoutId: null,
    credits,
    edition: 1,
    reason,
    issuedAt: at,
    dueOn: null,
    amountMicros,
    carriedInMicros,
    carriedOutMicros: amountMicros + carriedInMicros - netCents * CENT,
    netCents,
    vatCents: -BigInt(vat),
  });
  await deps.onIssued(client, { id, issuedAt: at });
  return number;
}
