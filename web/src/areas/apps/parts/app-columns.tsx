import { type APP_ORDERS, type AppMetrics, type AppRow, PLATFORM_LABELS, type RightName } from "@millrace/contract";
import {
  formatChange,
  formatCount,
  formatCountExact,
  formatLtv,
  formatMoneyExact,
  formatMoneyTo,
  formatPercentExact,
  formatRate,
  moneyDecimals,
} from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { SdkPill } from "../../../shared/apps/sdk-pill.tsx";
import type { Search } from "../../../shared/filters/address.ts";
import { PATHS } from "../../../shared/paths.ts";
import { Initials } from "../../../ui/initials.tsx";
import { Change } from "../../../ui/number/change.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { AppActions } from "./app-actions.tsx";
import classes from "./parts.module.css";

export type AppOrder = (typeof APP_ORDERS)[number];

/** A row of the list: an app, or null for the total. */
export interface AppLine {
  app: AppRow | null;
  metrics: AppMetrics & { last_revenue: number | null };
}

type FigureOf = (metrics: AppMetrics) => number | null;
type Format = (value: number | null) => string;

function figures(
  id: AppOrder & keyof AppMetrics,
  head: string,
  format: Format,
  exact: Format,
): Column<AppLine, AppOrder> {
  const figure: FigureOf = (metrics) => metrics[id];
  return {
    id,
    head,
    numeric: true,
    order: id,
    cell: ({ metrics }) => format(figure(metrics)),
    exact: ({ metrics }) => exact(figure(metrics)),
  };
}

export interface AppColumnOptions {
  /** Dates and filters, which a row's link keeps. */
  carried: Search;
  /** The compared period in words; null without a comparison. */
  against: string | null;
  may: (right: RightName) => boolean;
  onDelete: (app: AppRow) => void;
}

/** The change of an app's revenue from the compared period. */
const changeColumn = (against: string): Column<AppLine, AppOrder> => ({
  id: "change",
  head: "Change",
  numeric: true,
  leads: true,
  cell: ({ metrics: { revenue, last_revenue: before } }) =>
    before === null ? null : (
      <Change text={formatChange(revenue, before)} against={against} none={revenue > 0 ? "new" : "–"} />
    ),
  exact: ({ metrics }) => (metrics.last_revenue === null ? "" : `${formatMoneyExact(metrics.last_revenue)} before`),
});

/** Money with as many decimals as the column needs. */
function moneyOf(lines: readonly AppLine[], id: "revenue" | "ecpm"): Format {
  const decimals = moneyDecimals(lines.map(({ metrics }) => metrics[id]));
  return (micros) => formatMoneyTo(micros, decimals);
}

/** The columns of a list with these lines, what is earned first. */
export function appColumns(lines: readonly AppLine[], options: AppColumnOptions): Column<AppLine, AppOrder>[] {
  return [
    {
      id: "name",
      head: "App",
      order: "name",
      cell: ({ app }) => (app ? <AppCell app={app} {...options} /> : "Total"),
    },
    { ...figures("revenue", "Revenue", moneyOf(lines, "revenue"), formatMoneyExact), leads: true },
    ...(options.against === null ? [] : [changeColumn(options.against)]),
    figures("ecpm", "eCPM", moneyOf(lines, "ecpm"), formatMoneyExact),
    figures("impressions", "Impressions", formatCount, formatCountExact),
    figures("requests", "Requests", formatCount, formatCountExact),
    figures("fillrate", "Fill rate", formatRate, formatPercentExact),
    figures("uniques", "Uniques", formatCount, formatCountExact),
    figures("sessions", "Sessions", formatCount, formatCountExact),
    figures("ltv", "LTV", formatLtv, formatMoneyExact),
  ];
}

function AppCell({ app, carried, may, onDelete }: AppColumnOptions & { app: AppRow }) {
  return (
    <div className={classes.app}>
      <Link to={PATHS.appPerformance} params={{ uuid: app.uuid }} search={carried} className={classes.appLink}>
        <Initials name={app.name} image={app.logo_url} size={32} />
        <span className={classes.appName} title={app.name}>
          {app.name}{" "}
          <small title={app.bundle_id}>
            {PLATFORM_LABELS[app.platform]} {app.bundle_id === "" ? null : <span>· {app.bundle_id}</span>}
          </small>
          <span className="visually-hidden">: statistics</span>
        </span>
      </Link>
      <div className={classes.aside}>
        <SdkPill app={app} />
        <AppActions app={app} may={may} onDelete={onDelete} />
      </div>
    </div>
  );
}
