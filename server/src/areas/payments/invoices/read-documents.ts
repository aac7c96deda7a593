import type { Pool } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { letterPdf } from "../../../platform/pdf/draw-letter.ts";
import { type IssuedDocument, invoiceLetter } from "./invoice-letter.ts";

type Row = Omit<
  IssuedDocument,
  "amountMicros" | "carriedInMicros" | "carriedOutMicros" | "netCents" | "vatCents" | "credited"
> &
  Record<"amount" | "carriedIn" | "carriedOut" | "net" | "vat", string> & {
    creditedNumber: string | null;
    creditedAt: Date | null;
  };

/** A document by its id, of any account or of one. Problem `not_found` for an unknown one and for another account's. */
export async function readDocument(
  pool: Pool,
  { uuid, accountId = null }: { uuid: string; accountId?: number | null },
): Promise<IssuedDocument> {
  const { rows } = await pool.query<Row>(
    `SELECT i.number, i.kind, i.series, i.issued_at AS "issuedAt", i.supplied_on::text AS "suppliedOn", i.due_on::text AS "dueOn",
       i.reason, i.amount_micros AS amount, i.carried_in_micros AS "carriedIn", i.carried_out_micros AS "carriedOut",
       i.net_cents AS net, i.vat_cents AS vat, i.treatment, i.vat_country AS "vatCountry", i.rate_basis_points AS "rateBasisPoints",
       i.platform, i.party, o.number AS "creditedNumber", o.issued_at AS "creditedAt"
     FROM invoices i LEFT JOIN invoices o ON o.id = i.credits
     WHERE i.uuid = $1 AND ($2::integer IS NULL OR i.account_id = $2)`,
    [uuid, accountId],
  );
  const [row] = rows;
  if (!row) throw new Problem("not_found", "There is no such invoice");
  const { amount, carriedIn, carriedOut, net, vat, creditedNumber, creditedAt, ...document } = row;
  return {
    ...document,
    amountMicros: BigInt(amount),
    carriedInMicros: BigInt(carriedIn),
    carriedOutMicros: BigInt(carriedOut),
    netCents: BigInt(net),
    vatCents: BigInt(vat),
    credited: creditedNumber === null || creditedAt === null ? null : { number: creditedNumber, issuedAt: creditedAt },
  };
}

/** A document as PDF. It never changes, and neither does the file. */
export async function documentPdf(
  { pool, publicUrl }: { pool: Pool; publicUrl: string },
  key: { uuid: string; accountId?: number },
): Promise<{ name: string; content: Buffer }> {
  const document = await readDocument(pool, key);
  return { name: `${document.number}.pdf`, content: await letterPdf(invoiceLetter(document, publicUrl)) };
}
