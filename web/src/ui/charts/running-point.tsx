import type { CSSProperties } from "react";
import { percentUp } from "./chart-scale.ts";
import classes from "./line-chart.module.css";
import { type Running, cssColor } from "./line.ts";
import { percentAcross } from "./points.ts";

interface RunningPointProps {
  running: Running;
  /** The value of the point before it. */
  before: number | null;
  color: Parameters<typeof cssColor>[0];
  points: number;
  /** The value at the top of the chart. */
  top: number;
}

/** Left of this share of the chart's width, in percent, words have more room on the right. */
const LEFT_SIDE = 35;

/** The unfinished point, which is no part of the line: a dive to what it has so far would be no news. */
export function RunningPoint({ running, before, color, points, top }: RunningPointProps) {
  const { at, soFar, soFarText, pace, paceText } = running;
  const x = percentAcross(at, points);
  const side = x < LEFT_SIDE ? "right" : "left";
  const place = { "--x": `${x}%`, color: cssColor(color) } as CSSProperties;
  return (
    <>
      {soFar === null ? null : (
        <span className={classes.soFar} data-words={side} style={{ ...place, height: `${percentUp(soFar, top)}%` }}>
          <span>{soFarText}</span>
        </span>
      )}
      {pace === null || before === null ? null : (
        <svg className={classes.curves} viewBox="0 0 100 100" preserveAspectRatio="none">
          <line
            className={classes.toPace}
            style={{ color: cssColor(color) }}
            x1={percentAcross(at - 1, points)}
            y1={100 - percentUp(before, top)}
            x2={x}
            y2={100 - percentUp(pace, top)}
          />
        </svg>
      )}
      {pace === null ? null : (
        // Words beside a falling line would lie on it; below it they end before the bar.
        <span
          className={classes.pace}
          data-words={side}
          data-falling={before !== null && pace < before ? "" : undefined}
          style={{ ...place, bottom: `${percentUp(pace, top)}%` }}
        >
          <span>{paceText}</span>
        </span>
      )}
    </>
  );
}
