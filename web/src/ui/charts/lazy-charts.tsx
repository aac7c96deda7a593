import { Suspense, lazy } from "react";
import { SkeletonBar, ChartSkeleton } from "../states/skeletons.tsx";
import { WhenSeen } from "../when-seen.tsx";
import classes from "./charts.module.css";
import type { DonutProps } from "./donut-chart.tsx";
import type { LineChartProps } from "./line-chart.tsx";

// Drawing libraries are larger than the rest of a page together: they come when a chart is shown. And a chart takes longer
// to draw than the rest of its block, so one that is far below waits until it comes near.

const loadLineChart = () => import("./line-chart.tsx");
const LineChart = lazy(async () => ({ default: (await loadLineChart()).LineChart }));
const DonutChart = lazy(async () => ({ default: (await import("./donut-chart.tsx")).DonutChart }));

/** Fetches what a line chart is drawn with, for where one will stand as soon as its figures are here. */
export const fetchLineChart = (): void => {
  loadLineChart().catch(() => undefined);
};

export function LazyLineChart(props: LineChartProps) {
  const skeleton = <ChartSkeleton height={props.height} />;
  return (
    <WhenSeen fallback={skeleton}>
      <Suspense fallback={skeleton}>
        <LineChart {...props} />
      </Suspense>
    </WhenSeen>
  );
}

export function LazyDonutChart(props: DonutProps) {
  const skeleton = (
    <div className={classes.skeletonRing}>
      <SkeletonBar width="140px" height="140px" round />
    </div>
  );
  return (
    <WhenSeen fallback={skeleton}>
      <Suspense fallback={skeleton}>
        <DonutChart {...props} />
      </Suspense>
    </WhenSeen>
  );
}
