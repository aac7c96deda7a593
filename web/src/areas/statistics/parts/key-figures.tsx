import { TEXTS, type Totals, loadingText } from "@millrace/contract";
import type { ReactNode } from "react";
import { CHART_METRICS, type ChartMetric } from "../../../shared/filters/address.ts";
import { HalfGauge } from "../../../ui/gauge/half-gauge.tsx";
import { Change } from "../../../ui/number/change.tsx";
import { Rolling } from "../../../ui/number/rolling.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { type Tile, TileStrip, TileStripSkeleton } from "../../../ui/tiles/tile-strip.tsx";
import { usePart } from "../api.ts";
import { type Figure, METRIC_WORDS } from "../metric-words.ts";
import type { PublisherScope, Scope } from "../scope.ts";
import { type Compared, useCompared } from "../use-compared.ts";
import { NotCounted } from "./not-counted.tsx";
import classes from "./parts.module.css";

interface KeyFiguresProps {
  scope: Scope;
  figures: readonly Figure[];
  metric: ChartMetric;
  onMetric: (metric: ChartMetric) => void;
}

/** The totals with their change from the compared period; choosing one shows it in the chart. */
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
        <div>
          {scope.uuid === null ? <SampleNote scope={scope} /> : null}
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
          <NotCounted scope={scope} />
        </div>
      )}
    </Loaded>
  );
}

/** Sample apps stand beside others, so it is said that they are among the totals. */
function SampleNote({ scope }: { scope: PublisherScope }) {
  const hasSamples = usePart("top_apps", scope).data?.some((app) => app.is_sample === 1) ?? false;
  if (!hasSamples) return null;
  return (
    <p className={classes.sampleNote} role="note">
      {TEXTS.sampleFigures}
    </p>
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
    ...(isRate(id) ? { beside: <HalfGauge label={label} percent={totals[id]} figure={short(totals[id])} /> } : {}),
  };
}

/** All digits, and the figure it is compared with. */
function Exact({ id, value, compared }: { id: Figure; value: number | null; compared: Compared | undefined }) {
  const { label, exact } = METRIC_WORDS[id];
  return (
    <>
      {value === null ? `${label}: ${WHY_NONE[id] ?? "no data in this period"}` : `${label} ${exact(value)}`}
      {MADE_OF[id] === undefined ? null : (
        <>
          <br />
          {MADE_OF[id]}
        </>
      )}
      {compared && compared.before !== null ? (
        <>
          <br />
          {`${compared.against}: ${exact(compared.before)}`}
        </>
      ) : null}
    </>
  );
}

/** The rates with a gauge. */
const isRate = (id: Figure): id is "fillrate" | "use_rate" => id === "fillrate" || id === "use_rate";

/** How a figure is calculated, where its name does not say it. */
const MADE_OF: Partial<Record<Figure, string>> = {
  ecpm: "revenue / impressions × 1,000",
  fillrate: "impressions / requests",
  use_rate: "uniques / sessions",
  ctr: "clicks / impressions",
  current_session: "per session",
  ltv: "per device, all time",
};

/** Why a figure can be missing. */
const WHY_NONE: Partial<Record<Figure, string>> = {
  fillrate: "no requests in this period",
  ecpm: "no impressions in this period",
  ctr: "no impressions in this period",
  sessions: "sessions have no network or format",
  use_rate: "no sessions in this period",
  current_session: "no sessions in this period",
  ltv: "no devices seen yet",
};

function below(id: Figure, compared: Compared | undefined): ReactNode {
  if (id === "ltv") return <span className={classes.note}>all time</span>;
  if (!compared) return null;
  return <Change text={compared.change} against={compared.against} />;
}
