import { type GraphData, loadingText } from "@millrace/contract";
import { daysIn } from "@millrace/units";
import { useEffect, useMemo } from "react";
import type { ChartMetric } from "../../../shared/filters/address.ts";
import type { Line } from "../../../ui/charts/line-chart.tsx";
import { LazyLineChart, fetchLineChart } from "../../../ui/charts/lazy-charts.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { ChartSkeleton } from "../../../ui/states/skeletons.tsx";
import { graphMetrics, usePart } from "../api.ts";
import { openPoint, tickOf, tickStep, titleNow, titleOf, untilNow } from "../graph-times.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import { type Scope, hasPrevious, previousScope } from "../scope.ts";
import { NothingCounted } from "./nothing-counted.tsx";
import classes from "./parts.module.css";

const HEIGHT = 250;

interface MetricChartProps {
  scope: Scope;
  metric: ChartMetric;
}

/** The chosen metric over time, with the previous period as a dashed line. */
export function MetricChart({ scope, metric }: MetricChartProps) {
  const days = daysIn(scope.filter);
  const graph = usePart("graph_data", scope, { pace: "live", metrics: graphMetrics(metric) });
  const earlier = usePart("graph_data", previousScope(scope), {
    metrics: [metric],
    enabled: metric !== "revenue" && hasPrevious(scope),
  });
  const last = metric === "revenue" ? graph.data?.series.last_revenue : earlier.data?.series[metric];
  const { label } = METRIC_WORDS[metric];
  // Loads the chart while the figures are loading.
  useEffect(fetchLineChart, []);

  return (
    <LoadedBlock
      title={label}
      aside={
        <span className={classes.key}>
          <span className={classes.keyLine} /> this period
          <span className={classes.keyDash} /> previous {days === 1 ? "day" : `${days} days`}
        </span>
      }
      query={graph}
      loading={loadingText(label)}
      skeleton={<ChartSkeleton height={HEIGHT} />}
      minHeight={HEIGHT}
      isEmpty={(data) => data.dates[0].length === 0}
      empty={<NothingCounted what="data" />}
    >
      {(data) => <Chart data={data} last={last} metric={metric} />}
    </LoadedBlock>
  );
}

function Chart({ data, last, metric }: { data: GraphData; last: (number | null)[] | undefined; metric: ChartMetric }) {
  const { label, axis, exact } = METRIC_WORDS[metric];
  const [dates, lastDates] = data.dates;
  const values = data.series[metric];
  const lines = useMemo((): Line[] => {
    const line = { scale: metric, format: axis, exact };
    const now: Line = {
      ...line,
      id: "now",
      name: "This period",
      values: untilNow(dates, values ?? [], Date.now()),
      color: "accentLine",
      area: true,
      openAt: openPoint(dates, Date.now()),
    };
    if (!last || last.length === 0) return [now];
    const titleAt = (index: number) => (lastDates[index] === undefined ? "" : titleOf(lastDates[index]));
    return [now, { ...line, id: "last", name: "Previous", values: last, color: "ghost", dashed: true, titleAt }];
  }, [dates, lastDates, values, last, metric, axis, exact]);
  const ticks = useMemo(() => dates.map(tickOf), [dates]);
  const titles = useMemo(() => dates.map((date) => titleNow(date, Date.now())), [dates]);
  return (
    <LazyLineChart
      label={`${label} from ${titles[0] ?? ""} to ${titles.at(-1) ?? ""}`}
      lines={lines}
      ticks={ticks}
      tickStep={tickStep(dates)}
      titles={titles}
      height={HEIGHT}
    />
  );
}
