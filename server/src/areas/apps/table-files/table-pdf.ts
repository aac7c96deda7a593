import {
  type AppPage,
  type ComparisonKind,
  FORMAT_LABELS,
  type Format,
  type StatRow,
  type StatTable,
  TABLE_FIGURES,
  type TableFigure,
  type TableOrder,
  narrowed,
} from "@millrace/contract";
import { type DayRange, NO_NUMBER, formatChange, formatCountExact, formatMoney, formatPercent } from "@millrace/units";
import { countryName } from "../../statistics/index.ts";
import { type OnPage, type Report, reportPdf } from "./report-pdf.ts";
import { VIEW_HEADS } from "./table-csv.ts";

/** Plain data, so that it can be sent to a thread. */
export interface TablePdf {
  /** The name of the app or account. */
  name: string;
  /** The platform's origin, such as `https://ads.example.com`. */
  publicUrl: string;
  madeMs: number;
  query: DayRange & {
    order: TableOrder;
    order_type: "asc" | "desc";
    columns: readonly TableFigure[];
    compare: ComparisonKind;
    country: readonly string[];
    format: readonly string[];
    provider: readonly string[];
  };
  /** Labels of the providers by id. */
  providerNames: ReadonlyMap<string, string>;
  /** The names of the filter's apps; empty without a filter. */
  chosenApps: readonly string[];
  table: StatTable;
  revenue: AppPage["revenue_summary"];
}

interface Figure {
  head: string;
  value: (row: StatRow) => string;
}

const FIGURES = {
  uniques: { head: "Uniques", value: (row) => formatCountExact(row.uniques) },
  sessions: { head: "Sessions", value: (row) => formatCountExact(row.sessions) },
  requests: { head: "Requests", value: (row) => formatCountExact(row.requests) },
  impressions: { head: "Impressions", value: (row) => formatCountExact(row.impressions) },
  clicks: { head: "Clicks", value: (row) => formatCountExact(row.clicks) },
  fillrate: { head: "Fill rate", value: (row) => formatPercent(row.fillrate) },
  ctr: { head: "CTR", value: (row) => formatPercent(row.ctr) },
  ecpm: { head: "eCPM", value: (row) => formatMoney(row.ecpm) },
  revenue: { head: "Revenue", value: (row) => formatMoney(row.revenue) },
} as const satisfies Record<TableFigure, Figure>;

const CHANGE: Figure = { head: "Change", value: (row) => formatChange(row.revenue, row.last_revenue) ?? NO_NUMBER };

/**
 * A statistics table as PDF, in its order with the chosen metrics or all. The total covers all rows, even those not
 * shown. Calls `onPage` for each drawn page.
 */
export const tablePdf = (content: TablePdf, onPage?: OnPage): Promise<Buffer> => reportPdf(reportOf(content), onPage);

function reportOf(content: TablePdf): Report {
  const { name, query, table, madeMs, publicUrl, revenue } = content;
  const chosen = TABLE_FIGURES.filter((id) => query.columns.length === 0 || query.columns.includes(id));
  const isCompared = chosen.includes("revenue") && table.total.last_revenue !== null;
  const figures: Figure[] = [...chosen.map((id) => FIGURES[id]), ...(isCompared ? [CHANGE] : [])];
  return {
    name,
    publicUrl,
    madeMs,
    range: { ds: query.ds, de: query.de },
    compare: query.compare,
    filters: filtersOf(content),
    money: {
      label: "Revenue",
      total: table.total.revenue,
      last: table.total.last_revenue,
      dates: revenue.dates,
      series: revenue.series,
      before: revenue.last_series,
    },
    comparedUntil: table.compared_until,
    note: shownRows(table),
    heads: [VIEW_HEADS[table.view], ...figures.map(({ head }) => head)],
    rows: table.stats.slice(0, MOST_ROWS).map((row) => [row.name, ...figures.map(({ value }) => value(row))]),
    total: ["Total", ...figures.map(({ value }) => value(table.total))],
  };
}

/** The filters and the order of the rows. */
function filtersOf({ query, table, providerNames, chosenApps }: TablePdf): string {
  const words = (label: string, values: readonly string[] | null, nameOf: (value: string) => string) =>
    values && values.length > 0 ? [`${label}: ${values.map(nameOf).join(", ")}`] : [];
  const filters = [
    ...words("Apps", chosenApps, (app) => app),
    ...words("Networks", narrowed(query.provider), (id) => providerNames.get(id) ?? id),
    ...words("Countries", narrowed(query.country), countryName),
    ...words("Formats", narrowed(query.format), (format) => FORMAT_LABELS[format as Format]),
  ];
  const by = query.order === "name" ? VIEW_HEADS[table.view] : FIGURES[query.order].head;
  const order = `Ordered by ${by}, ${query.order_type === "asc" ? "ascending" : "descending"}`;
  return [...(filters.length === 0 ? ["No filters"] : filters), order].join(" · ");
}

/** The limit of rows in a document. */
export const MOST_ROWS = 5000;

/** A note above the table if it does not show all rows. */
export function shownRows({ stats, pager }: Pick<StatTable, "pager"> & { stats: readonly unknown[] }): string {
  if (stats.length > MOST_ROWS)
    return `The first ${formatCountExact(MOST_ROWS)} of ${formatCountExact(stats.length)} rows; the CSV file has all of them. The total covers all rows.`;
  if (pager && pager.last_page > pager.first_page)
    return `Page ${pager.current_page} of ${pager.last_page} of the table. The total covers all rows.`;
  return stats.length === 0 ? "No data in this period." : "";
}
