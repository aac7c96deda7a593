import { type Totals, loadingText } from "@millrace/contract";
import type { ReactNode } from "react";
import { CHART_METRICS, type ChartMetric } from "../../../shared/filters/address.ts";
import { Change } from "../../../ui/number/change.tsx";
import { Rolling } from "../../../ui/number/rolling.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { type Tile, TileStrip, TileStripSkeleton } from "../../../ui/tiles/tile-strip.tsx";
import { usePart } from "../api.ts";
import { type Figure, METRIC_WORDS } from "../metric-words.ts";
import type { Scope } from "../scope.ts";
import { type Compared, useCompared } from "../use-compared.ts";
import classes from "./parts.module.css";

interface KeyFiguresProps {
  scope: Scope;
  figures: readonly Figure[];
  metric: ChartMetric;
  onMetric: (metric: ChartMetric) => void;
}

/** The totals with their change from the previous period; choosing one shows it in the chart. */
export function KeyFigures({ scope, figures, metric, onMetric }: KeyFiguresProps) {
  const totals = usePart("totals", scope, { pace: "live" });
  const compared = useCompared(scope);
  return (
    <Loaded
      query={totals}
      loading={loadingText("key figures")}
      skeleton={<TileStripSkeleton labels={figures.map((id) => METRIC_WORDS[id].label)} />}
    >
      {(data) => (
        <TileStrip
          label="Key figures"
          tiles={figures.map((id) => tileOf(id, data, id === "ltv" ? undefined : compared?.(id)))}
          choices={CHART_METRICS}
          chosen={metric}
          onChoose={(id) => {
            const chosen = CHART_METRICS.find((candidate) => candidate === id);
            if (chosen) onMetric(chosen);
          }}
        />
      )}
    </Loaded>
  );
}

function tileOf(id: Figure, totals: Totals, compared: Compared | undefined): Tile<Figure> {
  const { label, short } = METRIC_WORDS[id];
  return {
    id,
    label,
    figure: <Rolling value={totals[id]} format={short} />,
    exact: <Exact id={id} value={totals[id]} compared={compared} />,
    below: below(id, compared),
  };
}

/** All digits, and the figure it is compared with. */
function Exact({ id, value, compared }: { id: Figure; value: number | null; compared: Compared | undefined }) {
  const { label, exact } = METRIC_WORDS[id];
  return (
    <>
      {value === null ? `${label}: ${WHY_NONE[id] ?? "no data in this period"}` : `${label} ${exact(value)}`}
      {compared && compared.before !== null ? (
        <>
          <br />
          {`${compared.against.days}: ${exact(compared.before)}.`}
          {compared.against.open ? " Today is not over yet." : null}
        </>
      ) : null}
    </>
  );
}

/** Why a figure can be missing. */
const WHY_NONE: Partial<Record<Figure, string>> = {
  fillrate: "no requests in this period",
  ecpm: "no impressions in this period",
  ctr: "no impressions in this period",
  sessions: "sessions have no network or format",
  current_session: "no sessions in this period",
  ltv: "no devices seen yet",
};

function below(id: Figure, compared: Compared | undefined): ReactNode {
  if (id === "ltv") return <span className={classes.note}>per device, all time</span>;
  if (!compared) return null;
  return <Change text={compared.change} against={compared.against.days} soFar={compared.soFar} />;
}
