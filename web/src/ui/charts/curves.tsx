import { area, line } from "d3-shape";
import { percentAcross } from "./chart-scale.ts";
import classes from "./line-chart.module.css";
import { type Line, cssColor } from "./chart-line.ts";

/** The drawing's own units; it is stretched to the chart's size. */
const WIDTH = 1000;
const HEIGHT = 1000;

interface CurvesProps {
  lines: readonly Line[];
  /** The value at the top of the chart. */
  top: number;
}

/** The lines, interrupted where there is no value, and the areas below them. */
export function Curves({ lines, top }: CurvesProps) {
  return (
    <svg className={classes.curves} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
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
const yOf = (value: number | null, top: number) => HEIGHT * (1 - (value ?? 0) / top);
const xIn = (values: Line["values"]) => (_: unknown, index: number) =>
  (WIDTH * percentAcross(index, values.length)) / 100;

/** SVG path data. */
const lineOf = ({ values }: Line, top: number): string =>
  line<number | null>(xIn(values), (value) => yOf(value, top))
    .defined(isKnown)
    .digits(1)(values) ?? "";

const areaOf = ({ values }: Line, top: number): string =>
  area<number | null>(xIn(values), HEIGHT, (value) => yOf(value, top))
    .defined(isKnown)
    .digits(1)(values) ?? "";

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
          bottom: `${(100 * (values[index] ?? 0)) / top}%`,
        }}
      />
    ));
  });
}
