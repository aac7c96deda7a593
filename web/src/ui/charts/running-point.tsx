import type { CSSProperties } from "react";
import { type Line, type Running, cssColor } from "./chart-line.ts";
import { percentAcross, percentUp } from "./chart-scale.ts";
import classes from "./line-chart.module.css";

interface RunningPointProps extends Pick<Line, "color" | "values"> {
  running: Running;
  /** The value at the top of the chart. */
  top: number;
}

/** The unfinished point, which is no part of the line: a dive to what it has so far would be no news. */
export function RunningPoint({
  running: { at, soFar, soFarText, pace, paceText },
  values,
  color,
  top,
}: RunningPointProps) {
  const [x, xBefore] = [percentAcross(at, values.length), percentAcross(at - 1, values.length)];
  const before = values[at - 1] ?? null;
  const y = (value: number) => percentUp(value, top);
  const place = { "--x": `${x}%`, color: cssColor(color) } as CSSProperties;
  return (
    <>
      {soFar === null ? null : (
        <span className={classes.soFar} style={{ ...place, height: `${y(soFar)}%` }}>
          <span>{soFarText}</span>
        </span>
      )}
      {pace === null ? null : (
        <>
          {before === null ? null : (
            <svg className={classes.curves} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
              <line
                className={classes.toPace}
                style={{ color: cssColor(color) }}
                x1={xBefore}
                y1={100 - y(before)}
                x2={x}
                y2={100 - y(pace)}
              />
            </svg>
          )}
          {/* Words beside a falling line would lie on it; below it they end before the bar. */}
          <span
            className={classes.pace}
            data-falling={before !== null && pace < before ? "" : undefined}
            style={{ ...place, bottom: `${y(pace)}%` }}
          >
            <span>{paceText}</span>
          </span>
        </>
      )}
    </>
  );
}
