import { useMemo } from "react";
import { type Tokens, useTokens } from "../theme/use-tokens.ts";
import { CanvasChart } from "./canvas-chart.tsx";
import type { EChartsCoreOption } from "./echarts-core.ts";
import { type TipRow, tip } from "./tip.ts";

/** The name of a colour token, so that the colour follows the scheme. */
export type ColorName = "accentLine" | "ghost" | `chart${1 | 2 | 3 | 4 | 5 | 6}`;

export interface Line {
  id: string;
  name: string;
  values: readonly (number | null)[];
  color: ColorName;
  dashed?: boolean;
  area?: boolean;
  /** The unfinished point, whose value still changes: the line to it is dotted. */
  openAt?: number | undefined;
  /** Lines of the same unit share a scale. */
  scale: string;
  /** The short form, for the axis. */
  format: (value: number) => string;
  /** All digits, for the tooltip. */
  exact: (value: number | null) => string;
  /** The title of a point whose time differs from that of the chart. */
  titleAt?: (index: number) => string;
}

export interface LineChartProps {
  label: string;
  lines: readonly Line[];
  /** The labels of the points on the axis, and their full titles for the tooltip. */
  ticks: readonly string[];
  titles: readonly string[];
  /** The interval of labelled points on the axis. */
  tickStep: number;
  height: number;
  smooth?: boolean;
}

/** Lines over time. Each unit has its own scale; the axes of the first two are drawn. */
export function LineChart({ label, lines, ticks, titles, tickStep, height, smooth = false }: LineChartProps) {
  const tokens = useTokens();
  const option = useMemo(
    () => optionOf({ lines, ticks, titles, tickStep, smooth }, tokens),
    [lines, ticks, titles, tickStep, smooth, tokens],
  );
  const describe = (index: number) =>
    [titles[index] ?? "", ...lines.map((line) => `${line.name} ${line.exact(line.values[index] ?? null)}`)].join(", ");
  return <CanvasChart label={label} option={option} height={height} points={ticks.length} describe={describe} />;
}

type Drawn = Pick<LineChartProps, "lines" | "ticks" | "titles" | "tickStep"> & { smooth: boolean };

function optionOf({ lines, ticks, titles, tickStep, smooth }: Drawn, tokens: Tokens): EChartsCoreOption {
  const scales = [...new Set(lines.map((line) => line.scale))];
  const axisFont = { color: tokens.ink3, fontFamily: tokens.font, fontSize: 11 };
  return {
    grid: { left: 2, right: scales.length > 1 ? 2 : 10, top: 12, bottom: 2, containLabel: true },
    xAxis: {
      type: "category",
      data: ticks,
      boundaryGap: false,
      axisLine: { lineStyle: { color: tokens.line } },
      axisTick: { show: false },
      axisLabel: { ...axisFont, hideOverlap: true, margin: 12, interval: tickStep - 1 },
      axisPointer: { lineStyle: { color: tokens.ghost, type: "solid" }, label: { show: false } },
    },
    yAxis: scales.map((scale, index) => ({
      id: scale,
      type: "value",
      position: index === 1 ? "right" : "left",
      show: index < 2 && scales.length <= 2,
      min: 0,
      splitNumber: 4,
      splitLine: { show: index === 0, lineStyle: { color: tokens.lineSoft } },
      axisLabel: { ...axisFont, formatter: lines.find((line) => line.scale === scale)?.format },
    })),
    tooltip: {
      trigger: "axis",
      confine: true,
      transitionDuration: 0,
      padding: 0,
      borderWidth: 0,
      backgroundColor: "transparent",
      extraCssText: "box-shadow:none",
      formatter: (points: unknown) => tipOf(points, lines, titles, tokens),
    },
    series: lines.flatMap((line) => seriesOf(line, smooth, tokens, ticks.length)),
  };
}

function seriesOf(line: Line, smooth: boolean, tokens: Tokens, points: number): object[] {
  const color = tokens[line.color];
  const dashed = line.dashed === true;
  const { openAt = points } = line;
  const drawn = {
    name: line.name,
    type: "line",
    yAxisId: line.scale,
    smooth: smooth ? 0.35 : false,
    smoothMonotone: "x",
    // A single point has no line and is drawn as a dot.
    showSymbol: line.values.filter((value) => value !== null).length === 1,
    symbol: "circle",
    symbolSize: 8,
    emphasis: { scale: 1, lineStyle: { width: dashed ? 1.6 : 2 } },
    itemStyle: { color: tokens.panel, borderColor: color, borderWidth: 2 },
    z: dashed ? 2 : 3,
  };
  const closed = {
    ...drawn,
    id: line.id,
    data: line.values.map((value, index) => (index < openAt || points === 1 ? value : null)),
    lineStyle: { color, width: dashed ? 1.6 : 2, type: dashed ? [4, 4] : "solid" },
    ...(line.area === true ? { areaStyle: { color, opacity: 0.12 } } : {}),
  };
  if (openAt >= points || points === 1) return [closed];
  const open = {
    ...drawn,
    id: `${line.id} so far`,
    data: line.values.map((value, index) => (index === openAt || index === openAt - 1 ? value : null)),
    lineStyle: { color, width: 2, type: [1, 4], cap: "round" },
    ...(line.area === true ? { areaStyle: { color, opacity: 0.05 } } : {}),
  };
  return [closed, open];
}

function tipOf(points: unknown, lines: readonly Line[], titles: readonly string[], tokens: Tokens): HTMLElement {
  const first = (Array.isArray(points) ? points[0] : points) as { dataIndex?: number } | undefined;
  const index = first?.dataIndex ?? 0;
  const rows = lines.map((line): TipRow => {
    const at = line.titleAt?.(index);
    return {
      color: tokens[line.color],
      dashed: line.dashed === true,
      name: at === undefined ? line.name : `${line.name}, ${at}`,
      value: line.exact(line.values[index] ?? null),
    };
  });
  return tip(titles[index] ?? "", rows);
}
