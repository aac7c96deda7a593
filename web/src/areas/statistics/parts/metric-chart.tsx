import type { Annotation } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { ChartMetric } from "../../../shared/filters/address.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import { graphMetrics, useAnnotations, usePart } from "../api.ts";
import { placeAnnotations } from "../place-annotations.ts";
import { type Scope, comparedScope } from "../scope.ts";
import { MetricOverTime } from "./metric-over-time.tsx";
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
  const marks = useMarks(annotations, graph.data?.dates[0] ?? NO_DATES, scope.uuid !== null);
  return (
    <MetricOverTime
      metric={metric}
      filter={scope.filter}
      graph={graph}
      last={last}
      marks={marks}
      empty={<NothingCounted what="data" />}
    />
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
