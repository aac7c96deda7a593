import { type AdminInvoices, adminInvoicePdf } from "@millrace/contract";
import { formatDay, formatMoney, formatMoneyExact } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { addressOf } from "../../../shared/call-api.ts";
import { dayText, formatMoment } from "../../../shared/day-text.ts";
import { BLOCK_WORDS, SERIES_WORDS, creditWords, treatmentWords } from "../../../shared/invoices/invoice-words.ts";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { invoicesQuery } from "../api.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { CreditForm } from "../parts/credit-form.tsx";
import { InvoiceMonth } from "../parts/invoice-month.tsx";
import classes from "../parts/parts.module.css";
import { useListQuery } from "../use-list-query.ts";

type Row = AdminInvoices["invoices"][number];
type Uninvoiced = AdminInvoices["uninvoiced"][number];

/** The documents of all accounts, a month's sums for the bookkeeper, and payments without a document, with the reason. */
export function AdminInvoicesPage() {
  const { params: query } = useListQuery();
  const { data } = useQuery(invoicesQuery(query));
  const { subject, opened, open, close } = useDialog<Row>();
  const columns = useMemo(() => columnsOf(open), [open]);
  return (
    <AdminPage
      title="Invoices"
      content="invoices"
      searchLabel="Search number or owner"
      whyEmpty="A refill or a payment that was sent gets its invoice within minutes."
      listQuery={invoicesQuery}
      rowsOf={({ invoices }) => invoices}
      rowId={({ id }) => id}
      columns={columns}
      above={
        data === undefined ? null : (
          <div className={classes.above}>
            {data.missing_settings.length > 0 ? <Missing settings={data.missing_settings} /> : null}
            {data.uninvoiced.length > 0 ? <WithoutInvoice {...data} /> : null}
            <InvoiceMonth />
          </div>
        )
      }
    >
      <Modal opened={opened} onClose={close} title="Cancel by a credit note">
        {subject ? <CreditForm invoice={subject} onDone={close} /> : null}
      </Modal>
    </AdminPage>
  );
}

const Missing = ({ settings }: { settings: readonly string[] }) => (
  <Panel title="No invoices are issued">
    <p className={classes.about}>The platform is not known on paper: {settings.join("; ")}.</p>
  </Panel>
);

const WithoutInvoice = ({ uninvoiced, left_off: leftOff }: AdminInvoices) => (
  <Panel title="Without an invoice">
    <DataTable
      caption="Refills and payments without an invoice"
      columns={UNINVOICED_COLUMNS}
      rows={uninvoiced}
      rowId={({ account, day, amount, series }) => `${account} ${series} ${day} ${amount}`}
      cards
    />
    <p className={classes.under}>
      {leftOff > 0 ? `And ${leftOff} more. ` : ""}Each gets its invoice once nothing stands against it any more, unless
      the publisher sends its own.
    </p>
  </Panel>
);

const UNINVOICED_COLUMNS: Column<Uninvoiced>[] = [
  { id: "account", head: "Account", cell: ({ account }) => account ?? "a deleted account", leads: true },
  { id: "what", head: "What", cell: ({ series }) => (series === "invoice" ? "Refill" : "Payment") },
  { id: "day", head: "Day (UTC)", whole: true, cell: ({ day }) => formatDay(day) },
  { id: "why", head: "Why", cell: ({ block }) => BLOCK_WORDS[block] },
  {
    id: "amount",
    head: "Amount",
    numeric: true,
    cell: ({ amount }) => formatMoney(amount),
    exact: ({ amount }) => formatMoneyExact(amount),
  },
];

const columnsOf = (onCredit: (invoice: Row) => void): Column<Row>[] => [
  {
    id: "number",
    head: "Number",
    whole: true,
    cell: (invoice) => <NameOverLine name={invoice.number} line={creditWords(invoice)} />,
    leads: true,
  },
  {
    id: "account",
    head: "Account",
    cell: ({ name, account }) => <NameOverLine name={name} line={account ?? "a deleted account"} />,
  },
  {
    id: "issued",
    head: "Issued (UTC)",
    cell: ({ issued_at }) => dayText(issued_at),
    exact: ({ issued_at }) => formatMoment(issued_at),
  },
  { id: "treatment", head: "Treatment", cell: treatmentWords },
  { id: "net", head: "Net", numeric: true, cell: ({ net }) => formatMoney(net) },
  { id: "vat", head: "VAT", numeric: true, cell: ({ vat }) => formatMoney(vat) },
  { id: "total", head: "Total", numeric: true, leads: true, cell: ({ total }) => formatMoney(total) },
  {
    id: "pdf",
    head: "File",
    cell: ({ id, number }) => (
      <a href={addressOf(adminInvoicePdf, { id }, {})} download aria-label={`${number}, PDF`}>
        PDF
      </a>
    ),
  },
  actionsColumn((invoice) =>
    invoice.series === "credit_note" || invoice.credited_by !== null ? null : (
      <RowAction
        label="Cancel"
        of={`${SERIES_WORDS[invoice.series]} ${invoice.number}`}
        onClick={() => onCredit(invoice)}
      />
    ),
  ),
];
