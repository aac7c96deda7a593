import {
  type Format,
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
import type { Filter } from "../../shared/filters/address.ts";
import { RequestsLink } from "../../shared/requests-link.tsx";
import { changeColumn, figureColumns } from "./figure-columns.tsx";
import { titleOf } from "./graph-times.ts";
import { FilterLink } from "./parts/filter-link.tsx";
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
  scope: Scope;
  figures: readonly TableFigure[];
  /** The order of the rows. */
  by: TableOrder;
  /** What a day, or any other row, is compared with, in words; null without a comparison. */
  against: ((day: string | null) => string) | null;
}

/** The columns' order on screen: what is earned first. Files keep the order of the calls. */
const ON_SCREEN = [
  "revenue",
  "ecpm",
  "impressions",
  "requests",
  "fillrate",
  "uniques",
  "sessions",
  "clicks",
  "ctr",
] as const satisfies TableFigure[];

/** The table's columns: the view's own, then the chosen figures. */
export function statColumns({ table, scope, figures, by, against }: ColumnsOf): Column<StatRow, TableOrder>[] {
  const { view, stats, total } = table;
  const name: Column<StatRow, TableOrder> = {
    id: "name",
    head: VIEW_LABELS[view],
    order: "name",
    cell: (row) => (row === total ? totalName(view, stats.length) : <RowName view={view} row={row} scope={scope} />),
    exact: (row) => (row === total ? "" : nameOf(view, row)),
  };
  const columns = figureColumns<TableFigure, StatRow>({
    ids: ON_SCREEN.filter((id) => figures.includes(id)),
    leading: "revenue",
    rows: stats,
    total,
    // Revenue if they are ordered by name.
    ranked: figures.find((id) => id === by) ?? "revenue",
    missing: MISSING,
  });
  const [first, ...others] = columns;
  if (against === null || first?.id !== "revenue") return [name, ...columns];
  const change = changeColumn<StatRow>({
    money: (row) => [row.revenue, row.last_revenue],
    against: (row) => against(view === "date" && row !== total ? row.id : null),
  });
  return [name, first, change, ...others];
}

const totalName = (view: View, rows: number): string => (view === "date" && rows > 1 ? `Total, ${rows} days` : "Total");

/** A row's name, which narrows the page down to it. No filter is by zone: an app's zone leads to its requests. */
function RowName({ view, row, scope }: { view: View; row: StatRow; scope: Scope }) {
  const name = nameOf(view, row);
  if (view === "zone" && scope.uuid !== null) {
    const { ds, de, format, country } = scope.filter;
    return (
      <RequestsLink uuid={scope.uuid} filter={{ ds, de, format, country, zone: row.id }} className={classes.nameLink}>
        {name}
      </RequestsLink>
    );
  }
  const filter = filterBy(view, row.id);
  return filter === undefined ? name : <FilterLink filter={filter}>{name}</FilterLink>;
}

/** The filter of a row: a day becomes the page's only day. */
function filterBy(view: View, id: string): Partial<Filter> | undefined {
  if (view === "zone") return undefined;
  if (view === "date") return id.length === 10 ? { ds: id, de: id } : undefined;
  return view === "format" ? { format: [id as Format] } : { [view]: [id] };
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
