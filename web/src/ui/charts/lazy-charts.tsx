import { Suspense, lazy } from "react";
import { ChartSkeleton } from "../states/skeletons.tsx";
import { WhenSeen } from "../when-seen.tsx";
import type { LineChartProps } from "./line-chart.tsx";

// The chart library is larger than the rest of a page, so it is loaded when a chart is shown. Drawing a chart is slow
// too, so a chart far below is only drawn when it is scrolled near.

const loadLineChart = () => import("./line-chart.tsx");
const LineChart = lazy(async () => ({ default: (await loadLineChart()).LineChart }));

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
