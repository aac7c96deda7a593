import { type Invoice, type Session, invoicePdf, loadingText, notFoundText } from "@millrace/contract";
import { formatDay, formatMoney, formatMonth } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { addressOf } from "../../shared/call-api.ts";
import { dayText, formatMoment } from "../../shared/day-text.ts";
import { creditWords, treatmentWords } from "../../shared/invoices/invoice-words.ts";
import { ListPager } from "../../shared/list-pager.tsx";
import { useKnownSession } from "../../shared/session.ts";
import { NameOverLine } from "../../ui/name-over-line.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { billingQuery, invoicesQuery } from "./api.ts";
import { BillingDetails } from "./billing-details.tsx";

/** The account's invoices, ten a page, and who it is on them. */
export function Invoices() {
  const [p, setPage] = useState(0);
  const roles = useKnownSession()?.roles;
  const isIssuing = useQuery(billingQuery).data?.is_issuing !== false;
  return (
    <>
      <LoadedBlock
        title="Invoices"
        query={useQuery(invoicesQuery(p))}
        loading={loadingText("invoices")}
        skeleton={<TableSkeleton rows={3} columns={COLUMNS.length} />}
        isEmpty={({ invoices }) => invoices.length === 0}
        empty={<EmptyNote title={notFoundText("invoices")} why={whyNone(roles, isIssuing)} />}
      >
        {({ invoices, pager }) => (
          <>
            <DataTable caption="Invoices" columns={COLUMNS} rows={invoices} rowId={({ id }) => id} cards />
            <ListPager pager={pager} onPage={setPage} />
          </>
        )}
      </LoadedBlock>
      <BillingDetails />
    </>
  );
}

/** Which documents an account will get: those of its sides. */
function whyNone(roles: Session["roles"] | undefined, isIssuing: boolean): string {
  const refill = isIssuing ? "Each refill" : "Once this platform issues invoices, each new refill";
  const payment = isIssuing ? "Each payment that was sent" : "Once this platform issues invoices, each new payment";
  const agreed = "if the account has agreed to self-billing. It is mailed to you.";
  if (roles?.can_apps === false) return `${refill} gets one. It is mailed to you.`;
  if (roles?.can_campaign === false) return `${payment} gets one, ${agreed}`;
  return `${refill} gets one, and each payment that was sent, ${agreed}`;
}

const COLUMNS: Column<Invoice>[] = [
  {
    id: "number",
    head: "Number",
    cell: (invoice) => <NameOverLine name={invoice.number} line={creditWords(invoice)} />,
    leads: true,
  },
  {
    id: "issued",
    head: "Issued (UTC)",
    whole: true,
    cell: ({ issued_at }) => dayText(issued_at),
    exact: ({ issued_at }) => formatMoment(issued_at),
  },
  {
    id: "supplied",
    head: "For",
    cell: ({ series, supplied_on: day }) => (series === "self_billed" ? formatMonth(day.slice(0, 7)) : formatDay(day)),
  },
  { id: "net", head: "Net", numeric: true, cell: ({ net }) => formatMoney(net) },
  {
    id: "vat",
    head: "VAT",
    numeric: true,
    cell: (invoice) => (invoice.vat === 0 ? treatmentWords(invoice) : formatMoney(invoice.vat)),
    exact: treatmentWords,
  },
  { id: "total", head: "Total", numeric: true, leads: true, cell: ({ total }) => formatMoney(total) },
  {
    id: "pdf",
    head: "File",
    cell: ({ id, number }) => (
      <a href={addressOf(invoicePdf, { id }, {})} download aria-label={`${number}, PDF`}>
        PDF
      </a>
    ),
  },
];
