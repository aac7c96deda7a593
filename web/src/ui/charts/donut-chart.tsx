import { type ReactNode, useMemo } from "react";
import { type Tokens, useTokens } from "../theme/use-tokens.ts";
import { CanvasChart } from "./canvas-chart.tsx";
import type { EChartsCoreOption } from "./echarts-core.ts";
import type { SliceColor } from "./stable-colors.ts";
import { tip } from "./tip.ts";

export interface Slice {
  id: string;
  name: string;
  value: number;
  color: SliceColor;
  /** Replaces the name in the legend, for example by a link. */
  text?: ReactNode;
}

export interface DonutProps {
  label: string;
  slices: readonly Slice[];
  /** The short form, for the legend and the total. */
  format: (value: number) => string;
  exact: (value: number) => string;
  /** Formats the slice's share of the total. */
  share: (value: number) => string;
  /** The text in the middle of the ring. */
  total: string;
}

/** The ring only; donut.tsx renders its legend and total as text. */
export function DonutChart({ label, slices, exact, share }: DonutProps) {
  const tokens = useTokens();
  const option = useMemo(() => optionOf({ slices, exact, share }, tokens), [slices, exact, share, tokens]);
  const describe = (index: number) => {
    const slice = slices[index];
    return slice ? `${slice.name} ${exact(slice.value)}, ${share(slice.value)}` : "";
  };
  return <CanvasChart label={label} option={option} height={150} points={slices.length} describe={describe} />;
}

interface Drawn {
  dataIndex: number;
}

function optionOf({ slices, exact, share }: Pick<DonutProps, "slices" | "exact" | "share">, tokens: Tokens) {
  const sum = slices.reduce((total, { value }) => total + value, 0);
  const labelOf = (index: number) => `${Math.round((100 * (slices[index]?.value ?? 0)) / sum)}%`;
  const option: EChartsCoreOption = {
    yAxis: [],
    tooltip: {
      trigger: "item",
      confine: true,
      transitionDuration: 0,
      padding: 0,
      borderWidth: 0,
      backgroundColor: "transparent",
      extraCssText: "box-shadow:none",
      formatter: (point: unknown) => {
        const slice = slices[(point as Drawn).dataIndex];
        if (!slice) return "";
        return tip(slice.name, [{ color: tokens[slice.color], name: share(slice.value), value: exact(slice.value) }]);
      },
    },
    series: [
      {
        id: "ring",
        type: "pie",
        radius: [46, 62],
        center: ["50%", "50%"],
        // Slices too thin for a label are labelled only in the legend.
        minShowLabelAngle: 24,
        label: {
          color: tokens.ink2,
          fontFamily: tokens.font,
          fontSize: 11,
          formatter: ({ dataIndex }: Drawn) => labelOf(dataIndex),
        },
        labelLine: { length: 5, length2: 4, lineStyle: { color: tokens.ghost } },
        emphasis: { scaleSize: 4, itemStyle: { color: "inherit" } },
        itemStyle: { borderColor: tokens.panel, borderWidth: 2 },
        data: slices.map((slice) => ({
          name: slice.name,
          value: slice.value,
          itemStyle: { color: tokens[slice.color] },
        })),
      },
    ],
  };
  return option;
}
