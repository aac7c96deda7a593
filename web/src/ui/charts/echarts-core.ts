import { BarChart, LineChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { init, use as draw } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

// Only the parts that our charts use: the whole library is four times as large.
draw([BarChart, LineChart, GridComponent, TooltipComponent, CanvasRenderer]);

export { init };
export type { EChartsCoreOption, EChartsType } from "echarts/core";
