import {
  ADMIN_ROWS_PER_PAGE,
  type AdminInvoices,
  HISTORY_PER_PAGE,
  type Invoice,
  type InvoiceBlock,
  type InvoiceTotals,
} from "@millrace/contract";
import { MICROS_PER_CENT, dayOf, decimalDollars } from "@millrace/units";
import type { Pool } from "pg";
import { ownerColumn } from "../../../platform/postgres/account-owner.ts";
import { type Paged, paged } from "../../../platform/postgres/paged.ts";
import { csvOf } from "../../apps/index.ts";
import { readDue, rulingOn } from "./due-documents.ts";
import type { Issuer } from "./issuer.ts";

const micros = (cents: string): number => Number(cents) * MICROS_PER_CENT;
/** Refused ones that the admin's list names; the rest is counted. */
const MOST_UNINVOICED = 50;

/** What a publisher invoices itself for good comes last, so that it never hides what can still be issued. */
const isOwn = ({ block }: { block: InvoiceBlock }): boolean => block === "agreed_later";

type Row = Omit<Invoice, "net" | "vat" | "total" | "issued_at"> & {
  issuedAt: Date;
  netCents: string;
  vatCents: string;
  name: string;
  account: string | null;
};

const OWNER = ownerColumn("email", "i.account_id");
const FROM = "invoices i LEFT JOIN invoices o ON o.id = i.credits LEFT JOIN invoices c ON c.credits = i.id";
const COLUMNS = `i.uuid AS id, i.number, i.series, i.issued_at AS "issuedAt", i.supplied_on::text, i.due_on::text,
  i.net_cents AS "netCents", i.vat_cents AS "vatCents", i.treatment, i.rate_basis_points, o.number AS credits,
  c.number AS credited_by, i.party->>'name' AS name, ${OWNER} AS account`;

const invoiceOf = ({ issuedAt, netCents, vatCents, ...row }: Row) => {
  const [net, vat] = [micros(netCents), micros(vatCents)];
  return { ...row, issued_at: issuedAt.toISOString(), net, vat, total: net + vat };
};

/** A page of an account's documents, newest first; `p` counts from 0. */
export async function listInvoices(pool: Pool, accountId: number, p: number) {
  const query = { columns: COLUMNS, from: `${FROM} WHERE i.account_id = $1`, orderBy: "i.id DESC" };
  const { rows, pager } = await paged<Row>(pool, query, [accountId], { p, perPage: HISTORY_PER_PAGE });
  return { invoices: rows.map(invoiceOf), pager };
}

/** A page of all documents, found by number, name or owner, and what has none, and why. */
export async function listAllInvoices(
  pool: Pool,
  issuing: { issuer: Issuer } | { missing: string[] },
  { search, p }: { search: string; p: number },
): Promise<AdminInvoices> {
  const found: Paged<Row> = await paged<Row>(
    pool,
    {
      columns: COLUMNS,
      from: `${FROM} WHERE $1 = '' OR strpos(lower(concat_ws(' ', i.number, i.party->>'name', ${OWNER})), lower($1)) > 0`,
      orderBy: "i.id DESC",
    },
    [search],
    { p, perPage: ADMIN_ROWS_PER_PAGE },
  );
  const list = { invoices: found.rows.map(invoiceOf), pager: found.pager };
  if ("missing" in issuing) return { ...list, missing_settings: issuing.missing, uninvoiced: [], left_off: 0 };
  const { issuer } = issuing;
  const refused = (await readDue(pool, issuer.from)).flatMap((due) => {
    const ruling = rulingOn(due, issuer);
    const { email: account, kind: series, day, amountMicros } = due;
    return "block" in ruling ? [{ account, series, day, amount: Number(amountMicros), block: ruling.block }] : [];
  });
  return {
    ...list,
    missing_settings: [],
    uninvoiced: refused.toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other))).slice(0, MOST_UNINVOICED),
    left_off: Math.max(0, refused.length - MOST_UNINVOICED),
  };
}

/** Whether a day is in the month $1, for example "2026-11"; as a range, which an index on the day can serve. */
const inMonth = (day: string) =>
  `${day} >= to_date($1, 'YYYY-MM') AND ${day} < to_date($1, 'YYYY-MM') + interval '1 month'`;

/** A month's sums by kind, treatment, country and rate. What a credit note cancels is taken off the month of its day of supply. */
export async function totalsOf(pool: Pool, chosenMonth: string | undefined): Promise<InvoiceTotals> {
  const known = await pool.query<{ month: string }>(
    "SELECT DISTINCT to_char(supplied_on, 'YYYY-MM') AS month FROM invoices ORDER BY 1 DESC",
  );
  const months = known.rows.map(({ month }) => month);
  const month = chosenMonth ?? months[0] ?? null;
  type Sum = Omit<InvoiceTotals["totals"][number], "net" | "vat" | "total"> & { netCents: string; vatCents: string };
  const { rows } = await pool.query<Sum>(
    `SELECT kind AS series, treatment, vat_country AS country, rate_basis_points, count(*)::integer AS documents,
       sum(net_cents) AS "netCents", sum(vat_cents) AS "vatCents"
     FROM invoices WHERE ${inMonth("supplied_on")} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    [month],
  );
  const totals = rows.map(({ netCents, vatCents, ...of }) => {
    const [net, vat] = [micros(netCents), micros(vatCents)];
    return { ...of, net, vat, total: net + vat };
  });
  return { months, month, totals };
}

const HEADS = [
  "Name",
  "Number",
  "Kind",
  "Issued on",
  "Supplied on",
  "Payable by",
  "Country",
  "VAT ID",
  "Treatment",
  "VAT of",
  "Rate in percent",
  "Net",
  "VAT",
  "Total",
  "Cancels",
];

/** A month's documents in the order of their numbers, in dollars. */
export async function invoicesCsvOf(pool: Pool, month: string): Promise<string> {
  const { rows } = await pool.query<Row & { country: string; vatId: string; vatCountry: string }>(
    `SELECT ${COLUMNS}, i.party->>'country' AS country, i.party->>'vatId' AS "vatId", i.vat_country AS "vatCountry"
     FROM ${FROM} WHERE ${inMonth("i.supplied_on")} ORDER BY i.series, i.year, i.serial`,
    [month],
  );
  return csvOf(HEADS, rows, (row) => {
    const { net, vat, total } = invoiceOf(row);
    return [
      row.name,
      row.number,
      row.series,
      dayOf(row.issuedAt.getTime()),
      row.supplied_on,
      row.due_on ?? "",
      row.country,
      row.vatId,
      row.treatment,
      row.vatCountry,
      String(row.rate_basis_points / 100),
      ...[net, vat, total].map((amount) => decimalDollars(amount)),
      row.credits ?? "",
    ];
  });
}
