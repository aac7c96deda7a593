import type { InvoiceBlock } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { ownerColumn } from "../../../platform/postgres/account-owner.ts";
import { TAKEN_BACK } from "../take-back-refill.ts";
import type { Issuer, Party } from "./issuer.ts";
import { type Vat, vatOnPurchase, vatOnSale } from "./vat-rules.ts";

/** What a document is about: a refill's posting, or a payout. */
export type Source = { postingId: string; payoutId: null } | { postingId: null; payoutId: string };

/** A refill or a payout without a document that holds. */
export interface DueDocument {
  source: Source;
  kind: "invoice" | "self_billed";
  accountId: number;
  /** The UTC day of supply: of the refill, or the last one of the month that was paid. */
  day: string;
  /** When it was booked, or paid. */
  at: Date;
  amountMicros: bigint;
  /** Null until the account has entered its billing details. */
  party: Party | null;
  selfBilling: SelfBilling;
  /** The owner's; null if the account is deleted. */
  email: string | null;
}

/** Whether the platform may issue what the account would invoice. What was paid before the account agreed stays its own to invoice. */
type SelfBilling = "agreed" | "agreed_later" | "not_agreed";

interface Row extends Omit<DueDocument, "source" | "amountMicros"> {
  postingId: string | null;
  payoutId: string | null;
  amount: string;
}

/** A credited document does not hold. */
export const noDocument = (column: string, id: string) => `NOT EXISTS (SELECT FROM invoices i WHERE i.${column} = ${id}
  AND NOT EXISTS (SELECT FROM invoices c WHERE c.credits = i.id))`;

const DUE = `
  SELECT 'invoice' AS kind, p.id AS posting_id, NULL::uuid AS payout_id, l.account_id, p.on_day AS day, p.at,
    -l.amount_micros - ${TAKEN_BACK} AS amount
  FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id AND l.book = 'campaign_balance'
  WHERE p.kind = 'refill' AND -l.amount_micros > ${TAKEN_BACK} AND p.on_day >= $1 AND ${noDocument("posting_id", "p.id")}
  UNION ALL
  SELECT 'self_billed', NULL, o.id, o.account_id, (o.period + interval '1 month' - interval '1 day')::date, o.changed_at, o.amount_micros
  FROM payouts o WHERE o.state = 'paid' AND o.changed_at >= $1::date::timestamp AT TIME ZONE 'UTC' AND ${noDocument("payout_id", "o.id")}`;

/** Refills and payouts since a day that have no document that holds, oldest first: all, or what one document would be about. */
export async function readDue(
  client: Pool | PoolClient,
  from: string,
  { source = null, withDetails = false }: { source?: Source | null; withDetails?: boolean } = {},
): Promise<DueDocument[]> {
  const { rows } = await client.query<Row>(
    `SELECT s.kind, s.posting_id AS "postingId", s.payout_id AS "payoutId", s.account_id AS "accountId", s.day::text, s.at, s.amount,
       CASE WHEN b.account_id IS NOT NULL THEN jsonb_build_object('name', b.legal_name, 'address', b.address,
         'country', b.country, 'vatId', b.vat_id, 'isBusiness', b.is_business) END AS party,
       CASE WHEN b.self_billing_since <= s.at THEN 'agreed' WHEN b.self_billing_since > s.at THEN 'agreed_later'
         ELSE 'not_agreed' END AS "selfBilling", ${ownerColumn("email", "s.account_id")} AS email
     FROM (${DUE}) s LEFT JOIN billing_details b ON b.account_id = s.account_id
     WHERE ($2::bigint IS NULL OR s.posting_id = $2) AND ($3::uuid IS NULL OR s.payout_id = $3)
       AND (NOT $4 OR b.account_id IS NOT NULL)
     ORDER BY s.at, s.posting_id, s.payout_id`,
    [from, source?.postingId ?? null, source?.payoutId ?? null, withDetails],
  );
  return rows.map(({ postingId, payoutId, amount, ...due }) => ({
    ...due,
    source: postingId === null ? { postingId, payoutId: payoutId ?? "" } : { postingId, payoutId: null },
    amountMicros: BigInt(amount),
  }));
}

/** How VAT is treated in a document, or why there can be none. */
export function rulingOn(
  due: Pick<DueDocument, "kind" | "party" | "selfBilling" | "day">,
  issuer: Issuer,
): Vat | { block: InvoiceBlock } {
  const { kind, party, selfBilling, day } = due;
  if (party === null) return { block: "no_details" };
  const platform = { country: issuer.party.country, ossRegistered: issuer.ossRegistered };
  if (kind === "invoice") return vatOnSale(platform, party, day);
  if (selfBilling === "agreed_later") return { block: "agreed_later" };
  return selfBilling === "agreed" ? vatOnPurchase(platform, party, day) : { block: "no_self_billing" };
}
