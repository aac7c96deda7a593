import {
  type AppFileQuery,
  type StatRow,
  type StatTable,
  TABLE_FIGURES,
  type TableFigure,
  type View,
} from "@millrace/contract";
import { decimalDollars, percentChange } from "@millrace/units";
import { stringify } from "csv-stringify/sync";
import { pauses } from "../../../platform/pauses.ts";

export const VIEW_HEADS = {
  date: "Date",
  country: "Country",
  format: "Format",
  provider: "Provider",
  zone: "Zone",
} as const satisfies Record<View, string>;

interface FileColumn {
  head: string;
  value: (row: StatRow) => string | number;
}

const COLUMNS = {
  uniques: { head: "Uniques", value: (row) => row.uniques },
  sessions: { head: "Sessions", value: (row) => row.sessions ?? "" },
  requests: { head: "Requests", value: (row) => row.requests },
  impressions: { head: "Impressions", value: (row) => row.impressions },
  clicks: { head: "Clicks", value: (row) => row.clicks },
  fillrate: { head: "Fill rate, %", value: (row) => plainPercent(row.fillrate) },
  ctr: { head: "CTR, %", value: (row) => plainPercent(row.ctr) },
  ecpm: { head: "eCPM, $", value: (row) => (row.ecpm === null ? "" : decimalDollars(row.ecpm)) },
  revenue: { head: "Revenue, $", value: (row) => decimalDollars(row.revenue) },
} as const satisfies Record<TableFigure, FileColumn>;

/** The comparison of revenue: what it was, the change, and where the compared period ends if not with its last day. */
const comparisonColumns = (untilOf: (row: StatRow) => string | null): FileColumn[] => [
  { head: "Revenue before, $", value: (row) => (row.last_revenue === null ? "" : decimalDollars(row.last_revenue)) },
  { head: "Revenue change, %", value: (row) => plainPercent(percentChange(row.revenue, row.last_revenue)) },
  { head: "Compared until", value: (row) => untilOf(row) ?? "" },
];

/**
 * A statistics table as CSV (RFC 4180): its rows and total in its order with exact numbers, of the chosen metrics or
 * all; revenue with its comparison, if there is one.
 */
export function tableCsv(
  table: StatTable,
  { columns: selected, de }: Pick<AppFileQuery, "columns" | "de">,
): Promise<string> {
  const { view, stats, total, compared_until: until } = table;
  // Dates stay `2026-11-19`, which every spreadsheet reads.
  const nameOf = (row: StatRow) => (view === "date" && row !== total ? row.id : row.name);
  const figures = TABLE_FIGURES.filter((id) => selected.length === 0 || selected.includes(id));
  const isCompared = figures.includes("revenue") && total.last_revenue !== null;
  const columns: FileColumn[] = [
    ...figures.map((id) => COLUMNS[id]),
    ...(isCompared ? comparisonColumns((row) => (isWholeDay(view, row.id, de) ? null : until)) : []),
  ];
  return csvOf([VIEW_HEADS[view], ...columns.map(({ head }) => head)], [...stats, total], (row) => [
    nameOf(row),
    ...columns.map(({ value }) => value(row)),
  ]);
}

/** Whether a row is a day that is compared with a whole one: of days up to `de`, only the last may be unfinished. */
export const isWholeDay = (view: string, id: string, de: string): boolean => view === "date" && id < de;

/** Writing takes some 20 microseconds per row, and an auction must not wait for all rows of a long table. */
const ROWS_AT_ONCE = 100;

/** Rows as CSV (RFC 4180). The columns `texts` may be anybody's text. */
export async function csvOf<Row>(
  heads: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly (string | number)[],
  texts: readonly number[] = [0],
): Promise<string> {
  const pause = pauses();
  const write = (cells: (string | number)[][]) =>
    stringify(cells, {
      // A name is the publisher's or a device's own text; a spreadsheet must not run it. A negative figure stays a number.
      cast: { string: (value, { index }) => (texts.includes(index) ? { value, escape_formulas: true } : value) },
      record_delimiter: "windows",
    });
  const parts = [stringify([[...heads]], { record_delimiter: "windows" })];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    parts.push(write(rows.slice(from, from + ROWS_AT_ONCE).map((row) => [...cellsOf(row)])));
    await pause();
  }
  return parts.join("");
}

/** A percentage for a spreadsheet. */
export const plainPercent = (value: number | null) => (value === null ? "" : String(Number(value.toFixed(6))));
