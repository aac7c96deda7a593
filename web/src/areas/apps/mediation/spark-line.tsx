import { formatMoney } from "@millrace/units";
import classes from "./scorecard.module.css";

const WIDTH = 84;
const HEIGHT = 22;
const PADDING = 3;

/** A small line of money by day, from zero, with a dot at the last day. Screen readers are told its ends and its bounds. */
export function SparkLine({ values }: { values: readonly number[] }) {
  const highest = Math.max(...values);
  if (highest <= 0) return <span className={classes.faint}>–</span>;
  const points = values.map((value, index) => [
    PADDING + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * PADDING),
    HEIGHT - PADDING - (Math.max(0, value) / highest) * (HEIGHT - 2 * PADDING),
  ]);
  const [x = 0, y = 0] = points.at(-1) ?? [];
  return (
    <>
      <svg
        className={classes.spark}
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden="true"
      >
        <polyline points={points.map((point) => point.map((value) => value?.toFixed(1)).join()).join(" ")} />
        <circle cx={x} cy={y} r="2.4" />
      </svg>
      <span className="visually-hidden">
        from {formatMoney(values[0] ?? 0)} to {formatMoney(values.at(-1) ?? 0)}, lowest{" "}
        {formatMoney(Math.min(...values))}, highest {formatMoney(highest)}
      </span>
    </>
  );
}
