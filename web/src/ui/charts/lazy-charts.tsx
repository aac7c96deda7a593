import { later } from "../later.tsx";
import { ChartSkeleton } from "../states/skeletons.tsx";
import { WhenSeen } from "../when-seen.tsx";
import type { LineChartProps } from "./line-chart.tsx";

// The chart library is larger than the rest of a page, so it is loaded when a chart is shown. Drawing a chart is slow
// too, so a chart far below is only drawn when it is scrolled near.

const LineChart = later<LineChartProps>(async () => (await import("./line-chart.tsx")).LineChart);

/** Preloads the code of line charts while their figures are loading. */
export const fetchLineChart = LineChart.fetch;

export function LazyLineChart(props: LineChartProps) {
  const skeleton = <ChartSkeleton height={props.height} />;
  return (
    <WhenSeen fallback={skeleton}>
      <LineChart {...props} fallback={skeleton} />
    </WhenSeen>
  );
}
