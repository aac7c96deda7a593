import { type GraphData, loadingText } from "@millrace/contract";
import { useMemo, useState } from "react";
import type { ChartMetric } from "../../../shared/filters/address.ts";
import type { Line } from "../../../ui/charts/line-chart.tsx";
import { LazyLineChart } from "../../../ui/charts/lazy-charts.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { ChartSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { openPoint, tickOf, tickStep, titleNow, untilNow } from "../graph-times.ts";
import { METRIC_COLORS, METRIC_WORDS } from "../metric-words.ts";
import type { Scope } from "../scope.ts";
import { NothingCounted } from "./nothing-counted.tsx";
import classes from "./parts.module.css";

const METRICS = ["requests", "impressions", "fillrate", "clicks", "ecpm", "revenue"] as const satisfies ChartMetric[];
type TrendMetric = (typeof METRICS)[number];
const FIRST: readonly TrendMetric[] = ["requests", "impressions"];
const HEIGHT = 370;

/** Several metrics over time, to see which ones move together. */
export function Trends({ scope }: { scope: Scope }) {
  const [shown, setShown] = useState<readonly TrendMetric[]>(FIRST);
  // Requests all six at once, so that showing a line needs no call.
  const graph = usePart("graph_data", scope, { metrics: [...METRICS] });
  const toggle = (metric: TrendMetric) => {
    const next = shown.includes(metric) ? shown.filter((other) => other !== metric) : [...shown, metric];
    if (next.length > 0) setShown(METRICS.filter((other) => next.includes(other)));
  };
  return (
    <LoadedBlock
      title="Trends"
      aside={
        <div className={classes.toggles} role="group" aria-label="Lines of the chart">
          {METRICS.map((metric) => (
            <button key={metric} type="button" aria-pressed={shown.includes(metric)} onClick={() => toggle(metric)}>
              <span data-color={METRIC_COLORS[metric]} />
              {METRIC_WORDS[metric].label}
            </button>
          ))}
        </div>
      }
      query={graph}
      loading={loadingText("trends")}
      skeleton={<ChartSkeleton height={HEIGHT} />}
      minHeight={HEIGHT}
      isEmpty={(data) => data.dates[0].length === 0}
      empty={<NothingCounted what="data" />}
    >
      {(data) => <Chart data={data} shown={shown} />}
    </LoadedBlock>
  );
}

/** Counts share a scale; money and percentages have their own. */
const SCALES = {
  requests: "count",
  impressions: "count",
  clicks: "clicks",
  fillrate: "percent",
  ecpm: "ecpm",
  revenue: "revenue",
} as const satisfies Record<TrendMetric, string>;

function Chart({ data, shown }: { data: GraphData; shown: readonly TrendMetric[] }) {
  const [dates] = data.dates;
  const lines = useMemo(
    () =>
      shown.map((metric): Line => {
        const { label, axis, exact } = METRIC_WORDS[metric];
        const values = untilNow(dates, data.series[metric] ?? [], Date.now());
        return {
          id: metric,
          name: label,
          values,
          color: METRIC_COLORS[metric],
          scale: SCALES[metric],
          openAt: openPoint(dates, Date.now()),
          format: axis,
          exact,
        };
      }),
    [dates, data.series, shown],
  );
  const ticks = useMemo(() => dates.map(tickOf), [dates]);
  const titles = useMemo(() => dates.map((date) => titleNow(date, Date.now())), [dates]);
  const scales = new Set(shown.map((metric) => SCALES[metric])).size;
  return (
    <>
      <LazyLineChart
        label={`${shown.map((metric) => METRIC_WORDS[metric].label).join(", ")} over time`}
        lines={lines}
        ticks={ticks}
        tickStep={tickStep(dates)}
        titles={titles}
        height={HEIGHT}
        smooth
      />
      <p className={classes.note}>
        {scales > 2 ? "Each unit has its own scale; point at the chart for the exact figures." : "\u00A0"}
      </p>
    </>
  );
}
