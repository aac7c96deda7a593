import { later } from "../later.tsx";
import { ChartSkeleton } from "../states/skeletons.tsx";
import type { LineChartProps } from "./line-chart.tsx";

const LineChart = later<LineChartProps>(async () => (await import("./line-chart.tsx")).LineChart);

/** Preloads the code of line charts while their figures are loading. */
export const fetchLineChart = LineChart.fetch;

/** A line chart. Its code is loaded after the page's. */
export function LazyLineChart(props: LineChartProps) {
  return <LineChart {...props} fallback={<ChartSkeleton height={props.height} />} />;
}
