import { later } from "../later.tsx";
import { ChartSkeleton } from "../states/skeletons.tsx";
import type { LineChartProps } from "./line-chart.tsx";

const LineChart = later<LineChartProps>(async () => (await import("./line-chart.tsx")).LineChart);

/** Preloads the code of line charts while their figures are loading. */
export const fetchLineChart = LineChart.fetch;

/** A line chart, whose code is no part of a page's first load. */
export function LazyLineChart(props: LineChartProps) {
  return <LineChart {...props} fallback={<ChartSkeleton height={props.height} />} />;
}
