import { loadingText } from "@millrace/contract";
import type { DayRange } from "@millrace/units";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { ComparedFilter } from "../../../shared/filters/address.ts";
import { fetchLineChart } from "../../../ui/charts/lazy-charts.tsx";
import type { LineChartProps } from "../../../ui/charts/line-chart.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { ChartSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Figure, METRIC_WORDS } from "../metric-words.ts";
import { MetricLine, PeriodKey, useChartHeight } from "./metric-line.tsx";

interface Graph<Id extends Figure> {
  dates: [string[], string[]];
  complete_until: string | null;
  series: Partial<Record<Id, (number | null)[]>>;
  pace: { values: Partial<Record<Id, number | null>> } | null;
}

interface MetricOverTimeProps<Id extends Figure> {
  metric: Id;
  filter: DayRange & Pick<ComparedFilter, "compare">;
  graph: UseQueryResult<Graph<Id>>;
  /** The compared period's values; undefined until they are loaded, and without a comparison. */
  last: (number | null)[] | undefined;
  marks?: LineChartProps["marks"];
  /** Stands in place of a chart without points. */
  empty: ReactNode;
}

/** A metric over time with the compared period as a dashed line, while it loads and when it fails. */
export function MetricOverTime<Id extends Figure>(props: MetricOverTimeProps<Id>) {
  const { metric, filter, graph, last, marks, empty } = props;
  const { label } = METRIC_WORDS[metric];
  const height = useChartHeight();
  // Loads the chart while the figures are loading.
  useEffect(fetchLineChart, []);
  return (
    <LoadedBlock
      title={label}
      aside={<PeriodKey filter={filter} />}
      query={graph}
      loading={loadingText(label)}
      skeleton={<ChartSkeleton height={height} />}
      minHeight={height}
      isEmpty={({ dates }) => dates[0].length === 0}
      empty={empty}
    >
      {({ dates, complete_until, series, pace }) => (
        <MetricLine
          dates={dates}
          complete={complete_until}
          values={series[metric]}
          last={last}
          pace={pace?.values[metric] ?? null}
          metric={metric}
          height={height}
          {...(marks && { marks })}
        />
      )}
    </LoadedBlock>
  );
}
