import { lazy } from "react";

// Drawing libraries are larger than the rest of a page together: they come when a chart is shown.
export const LazyLineChart = lazy(async () => ({ default: (await import("./line-chart.tsx")).LineChart }));
export const LazyDonutChart = lazy(async () => ({ default: (await import("./donut-chart.tsx")).DonutChart }));
