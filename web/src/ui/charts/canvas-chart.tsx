import { useReducedMotion } from "@mantine/hooks";
import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { usePrinting } from "../theme/printing.ts";
import classes from "./charts.module.css";
import { type EChartsCoreOption, type EChartsType, init } from "./echarts-core.ts";
import { type Mark, Marks } from "./marks.tsx";
import { nextPoint } from "./next-point.ts";

interface CanvasChartProps {
  /** Describes the chart to screen readers. */
  label: string;
  option: EChartsCoreOption;
  height: number;
  /** The number of points for the arrow keys, and the text of each. */
  points: number;
  describe: (index: number) => string;
  /** Drawn over the canvas. */
  marks?: readonly Mark[] | undefined;
}

/**
 * A chart on a canvas. It resizes with its container and updates in place. With the keyboard, arrows, Home and End move
 * between the points, which screen readers announce.
 */
export function CanvasChart({ label, option, height, points, describe, marks }: CanvasChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const { chart, width } = useChart(box, option);
  const [point, setPoint] = useState<number | null>(null);

  const show = (index: number | null) => {
    setPoint(index);
    if (index === null) chart.current?.dispatchAction({ type: "hideTip" });
    else chart.current?.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: index });
  };
  const walk = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, point, points);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };

  return (
    <div className={classes.place} style={{ "--chart-height": `${height}px` } as CSSProperties}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- role application: the keys are its own */}
      <div
        className={classes.chart}
        role="application"
        aria-roledescription="chart"
        aria-label={`${label}. Arrow keys move along the points.`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the chart's points are reached by arrow keys
        tabIndex={0}
        onKeyDown={walk}
        onBlur={() => show(null)}
      >
        <div ref={box} className={classes.canvas} style={{ height }} />
        <span className="visually-hidden" aria-live="polite">
          {point === null || point >= points ? "" : describe(point)}
        </span>
      </div>
      {marks && chart.current && width > 0 ? (
        <Marks marks={marks} points={points} xOf={(index) => xOf(chart.current, index)} />
      ) : null}
    </div>
  );
}

const xOf = (chart: EChartsType | null, index: number): number => chart?.convertToPixel({ xAxisIndex: 0 }, index) ?? 0;

interface Drawn {
  chart: RefObject<EChartsType | null>;
  /** The width for which the chart is laid out; 0 before that. */
  width: number;
}

function useChart(box: RefObject<HTMLDivElement | null>, option: EChartsCoreOption): Drawn {
  const chart = useRef<EChartsType | null>(null);
  const [width, setWidth] = useState(0);
  const printing = usePrinting();
  const still = useReducedMotion(false, { getInitialValueInEffect: false }) || printing;
  useEffect(() => {
    if (!box.current) return undefined;
    const made = init(box.current, null, { renderer: "canvas" });
    chart.current = made;
    const watcher = new ResizeObserver(() => {
      made.resize();
      setWidth(made.getWidth());
    });
    watcher.observe(box.current);
    return () => {
      watcher.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, [box]);
  useEffect(() => {
    const motion = still ? { animation: false } : { animationDuration: 180, animationDurationUpdate: 180 };
    chart.current?.setOption({ ...motion, ...option }, { replaceMerge: ["series", "yAxis"] });
    // The browser draws no further frame before it prints.
    if (printing) chart.current?.getZr().flush();
  }, [option, still, printing]);
  return { chart, width };
}
