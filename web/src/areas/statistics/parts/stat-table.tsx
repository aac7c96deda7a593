import {
  type StatRow,
  TEXTS,
  type TableOrder,
  UNKNOWN_COUNTRY,
  VIEWS,
  type View,
  appStatsCsv,
  loadingText,
  notFoundText,
} from "@millrace/contract";
import { formatDay } from "@millrace/units";
import { useMemo } from "react";
import { addressOf } from "../../../shared/call-api.ts";
import type { StatsAddress } from "../../../shared/filters/address.ts";
import { DownloadIcon } from "../../../ui/icons.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { type Scope, usePart } from "../api.ts";
import { titleOf } from "../graph-times.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import classes from "./parts.module.css";

const VIEW_LABELS = {
  date: "Date",
  country: "Country",
  format: "Format",
  provider: "Provider",
  zone: "Zone",
} as const satisfies Record<View, string>;

const FIGURES = ["uniques", "sessions", "requests", "impressions", "fillrate", "ecpm", "revenue"] as const;
const MAX_HEIGHT = 620;

export interface StatTableProps {
  scope: Scope;
  address: StatsAddress;
  onChange: (change: Partial<Pick<StatsAddress, "view" | "order" | "order_type">>) => void;
}

/** All figures by date, country, format, provider or zone. */
export function StatTable({ scope, address, onChange }: StatTableProps) {
  const { view, order, order_type } = address;
  const asked = { view, order, order_type };
  const table = usePart("stats", scope, asked);
  const { ds, de, provider, format, country } = scope.filter;
  const file = addressOf(appStatsCsv, { id: scope.uuid }, { ds, de, provider, format, country, ...asked });
  return (
    <LoadedBlock
      title="Statistics"
      aside={
        <div className={classes.tableAside}>
          <Segments
            label="Rows by"
            options={VIEWS.map((id) => ({ id, label: VIEW_LABELS[id] }))}
            chosen={view}
            onChoose={(next) => onChange({ view: next })}
          />
          <a href={file} download className={classes.download}>
            <DownloadIcon /> Download CSV
          </a>
        </div>
      }
      query={table}
      loading={loadingText("statistics")}
      skeleton={<TableSkeleton rows={10} columns={FIGURES.length + 1} />}
      isEmpty={(data) => data.stats.length === 0}
      empty={
        <EmptyNote title={notFoundText("statistics")} why="Nothing was counted in these days with these filters." />
      }
    >
      {(data) => (
        <Rows
          view={data.view}
          rows={data.stats}
          total={data.total}
          ordering={{ by: order, direction: order_type }}
          onOrder={({ by, direction }) => onChange({ order: by, order_type: direction })}
        />
      )}
    </LoadedBlock>
  );
}

interface RowsProps {
  view: View;
  rows: StatRow[];
  total: StatRow;
  ordering: { by: TableOrder; direction: "asc" | "desc" };
  onOrder: (ordering: { by: TableOrder; direction: "asc" | "desc" }) => void;
}

function Rows({ view, rows, total, ordering, onOrder }: RowsProps) {
  // The bar stands under the ranked column; under revenue where the rows stand by name.
  const ranked = FIGURES.find((id) => id === ordering.by) ?? "revenue";
  const columns = useMemo(() => columnsOf(view, rows, total, ranked), [view, rows, total, ranked]);
  return (
    <DataTable
      caption={`Statistics by ${VIEW_LABELS[view].toLowerCase()}`}
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      total={total}
      ordering={ordering}
      onOrder={onOrder}
      maxHeight={MAX_HEIGHT}
    />
  );
}

function columnsOf(view: View, rows: StatRow[], total: StatRow, ranked: (typeof FIGURES)[number]) {
  const most = Math.max(0, ...rows.map((row) => row[ranked] ?? 0));
  const name: Column<StatRow, TableOrder> = {
    id: "name",
    head: VIEW_LABELS[view],
    order: "name",
    cell: (row) => (row === total ? "Total" : nameOf(view, row)),
  };
  const figures = FIGURES.map((id): Column<StatRow, TableOrder> => {
    const { label, format, exact } = METRIC_WORDS[id];
    return {
      id,
      head: label,
      numeric: true,
      order: id,
      cell: (row) => format(row[id]),
      exact: (row) => (row[id] === null ? (MISSING[id] ?? "") : exact(row[id])),
      ...(id === ranked && most > 0 ? { share: (row: StatRow) => (row[id] ?? 0) / most } : {}),
    };
  });
  return [name, ...figures];
}

/** Why a row can lack a figure. */
const MISSING: Partial<Record<(typeof FIGURES)[number], string>> = {
  uniques: "not counted in this view",
  sessions: "a session has no format, provider or zone",
  fillrate: "no requests",
  ecpm: "no impressions",
};

function nameOf(view: View, row: StatRow): string {
  if (view === "country" && row.id === UNKNOWN_COUNTRY) return TEXTS.unknownCountry;
  if (view !== "date") return row.name;
  return row.id.length === 10 ? formatDay(row.id) : titleOf(row.id);
}
