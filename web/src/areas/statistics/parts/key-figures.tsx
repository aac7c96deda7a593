import { type Totals, loadingText } from "@millrace/contract";
import { daysIn, formatChange, formatDayRange, formatPointChange, previousRange } from "@millrace/units";
import type { ReactNode } from "react";
import { CHART_METRICS, type ChartMetric } from "../../../shared/filters/address.ts";
import { Change } from "../../../ui/number/change.tsx";
import { Rolling } from "../../../ui/number/rolling.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { type Tile, TileStrip, TileStripSkeleton } from "../../../ui/tiles/tile-strip.tsx";
import { type Scope, usePart } from "../api.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import classes from "./parts.module.css";

const SHOWN = [
  "revenue",
  "ecpm",
  "impressions",
  "requests",
  "fillrate",
  "uniques",
  "sessions",
  "current_session",
  "ltv",
] as const;
type Shown = (typeof SHOWN)[number];

const FEW_DAYS = 7;

interface KeyFiguresProps {
  scope: Scope;
  metric: ChartMetric;
  onMetric: (metric: ChartMetric) => void;
}

/** The totals of the days with their change against the days before; choosing one shows it in the chart. */
export function KeyFigures({ scope, metric, onMetric }: KeyFiguresProps) {
  const totals = usePart("totals", scope, { pace: "live" });
  const before = formatDayRange(previousRange(scope.filter));
  return (
    <Loaded
      query={totals}
      loading={loadingText("key figures")}
      skeleton={<TileStripSkeleton labels={SHOWN.map((id) => METRIC_WORDS[id].label)} />}
    >
      {(data) => (
        <TileStrip
          label="Key figures"
          tiles={SHOWN.map((id) =>
            tileOf(id, data, {
              days: before,
              open: scope.live,
              partial: scope.live && daysIn(scope.filter) <= FEW_DAYS,
            }),
          )}
          choices={CHART_METRICS}
          chosen={metric}
          onChoose={(id) => {
            if (id !== "current_session" && id !== "ltv") onMetric(id);
          }}
        />
      )}
    </Loaded>
  );
}

/** The days before, and whether the days themselves are not over yet. */
interface Against {
  days: string;
  /** Today is among the days. */
  open: boolean;
  /** Today is so much of the days that what it still lacks shows in their sums. */
  partial: boolean;
}

function tileOf(id: Shown, totals: Totals, against: Against): Tile<Shown> {
  const { label, short } = METRIC_WORDS[id];
  return {
    id,
    label,
    figure: <Rolling value={totals[id]} format={short} />,
    exact: <Exact id={id} totals={totals} against={against} />,
    below: below(id, totals, against),
  };
}

/** All digits, and the figure it is measured against. */
function Exact({ id, totals, against }: { id: Shown; totals: Totals; against: Against }) {
  const { label, exact } = METRIC_WORDS[id];
  const value = totals[id];
  const before = id === "ltv" || id === "current_session" ? null : totals[`last_${id}`];
  return (
    <>
      {value === null ? `${label}: ${WHY_NONE[id] ?? "no data in these days"}` : `${label} ${exact(value)}`}
      {before === null ? null : (
        <>
          <br />
          {`${against.days}: ${exact(before)}.`}
          {against.open ? " Today is not over." : null}
        </>
      )}
    </>
  );
}

/** Why a figure can be missing. */
const WHY_NONE: Partial<Record<Shown, string>> = {
  fillrate: "no requests in these days",
  ecpm: "no impressions in these days",
  current_session: "no sessions in these days",
  ltv: "no devices seen yet",
};

function below(id: Shown, totals: Totals, against: Against): ReactNode {
  if (id === "ltv") return <span className={classes.note}>per device, ever</span>;
  if (id === "current_session") return <span className={classes.note}>mean length</span>;
  if (id === "fillrate") {
    return <Change text={formatPointChange(totals.fillrate, totals.last_fillrate)} against={against.days} />;
  }
  const soFar = against.partial && id !== "ecpm";
  return <Change text={formatChange(totals[id], totals[`last_${id}`])} against={against.days} soFar={soFar} />;
}
