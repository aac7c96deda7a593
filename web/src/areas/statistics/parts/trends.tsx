import { type GraphData, loadingText } from "@millrace/contract";
import { useMemo } from "react";
import type { ChartMetric } from "../../../shared/filters/address.ts";
import { type Multiple, SmallMultiples } from "../../../ui/charts/small-multiples.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { ChartSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { finishedValues, titleOf } from "../graph-times.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import type { Scope } from "../scope.ts";
import { NothingCounted } from "./nothing-counted.tsx";

const METRICS = ["requests", "impressions", "fillrate", "clicks", "ecpm", "revenue"] as const satisfies ChartMetric[];
const HEIGHT = 200;

/** Six metrics over time, each on its own scale, to see which ones move together. A name shows its metric in the chart above. */
export function Trends({ scope, onMetric }: { scope: Scope; onMetric: (metric: ChartMetric) => void }) {
  const graph = usePart("graph_data", scope, { metrics: [...METRICS] });
  return (
    <LoadedBlock
      title="Trends"
      query={graph}
      loading={loadingText("trends")}
      skeleton={<ChartSkeleton height={HEIGHT} />}
      minHeight={HEIGHT}
      isEmpty={(data) => data.dates[0].length === 0}
      empty={<NothingCounted what="data" />}
    >
      {(data) => <Charts data={data} onMetric={onMetric} />}
    </LoadedBlock>
  );
}

function Charts({ data, onMetric }: { data: GraphData; onMetric: (metric: ChartMetric) => void }) {
  const [dates] = data.dates;
  const multiples = useMemo(
    () =>
      METRICS.map((metric): Multiple => {
        const { label, axis, format } = METRIC_WORDS[metric];
        return {
          id: metric,
          label,
          name: (
            <button type="button" aria-label={`Show ${label} in the chart`} onClick={() => onMetric(metric)}>
              {label}
            </button>
          ),
          values: finishedValues(dates, data.series[metric] ?? [], data.complete_until),
          axis,
          format,
        };
      }),
    [dates, data.series, data.complete_until, onMetric],
  );
  const titles = useMemo(() => dates.map(titleOf), [dates]);
  return <SmallMultiples label="Six metrics over time" multiples={multiples} titles={titles} />;
}
