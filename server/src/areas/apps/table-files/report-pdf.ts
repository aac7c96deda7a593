import type { ComparisonKind } from "@millrace/contract";
import {
  DAY_MS,
  type DayRange,
  HOUR_MS,
  comparedRange,
  dayOf,
  formatChange,
  formatCount,
  formatDay,
  formatDayRange,
  formatDayShort,
  formatMoney,
  formatMoneyExact,
} from "@millrace/units";
import { LIGHT } from "../../../platform/brand.ts";
import { drawBrand } from "../../../platform/pdf/draw-brand.ts";
import { drawLineChart } from "../../../platform/pdf/draw-line-chart.ts";
import { drawTable, extentOf } from "../../../platform/pdf/draw-table.ts";
import { makePdf } from "../../../platform/pdf/make-pdf.ts";
import { type PdfText, pdfText } from "../../../platform/pdf/pdf-text.ts";

/** A table with a chart of its money, as a document shows them. Plain data, so that it can be sent to a thread. */
export interface Report {
  /** The name of the app or account. */
  name: string;
  /** The platform's origin, such as `https://ads.example.com`. */
  publicUrl: string;
  madeMs: number;
  range: DayRange;
  compare: ComparisonKind;
  /** The filters and the order, in words. */
  filters: string;
  /** What stands above the table without a chart, such as balances. */
  facts?: readonly string[];
  /** Its chart; null for none. */
  money: {
    /** What it is: `Revenue`. */
    label: string;
    total: number;
    last: number | null;
    /** Days, or the starts of hours. */
    dates: readonly string[];
    series: readonly number[];
    before: readonly number[];
  } | null;
  /** The moment at which the compared figures end. */
  comparedUntil: string | null;
  /** Above the table, if it does not show all rows. */
  note: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  total: readonly string[];
  /** A second table below the first. */
  appendix?: { title: string; heads: readonly string[]; rows: readonly (readonly string[])[] };
}

type Money = NonNullable<Report["money"]>;
export type OnPage = (page: number, pages: number) => void;

const MARGIN = 36;
const PAGE = { width: 841.89, height: 595.28 };
const BOX = { left: MARGIN, right: PAGE.width - MARGIN, top: MARGIN, bottom: PAGE.height - MARGIN - 14 };
const CHART_HEIGHT = 150;
/** The height of the title above a second table, the gap before it, and the room in which it begins. */
const TITLE_HEIGHT = 20;
const GAP = 22;
const FEW_LINES = 60;
/** The first column of a second table has sentences. */
const MOST_SENTENCE = 0.45;
const QUIET = { size: 8.5, color: LIGHT.ink2 };
const MARK = 13;
const WIDTH = BOX.right - BOX.left;

/**
 * Whose numbers, dates and filters, time of creation; a chart of the money against the days before; the table, and a
 * second one if there is one. Calls `onPage` for each drawn page.
 */
export async function reportPdf(report: Report, onPage: OnPage = () => undefined): Promise<Buffer> {
  const { name, range, madeMs, publicUrl, money, heads, rows, total, appendix } = report;
  const title = `${name}, ${formatDayRange(range)}`;
  const platform = `Millrace at ${publicUrl.replace(/^https?:\/\//, "")}`;
  return makePdf({ title, creator: "Millrace", madeMs }, async (doc) => {
    const text = await pdfText(doc);
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
    const made = `Created on ${formatDay(dayOf(madeMs))} at ${new Date(madeMs).toISOString().slice(11, 16)} UTC`;
    put(`${formatDayRange(range)} (UTC) · ${made}`, QUIET, 13);
    for (const line of text.lines(report.filters, WIDTH, 3, QUIET)) put(line, QUIET, 13);
    y += 8;
    const fact = { size: 10, bold: true, color: LIGHT.ink };
    for (const line of report.facts ?? []) put(line, fact, 16);
    if (money) {
      put(moneyOf(report, money), fact, 16);
      drawMoney({ doc, text, y }, report, money);
      y += CHART_HEIGHT + 14;
    }
    for (const line of text.lines(report.note, WIDTH, 1, QUIET)) put(line, QUIET, 14);

    const place = { doc, text, top: y, box: BOX };
    const table = { heads, rows, total };
    const { pages: tablePages, bottom } = extentOf(table, place);
    const fits = bottom + GAP + TITLE_HEIGHT + FEW_LINES <= BOX.bottom;
    const below = { ...place, top: (fits ? bottom + GAP : BOX.top) + TITLE_HEIGHT };
    const more = appendix && { ...appendix, mostName: MOST_SENTENCE };
    const pages = tablePages + (more ? extentOf(more, below).pages - (fits ? 1 : 0) : 0);
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
    await drawTable(place, table);
    if (!more) return;
    if (!fits) doc.addPage();
    text.write(more.title, BOX.left, below.top - TITLE_HEIGHT, fact);
    await drawTable(below, more);
  });
}

const AGAINST = {
  previous: "in the previous period",
  weekdays: "on the same weekdays before",
  none: "",
} as const satisfies Record<ComparisonKind, string>;

function moneyOf({ compare, comparedUntil }: Report, { label, total, last }: Money): string {
  const change = formatChange(total, last);
  const until = comparedUntil === null ? "" : `, until ${formatMoment(comparedUntil)}`;
  const against = change === null ? "" : `, ${change} against ${formatMoney(last)} ${AGAINST[compare]}${until}`;
  return `${label} ${formatMoney(total)}${against}`;
}

/** `Nov 21st, 2026, 06:12 UTC`. */
const formatMoment = (at: string): string => `${formatDay(at.slice(0, 10))}, ${at.slice(11, 16)} UTC`;

function drawMoney(
  { doc, text, y }: { doc: PDFKit.PDFDocument; text: PdfText; y: number },
  report: Report,
  { dates, series, before }: Money,
): void {
  const hourly = (dates[0]?.length ?? 0) > 10;
  // The running hour or day would be a fall to almost nothing, and those after it are no days without money.
  const stepMs = hourly ? HOUR_MS : DAY_MS;
  const finished = dates.filter((at) => Date.parse(at) + stepMs <= report.madeMs).length;
  const { compare, range } = report;
  drawLineChart(
    { doc, text, x: BOX.left, y, width: WIDTH, height: CHART_HEIGHT },
    {
      points: dates.map((at) => formatDayShort(at.slice(0, 10)) + (hourly ? `, ${at.slice(11, 16)}` : "")),
      values: series.slice(0, finished),
      before: [...before],
      names: {
        values: formatDayRange(range),
        before: compare === "none" ? "" : formatDayRange(comparedRange(range, compare)),
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
