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
import {
  DAY_MS,
  type DayRange,
  HOUR_MS,
  NO_NUMBER,
  comparedRange,
  formatChange,
  formatCount,
  formatCountExact,
  formatDay,
  formatDayRange,
  formatDayShort,
  formatMoney,
  formatMoneyExact,
  formatPercent,
} from "@millrace/units";
import { LIGHT } from "../../../platform/brand.ts";
import { drawBrand } from "../../../platform/pdf/draw-brand.ts";
import { drawLineChart } from "../../../platform/pdf/draw-line-chart.ts";
import { drawTable, pagesOf } from "../../../platform/pdf/draw-table.ts";
import { makePdf } from "../../../platform/pdf/make-pdf.ts";
import { type PdfText, pdfText } from "../../../platform/pdf/pdf-text.ts";
import { countryName } from "../../statistics/index.ts";
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

export type OnPage = (page: number, pages: number) => void;

/** The limit of rows in a document. */
const MOST_ROWS = 5000;

const MARGIN = 36;
const PAGE = { width: 841.89, height: 595.28 };
const BOX = { left: MARGIN, right: PAGE.width - MARGIN, top: MARGIN, bottom: PAGE.height - MARGIN - 14 };
const CHART_HEIGHT = 150;
const QUIET = { size: 8.5, color: LIGHT.ink2 };
const MARK = 13;
const WIDTH = BOX.right - BOX.left;

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
 * A statistics table as PDF: whose numbers, dates and filters, time of creation; a chart of revenue against the days
 * before; the table in its order with the chosen metrics or all. The total covers all rows, even those not shown. Calls
 * `onPage` for each drawn page.
 */
export async function tablePdf(asked: TablePdf, onPage: OnPage = () => undefined): Promise<Buffer> {
  const { name, query, table, madeMs, publicUrl } = asked;
  const title = `${name}, ${formatDayRange(query)}`;
  const platform = `Millrace at ${publicUrl.replace(/^https?:\/\//, "")}`;
  const rows = table.stats.slice(0, MOST_ROWS);
  const chosen = TABLE_FIGURES.filter((id) => query.columns.length === 0 || query.columns.includes(id));
  const isCompared = chosen.includes("revenue") && table.total.last_revenue !== null;
  const figures: Figure[] = [...chosen.map((id) => FIGURES[id]), ...(isCompared ? [CHANGE] : [])];
  return makePdf({ title, creator: "Millrace", madeMs }, async (doc) => {
    const text = pdfText(doc);
    let y = BOX.top;
    const put = (line: string, style: { size: number; color: string; bold?: boolean }, step: number) => {
      text.write(line, BOX.left, y, style);
      y += step;
    };
    // On the heading's baseline.
    text.write(platform, BOX.right, y + 6.4, { ...QUIET, align: "right" });
    drawBrand(doc, { x: BOX.right - text.width(platform, QUIET) - MARK - 5, y: y + 4.4, size: MARK });
    const heading = { size: 17, bold: true, color: LIGHT.ink };
    for (const line of text.lines(name, WIDTH - text.width(platform, QUIET) - MARK - 25, 2, heading))
      put(line, heading, 22);
    const made = `Created on ${new Date(madeMs).toISOString().slice(0, 16).replace("T", " at ")} UTC`;
    put(`${formatDayRange(query)} (UTC) · ${made}`, QUIET, 13);
    for (const line of text.lines(filtersOf(asked), WIDTH, 3, QUIET)) put(line, QUIET, 13);
    y += 8;
    put(revenueOf(asked), { size: 10, bold: true, color: LIGHT.ink }, 16);
    drawRevenue({ doc, text, y }, asked);
    y += CHART_HEIGHT + 14;
    for (const line of text.lines(rowsOf(table), WIDTH, 1, QUIET)) put(line, QUIET, 14);

    const place = { doc, text, top: y, box: BOX };
    const pages = pagesOf(rows.length, place);
    let page = 0;
    const foot = () => {
      page += 1;
      onPage(page, pages);
      const number = `Page ${page} of ${pages}`;
      text.write(number, BOX.right, PAGE.height - MARGIN, { ...QUIET, align: "right" });
      const room = WIDTH - text.width(number, QUIET) - 20;
      text.write(text.fitted(title, room, QUIET), BOX.left, PAGE.height - MARGIN, QUIET);
    };
    foot();
    doc.on("pageAdded", foot);
    await drawTable(place, {
      heads: [VIEW_HEADS[table.view], ...figures.map(({ head }) => head)],
      rows: rows.map((row) => [row.name, ...figures.map(({ value }) => value(row))]),
      total: ["Total", ...figures.map(({ value }) => value(table.total))],
    });
  });
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

const AGAINST = {
  previous: "in the previous period",
  weekdays: "on the same weekdays before",
  none: "",
} as const satisfies Record<ComparisonKind, string>;

function revenueOf({ table, query }: TablePdf): string {
  const { revenue, last_revenue: last } = table.total;
  const change = formatChange(revenue, last);
  const until = table.compared_until === null ? "" : `, until ${formatMoment(table.compared_until)}`;
  const against = change === null ? "" : `, ${change} against ${formatMoney(last)} ${AGAINST[query.compare]}${until}`;
  return `Revenue ${formatMoney(revenue)}${against}`;
}

/** `Nov 21st, 2026, 06:12 UTC`. */
const formatMoment = (at: string): string => `${formatDay(at.slice(0, 10))}, ${at.slice(11, 16)} UTC`;

/** A note above the table if it does not show all rows. */
function rowsOf({ stats, pager }: StatTable): string {
  if (stats.length > MOST_ROWS)
    return `The first ${formatCountExact(MOST_ROWS)} of ${formatCountExact(stats.length)} rows; the CSV file has all of them. The total covers all rows.`;
  if (pager && pager.last_page > pager.first_page)
    return `Page ${pager.current_page} of ${pager.last_page} of the table. The total covers all rows.`;
  return stats.length === 0 ? "No data in this period." : "";
}

function drawRevenue({ doc, text, y }: { doc: PDFKit.PDFDocument; text: PdfText; y: number }, asked: TablePdf): void {
  const { dates, series, last_series: before } = asked.revenue;
  const hourly = (dates[0]?.length ?? 0) > 10;
  // The running hour or day would be a fall to almost nothing, and those after it are no days without revenue.
  const stepMs = hourly ? HOUR_MS : DAY_MS;
  const finished = dates.filter((at) => Date.parse(at) + stepMs <= asked.madeMs).length;
  const { compare } = asked.query;
  drawLineChart(
    { doc, text, x: BOX.left, y, width: WIDTH, height: CHART_HEIGHT },
    {
      points: dates.map((at) => formatDayShort(at.slice(0, 10)) + (hourly ? `, ${at.slice(11, 16)}` : "")),
      values: series.slice(0, finished),
      before,
      names: {
        values: formatDayRange(asked.query),
        before: compare === "none" ? "" : formatDayRange(comparedRange(asked.query, compare)),
      },
      label: axisMoney,
      least: 1_000_000,
    },
  );
}

/** `$0.50`, `$40`, `$1.5K`: an axis has round steps. */
function axisMoney(micros: number): string {
  const dollars = micros / 1_000_000;
  if (dollars >= 1000) return `$${formatCount(dollars)}`;
  return formatMoneyExact(Math.round(micros)).replace(/\.00$/, "");
}
