import type { InvoiceSeries, VatTreatment } from "@millrace/contract";
import type { PoolClient } from "pg";
import type { Amounts } from "./amounts.ts";
import type { Party } from "./issuer.ts";

/** A document before it has a number. */
export interface NewDocument extends Amounts {
  kind: "invoice" | "self_billed";
  series: InvoiceSeries;
  accountId: number;
  issuedAt: Date;
  suppliedOn: string;
  dueOn: string | null;
  /** What it is about: one of the three. */
  postingId: string | null;
  payoutId: string | null;
  credits: string | null;
  edition: number;
  reason: string;
  amountMicros: bigint;
  treatment: VatTreatment;
  vatCountry: string;
  rateBasisPoints: number;
  platform: Party;
  party: Party;
}

const LETTERS = { invoice: "", self_billed: "S-", credit_note: "C-" } as const satisfies Record<InvoiceSeries, string>;
const DIGITS = 5;

/** Stores a document in the client's transaction under the next number of its series and year, such as `AB-2026-00001`. */
export async function storeDocument(
  client: PoolClient,
  prefix: string,
  document: NewDocument,
): Promise<{ id: string; number: string }> {
  const { series, issuedAt } = document;
  const year = issuedAt.getUTCFullYear();
  const serial = await nextSerial(client, series, year);
  const number = `${prefix}-${LETTERS[series]}${year}-${String(serial).padStart(DIGITS, "0")}`;
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO invoices (kind, series, year, serial, number, account_id, issued_at, supplied_on, due_on, posting_id, payout_id,
       credits, edition, reason, amount_micros, carried_in_micros, carried_out_micros, net_cents, vat_cents, treatment, vat_country,
       rate_basis_points, platform, party)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)
     RETURNING uuid AS id`,
    [
      document.kind,
      series,
      year,
      serial,
      number,
      document.accountId,
      issuedAt,
      document.suppliedOn,
      document.dueOn,
      document.postingId,
      document.payoutId,
      document.credits,
      document.edition,
      document.reason,
      ...[document.amountMicros, document.carriedInMicros, document.carriedOutMicros].map(String),
      ...[document.netCents, document.vatCents].map(String),
      document.treatment,
      document.vatCountry,
      document.rateBasisPoints,
      JSON.stringify(document.platform),
      JSON.stringify(document.party),
    ],
  );
  return { id: rows[0]?.id ?? "", number };
}

/**
 * The next number of a series. Whoever asks next waits until this transaction is over; if it is rolled back, they get the same number,
 * which a sequence of PostgreSQL would have lost.
 */
async function nextSerial(client: PoolClient, series: InvoiceSeries, year: number): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    `INSERT INTO invoice_numbers AS n (series, year, last) VALUES ($1, $2, 1)
     ON CONFLICT (series, year) DO UPDATE SET last = n.last + 1 RETURNING last`,
    [series, year],
  );
  return rows[0]?.last ?? 1;
}
