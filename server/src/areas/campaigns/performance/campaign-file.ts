import {
  CAMPAIGN_FIGURES,
  CAMPAIGN_FORMAT_LABELS,
  type CampaignFigure,
  type CampaignFileQuery,
  type CampaignStatRow,
  type CampaignTable,
  type CampaignView,
  type FileKind,
  narrowed,
} from "@millrace/contract";
import {
  NO_NUMBER,
  decimalDollars,
  formatChange,
  formatCountExact,
  formatMoney,
  formatPercent,
  percentChange,
} from "@millrace/units";
import { MOST_ROWS, csvOf, drawPdf, isWholeDay, plainPercent, shownRows } from "../../apps/index.ts";
import { countryName } from "../../statistics/index.ts";
import { labelOf } from "../campaign-store.ts";
import type { CampaignSelection } from "./select-campaigns.ts";
import { campaignTable } from "./campaign-table.ts";

const VIEW_HEADS = {
  date: "Date",
  campaign: "Campaign",
  country: "Country",
  format: "Format",
  creative: "Creative",
} as const satisfies Record<CampaignView, string>;

interface Figure {
  head: string;
  /** Exact, for spreadsheets. */
  plain: (row: CampaignStatRow) => string | number;
  /** For people. */
  text: (row: CampaignStatRow) => string;
  /** The unit of exact figures. */
  unit?: string;
}

const count = (
  head: string,
  id: "requests" | "impressions" | "clicks" | "conversions" | "view_conversions",
): Figure => ({
  head,
  plain: (row) => row[id],
  text: (row) => formatCountExact(row[id]),
});
const percent = (head: string, id: "fillrate" | "ctr" | "cvr"): Figure => ({
  head,
  unit: "%",
  plain: (row) => plainPercent(row[id]),
  text: (row) => formatPercent(row[id]),
});
const money = (head: string, id: "ecpm" | "cpa" | "costs"): Figure => ({
  head,
  unit: "$",
  plain: (row) => (row[id] === null ? "" : decimalDollars(row[id])),
  text: (row) => formatMoney(row[id]),
});

const FIGURES = {
  requests: count("Requests", "requests"),
  impressions: count("Impressions", "impressions"),
  clicks: count("Clicks", "clicks"),
  fillrate: percent("Fill rate", "fillrate"),
  ctr: percent("CTR", "ctr"),
  conversions: count("Conversions", "conversions"),
  view_conversions: count("View-through conversions", "view_conversions"),
  cvr: percent("Conversion rate", "cvr"),
  cpa: money("Cost per conversion", "cpa"),
  ecpm: money("eCPM", "ecpm"),
  costs: money("Costs", "costs"),
} as const satisfies Record<CampaignFigure, Figure>;

/** The table of a query's view as a file, with its rows on screen. */
export async function campaignFile(
  selection: CampaignSelection,
  { kind, query }: { kind: FileKind; query: CampaignFileQuery },
  { publicUrl, nowMs }: { publicUrl: string; nowMs: number },
): Promise<{ name: string; content: string | Buffer }> {
  const name = `Campaigns-${query.view}-${query.ds}-${query.de}.${kind}`;
  const figures = CAMPAIGN_FIGURES.filter((id) => query.columns.length === 0 || query.columns.includes(id)).map(
    (id) => FIGURES[id],
  );
  const table = await campaignTable(selection);
  const isCompared = figures.includes(FIGURES.costs) && table.total.last_costs !== null;
  if (kind === "csv") return { name, content: await csv(table, { figures, isCompared, de: query.de }) };
  const { dates, series } = await selection.statistics.graph();
  const content = await drawPdf({
    name: "All campaigns",
    publicUrl,
    madeMs: nowMs,
    range: { ds: query.ds, de: query.de },
    compare: query.compare,
    filters: filtersOf(selection),
    money: {
      label: "Costs",
      total: table.total.costs,
      last: table.total.last_costs,
      dates: dates[0],
      series: known(series.costs),
      before: known(series.last_costs),
    },
    comparedUntil: table.compared_until,
    note: shownRows(table),
    heads: [VIEW_HEADS[table.view], ...figures.map(({ head }) => head), ...(isCompared ? ["Change"] : [])],
    rows: table.stats.slice(0, MOST_ROWS).map((row) => [row.name, ...textOf(row, figures, isCompared)]),
    total: ["Total", ...textOf(table.total, figures, isCompared)],
  });
  return { name, content };
}

const known = (values: readonly (number | null)[] = []) => values.map((value) => value ?? 0);

const textOf = (row: CampaignStatRow, figures: readonly Figure[], isCompared: boolean): string[] => [
  ...figures.map(({ text }) => text(row)),
  ...(isCompared ? [formatChange(row.costs, row.last_costs) ?? NO_NUMBER] : []),
];

function csv(
  { view, stats, total, compared_until: until }: CampaignTable,
  { figures, isCompared, de }: { figures: readonly Figure[]; isCompared: boolean; de: string },
): Promise<string> {
  const compared = (row: CampaignStatRow) => [
    row.last_costs === null ? "" : decimalDollars(row.last_costs),
    plainPercent(percentChange(row.costs, row.last_costs)),
    isWholeDay(view, row.id, de) ? "" : (until ?? ""),
  ];
  return csvOf(
    [
      VIEW_HEADS[view],
      ...figures.map(({ head, unit }) => (unit === undefined ? head : `${head}, ${unit}`)),
      ...(isCompared ? ["Costs before, $", "Costs change, %", "Compared until"] : []),
    ],
    [...stats, total],
    (row) => [
      // Dates stay `2026-11-19`, which every spreadsheet reads.
      view === "date" && row !== total ? row.id : row.name,
      ...figures.map(({ plain }) => plain(row)),
      ...(isCompared ? compared(row) : []),
    ],
  );
}

/** The filters and the order of the rows. */
function filtersOf({ query, chosen }: CampaignSelection): string {
  const words = (label: string, values: readonly string[] | null) =>
    values && values.length > 0 ? [`${label}: ${values.join(", ")}`] : [];
  const filters = [
    ...words("Campaigns", narrowed(query.campaign) && chosen.map(labelOf)),
    ...words("Countries", narrowed(query.country)?.map(countryName) ?? null),
    ...words("Formats", narrowed(query.format)?.map((format) => CAMPAIGN_FORMAT_LABELS[format]) ?? null),
  ];
  const by = query.order === "name" ? VIEW_HEADS[query.view] : FIGURES[query.order].head;
  const order = `Ordered by ${by}, ${query.order_type === "asc" ? "ascending" : "descending"}`;
  return [...(filters.length === 0 ? ["No filters"] : filters), order].join(" · ");
}
