import { area, line } from "d3-shape";
import { type Line, cssColor } from "./chart-line.ts";
import { percentAcross, percentUp } from "./chart-scale.ts";
import classes from "./line-chart.module.css";

interface CurvesProps {
  lines: readonly Line[];
  /** The value at the top of the chart. */
  top: number;
}

/** The lines, interrupted where there is no value, and the areas below them. */
export function Curves({ lines, top }: CurvesProps) {
  return (
    <svg className={classes.curves} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {/* Earlier periods lie behind. */}
      {lines
        .toSorted((a, b) => Number(b.dashed === true) - Number(a.dashed === true))
        .map((one) => (
          <g key={one.id} style={{ color: cssColor(one.color) }}>
            {one.area === true ? <path className={classes.area} d={areaOf(one, top)} /> : null}
            <path className={one.dashed === true ? classes.dashed : classes.line} d={lineOf(one, top)} />
          </g>
        ))}
    </svg>
  );
}

const isKnown = (value: number | null) => value !== null;
const xIn = (values: Line["values"]) => (_: unknown, index: number) => percentAcross(index, values.length);
const yBelow = (top: number) => (value: number | null) => 100 - percentUp(value ?? 0, top);

/** SVG path data, in percent of the chart's size. */
const lineOf = ({ values }: Line, top: number): string =>
  line<number | null>(xIn(values), yBelow(top)).defined(isKnown).digits(2)(values) ?? "";

const areaOf = ({ values }: Line, top: number): string =>
  area<number | null>(xIn(values), 100, yBelow(top)).defined(isKnown).digits(2)(values) ?? "";

interface DotsProps extends CurvesProps {
  /** The point that is looked at. */
  point: number | null;
}

/** A dot on each line at the chosen point, and one for a line that is a single point. */
export function Dots({ lines, top, point }: DotsProps) {
  return lines.flatMap(({ id, values, color }) => {
    const known = values.flatMap((value, index) => (value === null ? [] : [index]));
    const shown = known.length === 1 ? known : known.filter((index) => index === point);
    return shown.map((index) => (
      <span
        key={`${id} ${index}`}
        className={classes.dot}
        style={{
          color: cssColor(color),
          left: `${percentAcross(index, values.length)}%`,
          bottom: `${percentUp(values[index] ?? 0, top)}%`,
        }}
      />
    ));
  });
}
