import { type Annotation, loadingText } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import type { ChartMetric } from "../../../shared/filters/address.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import { fetchLineChart } from "../../../ui/charts/lazy-charts.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { ChartSkeleton } from "../../../ui/states/skeletons.tsx";
import { graphMetrics, useAnnotations, usePart } from "../api.ts";
import { placeAnnotations } from "../place-annotations.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import { type Scope, comparedScope } from "../scope.ts";
import { MetricLine, PeriodKey, useChartHeight } from "./metric-line.tsx";
import { NothingCounted } from "./nothing-counted.tsx";

interface MetricChartProps {
  scope: Scope;
  metric: ChartMetric;
}

/** The chosen metric over time, with the compared period as a dashed line. */
export function MetricChart({ scope, metric }: MetricChartProps) {
  const graph = usePart("graph_data", scope, { pace: "live", metrics: graphMetrics(metric) });
  const compared = comparedScope(scope);
  const annotations = useAnnotations(scope);
  const earlier = usePart("graph_data", compared ?? scope, {
    metrics: [metric],
    enabled: metric !== "revenue" && compared !== null,
  });
  const other = compared === null ? undefined : earlier.data?.series[metric];
  const last = metric === "revenue" ? graph.data?.series.last_revenue : other;
  const { label } = METRIC_WORDS[metric];
  const height = useChartHeight();
  const marks = useMarks(annotations, graph.data?.dates[0] ?? NO_DATES, scope.uuid !== null);
  // Loads the chart while the figures are loading.
  useEffect(fetchLineChart, []);

  return (
    <LoadedBlock
      title={label}
      aside={<PeriodKey filter={scope.filter} />}
      query={graph}
      loading={loadingText(label)}
      skeleton={<ChartSkeleton height={height} />}
      minHeight={height}
      isEmpty={(data) => data.dates[0].length === 0}
      empty={<NothingCounted what="data" />}
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
          marks={marks}
        />
      )}
    </LoadedBlock>
  );
}

const NO_DATES: readonly string[] = [];

function useMarks(annotations: readonly Annotation[], dates: readonly string[], ofOneApp: boolean) {
  return useMemo(
    () =>
      placeAnnotations(annotations, dates).map(({ id, at, annotation, apps }) => ({
        id,
        at,
        name: <ChangeName annotation={annotation} apps={ofOneApp ? 0 : apps} />,
      })),
    [annotations, dates, ofOneApp],
  );
}

/** A change by its name, which leads to the settings where it was made; with its app, or their number, among several (0 among one). */
function ChangeName({ annotation, apps }: { annotation: Annotation; apps: number }) {
  const { kind, text, who, at, app } = annotation;
  const mayUse = useMayUse();
  const name = apps === 0 ? text : apps === 1 ? `${app.name}: ${text}` : `${text} in ${apps} apps`;
  const title = `${formatMoment(at)} UTC${who === null ? "" : `, by ${who}`}`;
  const to = kind === "keys" ? PATHS.appDsp : PATHS.appMediation;
  const right = kind === "keys" ? "keys.manage" : "settings.manage";
  if (kind === "sdk" || kind === "flag" || apps > 1 || !mayUse(right)) return <span title={title}>{name}</span>;
  return (
    <Link to={to} params={{ uuid: app.uuid }} search={{}} title={title}>
      {name}
    </Link>
  );
}
