import { type APP_ORDERS, type AppMetrics, type AppRow, PLATFORM_LABELS, type RightName } from "@millrace/contract";
import {
  formatCount,
  formatCountExact,
  formatEcpm,
  formatLtv,
  formatMoney,
  formatMoneyExact,
  formatPercent,
  formatPercentExact,
} from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { SdkPill } from "../../../shared/apps/sdk-pill.tsx";
import type { Search } from "../../../shared/filters/address.ts";
import { PATHS } from "../../../shared/paths.ts";
import { Initials } from "../../../ui/initials.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { AppActions } from "./app-actions.tsx";
import classes from "./parts.module.css";

export type AppOrder = (typeof APP_ORDERS)[number];

/** A row of the list: an app, or null for the total. */
export interface AppLine {
  app: AppRow | null;
  metrics: AppMetrics;
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

export interface Doing {
  /** Dates and filters, which a row's link keeps. */
  carried: Search;
  may: (right: RightName) => boolean;
  onDelete: (app: AppRow) => void;
}

/** The list's columns. */
export function appColumns(doing: Doing): Column<AppLine, AppOrder>[] {
  return [
    {
      id: "name",
      head: "App",
      order: "name",
      cell: ({ app }) => (app ? <AppCell app={app} {...doing} /> : "Total"),
    },
    figures("uniques", "Uniques", formatCount, formatCountExact),
    figures("sessions", "Sessions", formatCount, formatCountExact),
    figures("requests", "Requests", formatCount, formatCountExact),
    figures("impressions", "Impressions", formatCount, formatCountExact),
    figures("fillrate", "Fill rate", formatPercent, formatPercentExact),
    figures("ecpm", "eCPM", formatEcpm, formatMoneyExact),
    figures("revenue", "Revenue", formatMoney, formatMoneyExact),
    figures("ltv", "LTV", formatLtv, formatMoneyExact),
  ];
}

function AppCell({ app, carried, ...doing }: Doing & { app: AppRow }) {
  return (
    <div className={classes.app}>
      <Link to={PATHS.appPerformance} params={{ uuid: app.uuid }} search={carried} className={classes.appLink}>
        <Initials name={app.name} image={app.logo_url} size={32} />
        <span className={classes.appName}>
          {app.name}{" "}
          <small>
            {PLATFORM_LABELS[app.platform]} <span>· {app.bundle_id}</span>
          </small>
          <span className="visually-hidden">: statistics</span>
        </span>
      </Link>
      <div className={classes.aside}>
        <SdkPill app={app} />
        <AppActions app={app} {...doing} />
      </div>
    </div>
  );
}
