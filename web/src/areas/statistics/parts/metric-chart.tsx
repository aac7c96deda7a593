import { type Annotation, type GraphData, type Pace, loadingText } from "@millrace/contract";
import { daysIn } from "@millrace/units";
import { useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import type { ChartMetric } from "../../../shared/filters/address.ts";
import { comparisonText } from "../../../shared/filters/comparison-filter.tsx";
import { formatMoment } from "../../../shared/day-text.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import type { Line, Running } from "../../../ui/charts/line-chart.tsx";
import { LazyLineChart, fetchLineChart } from "../../../ui/charts/lazy-charts.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { ChartSkeleton } from "../../../ui/states/skeletons.tsx";
import { graphMetrics, useAnnotations, usePart } from "../api.ts";
import { finishedValues, openPoint, tickStep, ticksOf, titleNow, titleOf } from "../graph-times.ts";
import { placeAnnotations } from "../place-annotations.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import { type Scope, comparedScope } from "../scope.ts";
import { NothingCounted } from "./nothing-counted.tsx";
import classes from "./parts.module.css";

/** A phone shows the whole chart without scrolling. */
const HEIGHTS = { phone: 190, wider: 232 };

const useHeight = (): number =>
  useMediaQuery("(max-width: 640px)", false, { getInitialValueInEffect: false }) ? HEIGHTS.phone : HEIGHTS.wider;

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
  const height = useHeight();
  // Loads the chart while the figures are loading.
  useEffect(fetchLineChart, []);

  return (
    <LoadedBlock
      title={label}
      aside={
        <span className={classes.key}>
          <span className={classes.keyLine} /> this period
          {compared === null ? null : (
            <>
              <span className={classes.keyDash} /> {comparisonText(scope.filter.compare, daysIn(scope.filter))}
            </>
          )}
        </span>
      }
      query={graph}
      loading={loadingText(label)}
      skeleton={<ChartSkeleton height={height} />}
      minHeight={height}
      isEmpty={(data) => data.dates[0].length === 0}
      empty={<NothingCounted what="data" />}
    >
      {(data) => (
        <Chart
          data={data}
          last={last}
          metric={metric}
          height={height}
          annotations={annotations}
          ofOneApp={scope.uuid !== null}
        />
      )}
    </LoadedBlock>
  );
}

interface ChartProps {
  data: GraphData;
  last: (number | null)[] | undefined;
  metric: ChartMetric;
  height: number;
  annotations: readonly Annotation[];
  ofOneApp: boolean;
}

function Chart({ data, last, metric, height, annotations, ofOneApp }: ChartProps) {
  const { label, axis, format, exact } = METRIC_WORDS[metric];
  const [dates, lastDates] = data.dates;
  const { complete_until: complete, pace } = data;
  const values = data.series[metric];
  const lines = useMemo((): Line[] => {
    const line = { format: axis, exact };
    const now: Line = {
      ...line,
      id: "now",
      name: "This period",
      values: finishedValues(dates, values ?? [], complete),
      color: "accentLine",
      area: true,
      running: runningPoint({ dates, values: values ?? [], pace: paceOf(pace, metric), format }),
    };
    if (!last || last.length === 0) return [now];
    const titleAt = (index: number) => (lastDates[index] === undefined ? "" : titleOf(lastDates[index]));
    return [now, { ...line, id: "last", name: "Previous", values: last, color: "ghost", dashed: true, titleAt }];
  }, [dates, lastDates, values, last, metric, complete, pace, axis, format, exact]);
  const ticks = useMemo(() => ticksOf(dates), [dates]);
  const titles = useMemo(() => dates.map((date) => titleNow(date, Date.now())), [dates]);
  const marks = useMemo(
    () =>
      placeAnnotations(annotations, dates).map(({ id, at, annotation, apps }) => ({
        id,
        at,
        name: <ChangeName annotation={annotation} apps={ofOneApp ? 0 : apps} />,
      })),
    [annotations, dates, ofOneApp],
  );
  return (
    <LazyLineChart
      label={`${label} from ${titles[0] ?? ""} to ${titles.at(-1) ?? ""}`}
      lines={lines}
      ticks={ticks}
      tickStep={tickStep(dates)}
      titles={titles}
      height={height}
      marks={marks}
    />
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

/** What a metric reaches at this pace by the end of the running hour or day. */
const paceOf = (pace: Pace | null, metric: ChartMetric): number | null => pace?.values[metric] ?? null;

interface RunningOf {
  dates: readonly string[];
  values: readonly (number | null)[];
  pace: number | null;
  format: (value: number | null) => string;
}

/** The running hour or day, which is no part of the line. */
function runningPoint({ dates, values, pace, format }: RunningOf): Running | undefined {
  const nowMs = Date.now();
  const at = openPoint(dates, nowMs);
  if (at === undefined) return undefined;
  const soFar = values[at] ?? null;
  const until = new Date(nowMs).toISOString().slice(11, 16);
  return { at, soFar, soFarText: `${format(soFar)} by ${until}`, pace, paceText: `pace ${format(pace)}` };
}
