import { type CampaignFigure, loadingText } from "@millrace/contract";
import { useEffect } from "react";
import { comparedDays } from "../../../shared/filters/compared-period.ts";
import { fetchLineChart } from "../../../ui/charts/lazy-charts.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { ChartSkeleton } from "../../../ui/states/skeletons.tsx";
import { METRIC_WORDS } from "../metric-words.ts";
import { MetricLine, PeriodKey, useChartHeight } from "../parts/metric-line.tsx";
import { graphMetrics, useCampaignPart } from "./api.ts";
import type { CampaignScope } from "./campaign-address.ts";
import { NothingBought } from "./nothing-bought.tsx";

/** The chosen figure over time, with the compared period as a dashed line. */
export function CampaignChart({ scope, metric }: { scope: CampaignScope; metric: CampaignFigure }) {
  const graph = useCampaignPart("graph_data", scope, { pace: "live", metrics: graphMetrics(metric) });
  const days = comparedDays(scope);
  const earlier = useCampaignPart(
    "graph_data",
    { ...scope, ...days, compare: "none" },
    { metrics: [metric], enabled: metric !== "costs" && days !== null },
  );
  const other = days === null ? undefined : earlier.data?.series[metric];
  const last = metric === "costs" ? graph.data?.series.last_costs : other;
  const { label } = METRIC_WORDS[metric];
  const height = useChartHeight();
  // Loads the chart while the figures are loading.
  useEffect(fetchLineChart, []);
  return (
    <LoadedBlock
      title={label}
      aside={<PeriodKey filter={scope} />}
      query={graph}
      loading={loadingText(label)}
      skeleton={<ChartSkeleton height={height} />}
      minHeight={height}
      isEmpty={(data) => data.dates[0].length === 0}
      empty={<NothingBought what="data" />}
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
        />
      )}
    </LoadedBlock>
  );
}
