import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from "react";
import { percentAcross, percentUp, pointNear, scaleFor } from "./chart-scale.ts";
import { Curves, Dots } from "./curves.tsx";
import classes from "./line-chart.module.css";
import { type Line, cssColor } from "./chart-line.ts";
import { type Mark, MarkKey, MarkLines, namesFit } from "./marks.tsx";
import { nextPoint } from "./next-point.ts";
import { RunningPoint } from "./running-point.tsx";
import { Tip } from "./tip.tsx";

export interface LineChartProps {
  label: string;
  lines: readonly Line[];
  /** The labels of the points on the axis, and their full titles for the tip. */
  ticks: readonly string[];
  titles: readonly string[];
  /** The interval of labelled points on the axis. */
  tickStep: number;
  /** In pixels, with the axis. */
  height: number;
  marks?: readonly Mark[];
}

const NO_MARKS: readonly Mark[] = [];

/**
 * Lines over time on one scale. Pointing at it shows the values of a point; with the keyboard, arrows, Home and End move
 * between the points, which screen readers announce. Everything stands at shares of the chart's size, so that it fits any
 * width, and paper, without being drawn again.
 */
export function LineChart({ label, lines, ticks, titles, tickStep, height, marks = NO_MARKS }: LineChartProps) {
  const [chosen, choose] = useState<number | null>(null);
  const points = ticks.length;
  const point = chosen !== null && chosen < points ? chosen : null;
  const scale = scaleFor(lines.flatMap(valuesOf), lines[0]?.format ?? String);
  const describe = (index: number) =>
    [titles[index] ?? "", ...lines.map((line) => `${line.name} ${valueAt(line, index)}`)].join(", ");
  const walk = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, point, points);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };
  const pick = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    choose(points === 0 ? null : pointNear((event.clientX - box.left) / box.width, points));
  };
  // A finger leaves at once: what it pointed at stays until something else is touched.
  const leave = (event: PointerEvent) => {
    if (event.pointerType !== "touch") choose(null);
  };

  return (
    <div className={classes.place} data-letters={namesFit(marks, points) ? undefined : ""}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- role application: the keys are its own */}
      <div
        className={classes.chart}
        style={{ height }}
        data-marked={marks.length > 0 ? "" : undefined}
        role="application"
        aria-roledescription="chart"
        aria-label={`${label}. Arrow keys move along the points.`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the chart's points are reached by arrow keys
        tabIndex={0}
        onKeyDown={walk}
        onBlur={() => choose(null)}
      >
        <div
          className={classes.scale}
          data-longest={longest(scale.ticks.map(({ label: text }) => text))}
          aria-hidden="true"
        >
          {scale.ticks.map(({ value, label: text }) => (
            <span key={value} style={above(scale.top, value)}>
              {text}
            </span>
          ))}
        </div>
        <div className={classes.plot} onPointerDown={pick} onPointerMove={pick} onPointerLeave={leave}>
          {scale.ticks.map(({ value }) => (
            <span key={value} className={value === 0 ? classes.axis : classes.grid} style={above(scale.top, value)} />
          ))}
          <Curves lines={lines} top={scale.top} />
          {lines.map(({ id, running, color, values }) =>
            running ? <RunningPoint key={id} {...{ running, color, values }} top={scale.top} /> : null,
          )}
          <Dots lines={lines} top={scale.top} point={point} />
          {point === null ? null : (
            <>
              <span className={classes.cursor} style={{ left: `${percentAcross(point, points)}%` }} />
              <Tip
                title={titles[point] ?? ""}
                rows={lines.map((line) => tipRow(line, point))}
                at={percentAcross(point, points)}
              />
            </>
          )}
        </div>
        <div className={classes.ticks} aria-hidden="true">
          {ticks.map((text, index) =>
            index % tickStep === 0 ? (
              <span key={titles[index]} style={{ left: `${percentAcross(index, points)}%` }}>
                {text}
              </span>
            ) : null,
          )}
        </div>
        <span className="visually-hidden" aria-live="polite">
          {point === null ? "" : describe(point)}
        </span>
      </div>
      {marks.length > 0 ? <MarkLines marks={marks} points={points} /> : null}
      {marks.length > 0 ? <MarkKey marks={marks} /> : null}
    </div>
  );
}

/** All values of a line that need room. */
const valuesOf = ({ values, running }: Line) => (running ? [...values, running.soFar, running.pace] : values);

/** The place of a value above the axis. */
const above = (top: number, value: number): CSSProperties => ({ bottom: `${percentUp(value, top)}%` });

const longest = (texts: readonly string[]): string =>
  texts.reduce((most, text) => (text.length > most.length ? text : most), "");

function tipRow(line: Line, index: number) {
  const at = line.titleAt?.(index);
  return {
    color: cssColor(line.color),
    dashed: line.dashed === true,
    name: at === undefined ? line.name : `${line.name}, ${at}`,
    value: valueAt(line, index),
  };
}

/** The value of a point with all digits; of the unfinished one, what it has so far and its pace. */
function valueAt({ values, running, exact }: Line, index: number): string {
  if (running?.at !== index) return exact(values[index] ?? null);
  return running.pace === null ? running.soFarText : `${running.soFarText}, ${running.paceText}`;
}
