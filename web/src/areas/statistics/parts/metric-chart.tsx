import { Button } from "@mantine/core";
import { EARLIEST_DATE, type GraphData, loadingText, notFoundText } from "@millrace/contract";
import { addDays, dayOf, daysIn, previousRange } from "@millrace/units";
import { Suspense, useMemo } from "react";
import type { ChartMetric, Filter } from "../../../shared/filters/address.ts";
import type { Line } from "../../../ui/charts/line-chart.tsx";
import { LazyLineChart } from "../../../ui/charts/lazy-charts.ts";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { ChartSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Scope, usePart } from "../api.ts";
import { openPoint, tickOf, tickStep, titleNow, titleOf, untilNow } from "../graph-times.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import classes from "./parts.module.css";

const HEIGHT = 250;

interface MetricChartProps {
  scope: Scope;
  metric: ChartMetric;
  onDates: (dates: Pick<Filter, "ds" | "de">) => void;
}

/** The chosen metric over the days, with the equally long time before it dashed behind. */
export function MetricChart({ scope, metric, onDates }: MetricChartProps) {
  const days = daysIn(scope.filter);
  // The call knows the previous revenue itself; any other metric is asked of the days before.
  const graph = usePart("graph_data", scope, {
    pace: "live",
    metrics: metric === "revenue" ? ["revenue", "last_revenue"] : [metric],
  });
  const before = previousScope(scope);
  const earlier = usePart("graph_data", before, {
    metrics: [metric],
    enabled: metric !== "revenue" && before.filter.ds >= EARLIEST_DATE,
  });
  const last = metric === "revenue" ? graph.data?.series.last_revenue : earlier.data?.series[metric];
  const { label } = METRIC_WORDS[metric];

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
      empty={
        <EmptyNote
          title={notFoundText("data")}
          why="Nothing was counted in these days."
          action={
            <Button variant="default" onClick={() => onDates(lastThirtyDays())}>
              Show the last 30 days
            </Button>
          }
        />
      }
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
    <Suspense fallback={<ChartSkeleton height={HEIGHT} />}>
      <LazyLineChart
        label={`${label} from ${titles[0] ?? ""} to ${titles.at(-1) ?? ""}`}
        lines={lines}
        ticks={ticks}
        tickStep={tickStep(dates)}
        titles={titles}
        height={HEIGHT}
      />
    </Suspense>
  );
}

/** The equally long time before; it is over, so it is not read again and again. */
function previousScope(scope: Scope): Scope {
  return { ...scope, filter: { ...scope.filter, ...previousRange(scope.filter) }, live: false };
}

function lastThirtyDays(): Pick<Filter, "ds" | "de"> {
  const today = dayOf(Date.now());
  return { ds: addDays(today, -29), de: today };
}
