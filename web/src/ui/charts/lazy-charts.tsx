import { Suspense, lazy } from "react";
import { SkeletonBar, ChartSkeleton } from "../states/skeletons.tsx";
import { WhenSeen } from "../when-seen.tsx";
import classes from "./charts.module.css";
import type { DonutProps } from "./donut-chart.tsx";
import type { LineChartProps } from "./line-chart.tsx";

// The chart library is larger than the rest of a page, so it is loaded when a chart is shown. Drawing a chart is slow
// too, so a chart far below is only drawn when it is scrolled near.

const loadLineChart = () => import("./line-chart.tsx");
const LineChart = lazy(async () => ({ default: (await loadLineChart()).LineChart }));
const DonutChart = lazy(async () => ({ default: (await import("./donut-chart.tsx")).DonutChart }));

/** Preloads the code of line charts while their figures are loading. */
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
