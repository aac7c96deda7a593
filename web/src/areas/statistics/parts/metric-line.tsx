import { useMediaQuery } from "@mantine/hooks";
import { type DayRange, daysIn } from "@millrace/units";
import { useMemo } from "react";
import type { ComparedFilter } from "../../../shared/filters/address.ts";
import { comparedDays } from "../../../shared/filters/compared-period.ts";
import { comparisonText } from "../../../shared/filters/comparison-filter.tsx";
import { LazyLineChart } from "../../../ui/charts/lazy-charts.tsx";
import type { Line, Running } from "../../../ui/charts/line.ts";
import type { LineChartProps } from "../../../ui/charts/line-chart.tsx";
import { finishedValues, openPoint, tickStep, ticksOf, titleNow, titleOf } from "../graph-times.ts";
import { type Figure, METRIC_WORDS } from "../metric-words.ts";
import classes from "./parts.module.css";

/** A phone shows the whole chart without scrolling. */
const HEIGHTS = { phone: 190, wider: 232 };

export const useChartHeight = (): number =>
  useMediaQuery("(max-width: 640px)", false, { getInitialValueInEffect: false }) ? HEIGHTS.phone : HEIGHTS.wider;

/** What the lines are. */
export function PeriodKey({ filter }: { filter: DayRange & Pick<ComparedFilter, "compare"> }) {
  return (
    <span className={classes.key}>
      <span className={classes.keyLine} /> this period
      {comparedDays(filter) === null ? null : (
        <>
          <span className={classes.keyDash} /> {comparisonText(filter.compare, daysIn(filter))}
        </>
      )}
    </span>
  );
}

interface MetricLineProps {
  /** The points of this period and of the compared one. */
  dates: readonly [string[], string[]];
  /** The last finished point. */
  complete: string | null;
  values: readonly (number | null)[] | undefined;
  last: readonly (number | null)[] | undefined;
  /** What the metric reaches at this pace by the end of the running hour or day. */
  pace: number | null;
  metric: Figure;
  height: number;
  marks?: LineChartProps["marks"];
}

/** A metric over time, with the compared period as a dashed line. */
export function MetricLine({ dates: both, complete, values, last, pace, metric, height, marks }: MetricLineProps) {
  const { label, axis, format, exact } = METRIC_WORDS[metric];
  const [dates, lastDates] = both;
  const lines = useMemo((): Line[] => {
    const line = { format: axis, exact };
    const now: Line = {
      ...line,
      id: "now",
      name: "This period",
      values: finishedValues(dates, values ?? [], complete),
      color: "accent-line",
      area: true,
      running: runningPoint({ dates, values: values ?? [], pace, format }),
    };
    if (!last || last.length === 0) return [now];
    const titleAt = (index: number) => (lastDates[index] === undefined ? "" : titleOf(lastDates[index]));
    return [now, { ...line, id: "last", name: "Previous", values: [...last], color: "ghost", dashed: true, titleAt }];
  }, [dates, lastDates, values, last, complete, pace, axis, format, exact]);
  const ticks = useMemo(() => ticksOf(dates), [dates]);
  const titles = useMemo(() => dates.map((date) => titleNow(date, Date.now())), [dates]);
  return (
    <LazyLineChart
      label={`${label} from ${titles[0] ?? ""} to ${titles.at(-1) ?? ""}`}
      lines={lines}
      ticks={ticks}
      tickStep={tickStep(dates)}
      titles={titles}
      height={height}
      {...(marks && { marks })}
    />
  );
}

interface RunningOptions {
  dates: readonly string[];
  values: readonly (number | null)[];
  pace: number | null;
  format: (value: number | null) => string;
}

/** The running hour or day, which is no part of the line. */
function runningPoint({ dates, values, pace, format }: RunningOptions): Running | undefined {
  const nowMs = Date.now();
  const at = openPoint(dates, nowMs);
  if (at === undefined) return undefined;
  const soFar = values[at] ?? null;
  const until = new Date(nowMs).toISOString().slice(11, 16);
  return { at, soFar, soFarText: `${format(soFar)} by ${until}`, pace, paceText: `pace ${format(pace)}` };
}
