import {
  type StatRow,
  type StatTable,
  TEXTS,
  type TableFigure,
  type TableOrder,
  UNKNOWN_COUNTRY,
  type View,
} from "@millrace/contract";
import { formatDay } from "@millrace/units";
import type { Column } from "../../ui/table/data-table.tsx";
import { titleOf } from "./graph-times.ts";
import { METRIC_WORDS } from "./metric-words.ts";
import { PeriodChange } from "./parts/period-change.tsx";
import classes from "./parts/parts.module.css";
import type { Scope } from "./scope.ts";

export const VIEW_LABELS = {
  date: "Date",
  country: "Country",
  format: "Format",
  provider: "Provider",
  zone: "Zone",
} as const satisfies Record<View, string>;

interface ColumnsOf {
  table: Pick<StatTable, "view" | "stats" | "total">;
  figures: readonly TableFigure[];
  /** The order of the rows. */
  by: TableOrder;
  /** The scope of the total in the last row. */
  scope: Scope;
}

/** The table's columns: the view's own, then the chosen figures. */
export function statColumns({ table, figures, by, scope }: ColumnsOf): Column<StatRow, TableOrder>[] {
  const { view, stats, total } = table;
  // The bar is under the column that orders the rows, or under revenue if they are ordered by name.
  const ranked = figures.find((id) => id === by) ?? "revenue";
  const most = Math.max(0, ...stats.map((row) => row[ranked] ?? 0));
  const name: Column<StatRow, TableOrder> = {
    id: "name",
    head: VIEW_LABELS[view],
    order: "name",
    cell: (row) => (row === total ? "Total" : nameOf(view, row)),
  };
  const columns = figures.map((id): Column<StatRow, TableOrder> => {
    const { label, format, exact } = METRIC_WORDS[id];
    return {
      id,
      head: label,
      numeric: true,
      order: id,
      cell: (row) => (row === total ? <TotalCell figure={id} text={format(row[id])} scope={scope} /> : format(row[id])),
      exact: (row) => (row[id] === null ? (MISSING[id] ?? "") : exact(row[id])),
      ...(id === ranked && most > 0 ? { share: (row: StatRow) => (row[id] ?? 0) / most } : {}),
    };
  });
  return [name, ...columns];
}

function TotalCell({ figure, text, scope }: { figure: TableFigure; text: string; scope: Scope }) {
  return (
    <>
      {text}
      <span className={classes.totalChange}>
        <PeriodChange scope={scope} figure={figure} />
      </span>
    </>
  );
}

/** Why a row can lack a figure. */
const MISSING: Partial<Record<TableFigure, string>> = {
  uniques: "not counted in this view",
  sessions: "sessions have no format, provider or zone",
  fillrate: "no requests",
  ctr: "no impressions",
  ecpm: "no impressions",
};

function nameOf(view: View, row: StatRow): string {
  if (view === "country" && row.id === UNKNOWN_COUNTRY) return TEXTS.unknownCountry;
  if (view !== "date") return row.name;
  return row.id.length === 10 ? formatDay(row.id) : titleOf(row.id);
}
