import {
  type CampaignFigure,
  type CampaignOrder,
  type CampaignStatRow,
  type CampaignTable,
  type CampaignView,
  TEXTS,
  UNKNOWN_COUNTRY,
} from "@millrace/contract";
import { formatDay } from "@millrace/units";
import { Initials } from "../../../ui/initials.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { changeColumn, figureColumns } from "../figure-columns.tsx";
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
export function campaignStatColumns(table: ColumnsOf): Column<CampaignStatRow, CampaignOrder>[] {
  const { view, stats, total, by, against } = table;
  const name: Column<CampaignStatRow, CampaignOrder> = {
    id: "name",
    head: CAMPAIGN_VIEW_LABELS[view],
    order: "name",
    cell: (row) => (row === total ? totalName(view, stats.length) : <RowName view={view} row={row} />),
    exact: (row) => (row === total ? "" : nameOf(view, row)),
  };
  const [costs, ...others] = figureColumns<CampaignFigure, CampaignStatRow>({
    ids: ON_SCREEN,
    leading: "costs",
    rows: stats,
    total,
    ranked: by === "name" ? "costs" : by,
    missing: MISSING,
  });
  const change =
    against &&
    changeColumn<CampaignStatRow>({
      money: (row) => [row.costs, row.last_costs],
      against: (row) => against(view === "date" && row !== total ? row.id : null),
      good: "neither",
    });
  return [name, ...(costs ? [costs] : []), ...(change ? [change] : []), ...others];
}

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
