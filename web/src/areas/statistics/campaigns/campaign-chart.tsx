import type { CampaignFigure } from "@millrace/contract";
import { comparedDays } from "../../../shared/filters/compared-period.ts";
import { MetricOverTime } from "../parts/metric-over-time.tsx";
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
  return (
    <MetricOverTime metric={metric} filter={scope} graph={graph} last={last} empty={<NothingBought what="data" />} />
  );
}
