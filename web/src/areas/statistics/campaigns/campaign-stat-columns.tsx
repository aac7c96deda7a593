import {
  type CampaignFigure,
  type CampaignOrder,
  type CampaignStatRow,
  type CampaignTable,
  type CampaignView,
  TEXTS,
  UNKNOWN_COUNTRY,
} from "@millrace/contract";
import { formatChange, formatDay } from "@millrace/units";
import { Initials } from "../../../ui/initials.tsx";
import { Change } from "../../../ui/number/change.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { METRIC_WORDS, columnFormat } from "../metric-words.ts";
import { FilterLink } from "../parts/filter-link.tsx";
import classes from "./campaign-table.module.css";

export const CAMPAIGN_VIEW_LABELS = {
  date: "Date",
  campaign: "Campaign",
  country: "Country",
  format: "Format",
  creative: "Creative",
} as const satisfies Record<CampaignView, string>;

interface ColumnsOf extends Pick<CampaignTable, "view" | "stats" | "total"> {
  /** The order of the rows. */
  by: CampaignOrder;
  /** What a day, or any other row, is compared with, in words; null without a comparison. */
  against: ((day: string | null) => string) | null;
}

/** The columns' order on screen: what is spent first. Files keep the order of the calls. */
const ON_SCREEN = [
  "costs",
  "ecpm",
  "impressions",
  "clicks",
  "ctr",
  "conversions",
  "cvr",
  "cpa",
  "view_conversions",
  "requests",
  "fillrate",
] as const satisfies CampaignFigure[];

/** The table's columns: the view's own, then the figures. */
export function campaignStatColumns(asked: ColumnsOf): Column<CampaignStatRow, CampaignOrder>[] {
  const { view, stats, total, by, against } = asked;
  // The bar is under the column that orders the rows, or under costs if they are ordered by name.
  const ranked = by === "name" ? "costs" : by;
  const most = Math.max(0, ...stats.map((row) => row[ranked] ?? 0));
  const name: Column<CampaignStatRow, CampaignOrder> = {
    id: "name",
    head: CAMPAIGN_VIEW_LABELS[view],
    order: "name",
    cell: (row) => (row === total ? totalName(view, stats.length) : <RowName view={view} row={row} />),
    exact: (row) => (row === total ? "" : nameOf(view, row)),
  };
  const [costs, ...others] = ON_SCREEN.map((id): Column<CampaignStatRow, CampaignOrder> => {
    const { label, exact } = METRIC_WORDS[id];
    const format = columnFormat(
      id,
      [...stats, total].map((row) => row[id]),
    );
    return {
      id,
      head: label,
      numeric: true,
      leads: id === "costs",
      order: id,
      cell: (row) => format(row[id]),
      exact: (row) => (row[id] === null ? (MISSING[id] ?? "") : exact(row[id])),
      ...(id === ranked && most > 0 ? { share: (row: CampaignStatRow) => (row[id] ?? 0) / most } : {}),
    };
  });
  const againstOf = against && ((row: CampaignStatRow) => against(view === "date" && row !== total ? row.id : null));
  return [name, ...(costs ? [costs] : []), ...(againstOf ? [changeColumn(againstOf)] : []), ...others];
}

/** The change of a row's costs from the compared period. It is no figure of its own, so nothing is ordered by it. */
const changeColumn = (againstOf: (row: CampaignStatRow) => string): Column<CampaignStatRow, CampaignOrder> => ({
  id: "change",
  head: "Change",
  numeric: true,
  leads: true,
  cell: (row) =>
    row.last_costs === null ? null : (
      <Change
        text={formatChange(row.costs, row.last_costs)}
        against={againstOf(row)}
        none={row.costs > 0 ? "new" : "–"}
        good="neither"
      />
    ),
  exact: (row) => (row.last_costs === null ? "" : `${METRIC_WORDS.costs.exact(row.last_costs)} before`),
});

const totalName = (view: CampaignView, rows: number): string =>
  view === "date" && rows > 1 ? `Total, ${rows} days` : "Total";

/** A row's name, with its picture if it has one. It narrows the page down to it; no filter is by creative. */
function RowName({ view, row }: { view: CampaignView; row: CampaignStatRow }) {
  const name = nameOf(view, row);
  const filter = filterBy(view, row.id);
  const text = filter === undefined ? name : <FilterLink filter={filter}>{name}</FilterLink>;
  if (view === "campaign")
    return (
      <span className={classes.named}>
        <Initials name={name} image={row.image_url ?? null} size={22} /> {text}
      </span>
    );
  if (view === "creative" && row.image_url)
    return (
      <span className={classes.named}>
        <img src={row.image_url} alt="" loading="lazy" /> {text}
      </span>
    );
  return text;
}

/** The filter of a row: a day becomes the page's only day. */
function filterBy(view: CampaignView, id: string): Record<string, string | string[]> | undefined {
  if (view === "creative") return undefined;
  return view === "date" ? { ds: id, de: id } : { [view]: [id] };
}

/** Why a row can lack a figure. */
const MISSING: Partial<Record<CampaignFigure, string>> = {
  fillrate: "no requests",
  ctr: "no impressions",
  cvr: "no clicks",
  cpa: "no conversions",
  ecpm: "no impressions",
};

function nameOf(view: CampaignView, row: CampaignStatRow): string {
  if (view === "country" && row.id === UNKNOWN_COUNTRY) return TEXTS.unknownCountry;
  return view === "date" ? formatDay(row.id) : row.name;
}
