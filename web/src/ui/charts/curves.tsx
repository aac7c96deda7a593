import { area, line } from "d3-shape";
import { percentUp } from "./chart-scale.ts";
import classes from "./line-chart.module.css";
import { type Line, cssColor } from "./line.ts";
import { percentAcross } from "./points.ts";

interface CurvesProps {
  lines: readonly Line[];
  /** The number of points across the chart. Further values of a line, of days that are no longer shown, are left out. */
  points: number;
  /** The value at the top of the chart. */
  top: number;
}

/** The lines, interrupted where there is no value, and the areas below them. */
export function Curves({ lines, points, top }: CurvesProps) {
  const xOf = (_: unknown, index: number) => percentAcross(index, points);
  const yOf = (value: number | null) => 100 - percentUp(value ?? 0, top);
  const lineOf = line<number | null>(xOf, yOf).defined(isKnown).digits(2);
  const areaOf = area<number | null>(xOf, 100, yOf).defined(isKnown).digits(2);
  return (
    <svg className={classes.curves} viewBox="0 0 100 100" preserveAspectRatio="none">
      {/* Earlier periods lie behind. */}
      {lines
        .toSorted((a, b) => Number(b.dashed === true) - Number(a.dashed === true))
        .map(({ id, color, dashed, area: isFilled, values: all }) => {
          const values = all.slice(0, points);
          return (
            <g key={id} style={{ color: cssColor(color) }}>
              {isFilled === true ? <path className={classes.area} d={areaOf(values) ?? ""} /> : null}
              <path className={dashed === true ? classes.dashed : classes.line} d={lineOf(values) ?? ""} />
            </g>
          );
        })}
    </svg>
  );
}

const isKnown = (value: number | null | undefined) => value !== null && value !== undefined;

interface DotsProps extends CurvesProps {
  /** The highlighted point. */
  point: number | null;
}

/** A dot on each line at the highlighted point, and one for each value between two gaps, of which there is no line. */
export function Dots({ lines, points, top, point }: DotsProps) {
  return lines.flatMap(({ id, values, color }) =>
    values.slice(0, points).flatMap((value, index) => {
      const isAlone = !isKnown(values[index - 1]) && !isKnown(values[index + 1]);
      if (value === null || (index !== point && !isAlone)) return [];
      const place = { left: `${percentAcross(index, points)}%`, bottom: `${percentUp(value, top)}%` };
      return [
        <span key={`${id} ${place.left}`} className={classes.dot} style={{ color: cssColor(color), ...place }} />,
      ];
    }),
  );
}
