import { type InvoiceTotals, invoicesCsv, loadingText } from "@millrace/contract";
import { formatMoney, formatMonth } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { addressOf } from "../../../shared/call-api.ts";
import { SERIES_WORDS, treatmentWords } from "../../../shared/invoices/invoice-words.ts";
import { MonthChoice } from "../../../shared/revenue/revenue-table.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { invoiceTotalsQuery } from "../api.ts";
import classes from "./parts.module.css";

type Total = InvoiceTotals["totals"][number];

/** A month's sums by kind, treatment, country and rate, and its documents as a file. */
export function InvoiceMonth() {
  const [month, choose] = useState<string>();
  const totals = useQuery(invoiceTotalsQuery(month));
  return (
    <LoadedBlock
      title="By month of supply"
      aside={totals.data?.month ? <CsvLink month={totals.data.month} /> : undefined}
      query={totals}
      loading={loadingText("sums")}
      skeleton={<TableSkeleton rows={2} columns={COLUMNS.length} />}
      isEmpty={({ months }) => months.length === 0}
      empty={
        <EmptyNote title="Nothing has been invoiced yet" why="Sums by country and rate follow the first invoice." />
      }
    >
      {(data) => (
        <>
          {data.month === null ? null : (
            <div className={classes.month}>
              <MonthChoice month={data.month} months={data.months} onChoose={choose} />
            </div>
          )}
          <DataTable
            caption="Sums by kind, country and rate"
            columns={COLUMNS}
            rows={data.totals}
            rowId={({ series, treatment, country, rate_basis_points: rate }) =>
              `${series} ${treatment} ${country} ${rate}`
            }
            cards
          />
        </>
      )}
    </LoadedBlock>
  );
}

const CsvLink = ({ month }: { month: string }) => (
  <a href={addressOf(invoicesCsv, {}, { month })} download>
    {formatMonth(month)}, CSV
  </a>
);

const COLUMNS: Column<Total>[] = [
  { id: "kind", head: "Kind", cell: ({ series }) => SERIES_WORDS[series], leads: true },
  { id: "treatment", head: "Treatment", cell: (total) => `${treatmentWords(total)}, ${total.country}` },
  { id: "documents", head: "Documents", numeric: true, cell: ({ documents }) => documents },
  { id: "net", head: "Net", numeric: true, cell: ({ net }) => formatMoney(net) },
  { id: "vat", head: "VAT", numeric: true, cell: ({ vat }) => formatMoney(vat) },
  { id: "total", head: "Total", numeric: true, leads: true, cell: ({ total }) => formatMoney(total) },
];
