import { useMemo } from "react";
import { type Tokens, useTokens } from "../theme/use-tokens.ts";
import { CanvasChart } from "./canvas-chart.tsx";
import type { EChartsCoreOption } from "./echarts-core.ts";
import type { Mark } from "./marks.tsx";
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
  /** The unfinished point. The line ends before it. */
  running?: Running | undefined;
  /** The short form, for the axis. */
  format: (value: number) => string;
  /** All digits, for the tooltip. */
  exact: (value: number | null) => string;
  /** The title of a point whose time differs from that of the chart. */
  titleAt?: (index: number) => string;
}

/** The running hour or day: a bar for what it has so far, and a ring for what it reaches at this pace. */
export interface Running {
  at: number;
  soFar: number | null;
  soFarText: string;
  pace: number | null;
  paceText: string;
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
  marks?: readonly Mark[];
}

/** Lines over time on one scale. */
export function LineChart({ label, lines, ticks, titles, tickStep, height, marks }: LineChartProps) {
  const tokens = useTokens();
  const marked = marks !== undefined && marks.length > 0;
  const option = useMemo(
    () => optionOf({ lines, ticks, titles, tickStep, marked }, tokens),
    [lines, ticks, titles, tickStep, marked, tokens],
  );
  const describe = (index: number) =>
    [titles[index] ?? "", ...lines.map((line) => `${line.name} ${valueAt(line, index)}`)].join(", ");
  return (
    <CanvasChart
      label={label}
      option={option}
      height={height}
      points={ticks.length}
      describe={describe}
      marks={marked ? marks : undefined}
    />
  );
}

type Drawn = Pick<LineChartProps, "lines" | "ticks" | "titles" | "tickStep"> & { marked: boolean };

function optionOf({ lines, ticks, titles, tickStep, marked }: Drawn, tokens: Tokens): EChartsCoreOption {
  const axisFont = { color: tokens.ink3, fontFamily: tokens.font, fontSize: 11 };
  return {
    grid: { left: 2, right: 10, top: marked ? 26 : 12, bottom: 2, containLabel: true },
    xAxis: {
      type: "category",
      data: ticks,
      boundaryGap: false,
      axisLine: { lineStyle: { color: tokens.line } },
      axisTick: { show: false },
      axisLabel: { ...axisFont, hideOverlap: true, margin: 12, interval: tickStep - 1 },
      axisPointer: { lineStyle: { color: tokens.ghost, type: "solid" }, label: { show: false } },
    },
    yAxis: {
      id: "scale",
      type: "value",
      min: 0,
      splitNumber: 4,
      splitLine: { lineStyle: { color: tokens.lineSoft } },
      axisLabel: { ...axisFont, formatter: lines[0]?.format },
    },
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
    series: lines.flatMap((line) => seriesOf(line, tokens)),
  };
}

function seriesOf(line: Line, tokens: Tokens): object[] {
  const color = tokens[line.color];
  const dashed = line.dashed === true;
  const drawn = {
    id: line.id,
    name: line.name,
    type: "line",
    // A single point has no line and is drawn as a dot.
    showSymbol: line.values.filter((value) => value !== null).length === 1,
    symbol: "circle",
    symbolSize: 8,
    emphasis: { scale: 1, lineStyle: { width: dashed ? 1.6 : 2 } },
    itemStyle: { color: tokens.panel, borderColor: color, borderWidth: 2 },
    lineStyle: { color, width: dashed ? 1.6 : 2, type: dashed ? [4, 4] : "solid" },
    z: dashed ? 2 : 3,
    data: line.values,
    ...(line.area === true ? { areaStyle: { color, opacity: 0.12 } } : {}),
  };
  return line.running ? [drawn, ...runningSeries(line, line.running, tokens)] : [drawn];
}

/** The unfinished point, which is no part of the line: a dive to what it has so far would be no news. */
function runningSeries(line: Line, { at, soFar, soFarText, pace, paceText }: Running, tokens: Tokens): object[] {
  const color = tokens[line.color];
  const only = (value: number | null) => line.values.map((_, index) => (index === at ? value : null));
  const font = { color, fontFamily: tokens.font, fontSize: 11, fontWeight: 600 };
  // The panel's colour keeps the words apart from the lines behind them.
  const text = { show: true, ...font, backgroundColor: tokens.panel, padding: [1, 3], borderRadius: 3 };
  const bar = {
    id: `${line.id} so far`,
    type: "bar",
    barWidth: 6,
    clip: false,
    itemStyle: { color, borderRadius: [2, 2, 0, 0] },
    label: { ...text, color: tokens.ink, position: "left", distance: 6, formatter: () => soFarText },
    emphasis: { disabled: true },
    z: 4,
    data: only(soFar),
  };
  if (pace === null) return [bar];
  const before = line.values[at - 1] ?? null;
  // Words beside a falling line would lie on it; below it they end before the bar.
  const isFalling = before !== null && pace < before;
  const ring = {
    id: `${line.id} pace`,
    type: "line",
    clip: false,
    symbol: "circle",
    symbolSize: 8,
    lineStyle: { color, width: 2, type: [1, 4], cap: "round" },
    itemStyle: { color: tokens.panel, borderColor: color, borderWidth: 2 },
    emphasis: { disabled: true },
    z: 4,
    data: line.values.map((_, index) => {
      if (index === at - 1) return { value: before, symbol: "none" };
      if (index !== at) return null;
      return {
        value: pace,
        label: { ...text, position: isFalling ? [-2, 13] : [10, -16], align: "right", formatter: () => paceText },
      };
    }),
  };
  return [bar, ring];
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
      value: valueAt(line, index),
    };
  });
  return tip(titles[index] ?? "", rows);
}

/** The value of a point with all digits; of the unfinished one, what it has so far and its pace. */
function valueAt({ values, running, exact }: Line, index: number): string {
  if (running?.at !== index) return exact(values[index] ?? null);
  return running.pace === null ? running.soFarText : `${running.soFarText}, ${running.paceText}`;
}
