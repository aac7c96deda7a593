import { useClickOutside } from "@mantine/hooks";
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from "react";
import { percentUp, scaleFor } from "./chart-scale.ts";
import { Curves, Dots } from "./curves.tsx";
import classes from "./line-chart.module.css";
import { type Line, cssColor } from "./line.ts";
import { type Mark, MarkKey, MarkLines, namesFit } from "./marks.tsx";
import { moveByKey, percentAcross, pointNear } from "./points.ts";
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
 * between the points, which screen readers announce. Everything is positioned in percent, so that the chart fits any width,
 * and paper, without being drawn again.
 */
export function LineChart({ label, lines, ticks, titles, tickStep, height, marks = NO_MARKS }: LineChartProps) {
  const points = ticks.length;
  const [pointed, setPointed] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const isThere = (index: number | null) => index !== null && index < points;
  const point = [pointed, focused].find(isThere) ?? null;
  const plot = useClickOutside<HTMLDivElement>(() => setPointed(null), ["pointerdown"]);
  const scale = scaleFor(
    lines.flatMap((line) => valuesOf(line, points)),
    lines[0]?.format ?? String,
  );
  const describe = (index: number) =>
    [titles[index] ?? "", ...lines.map((line) => `${line.name} ${valueAt(line, index)}`)].join(", ");
  const walk = (event: KeyboardEvent) =>
    moveByKey(event, point, points, (to) => {
      setPointed(null);
      setFocused(to);
    });
  const pick = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setPointed(points === 0 ? null : pointNear((event.clientX - box.left) / box.width, points));
  };
  // A lifted finger leaves too: what it pointed at stays until something else is touched.
  const leave = (event: PointerEvent) => {
    if (event.pointerType !== "touch") setPointed(null);
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
        onBlur={() => setFocused(null)}
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
        <div
          ref={plot}
          className={classes.plot}
          aria-hidden="true"
          onPointerDown={pick}
          onPointerMove={pick}
          onPointerLeave={leave}
          onPointerCancel={() => setPointed(null)}
        >
          {scale.ticks.map(({ value }) => (
            <span key={value} className={value === 0 ? classes.axis : classes.grid} style={above(scale.top, value)} />
          ))}
          <Curves lines={lines} points={points} top={scale.top} />
          {lines.map(({ id, running, color, values }) =>
            running && running.at < points ? (
              <RunningPoint
                key={id}
                running={running}
                before={values[running.at - 1] ?? null}
                color={color}
                points={points}
                top={scale.top}
              />
            ) : null,
          )}
          <Dots lines={lines} points={points} top={scale.top} point={point} />
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
        <div
          className={classes.ticks}
          data-long={longest(ticks).length > SHORT_LABEL ? "" : undefined}
          aria-hidden="true"
        >
          {ticks.map((text, index) =>
            index % tickStep === 0 ? (
              <span key={titles[index]} style={{ "--at": percentAcross(index, points) } as CSSProperties}>
                {text}
              </span>
            ) : null,
          )}
        </div>
        <span className="visually-hidden" aria-live="polite">
          {focused !== null && isThere(focused) ? describe(focused) : ""}
        </span>
      </div>
      {marks.length > 0 ? <MarkLines marks={marks} points={points} /> : null}
      {marks.length > 0 ? <MarkKey marks={marks} /> : null}
    </div>
  );
}

/** `Nov 19`; with the year, half as many labels have room. */
const SHORT_LABEL = 6;

/** All values of a line that need room. */
const valuesOf = ({ values, running }: Line, points: number) => [
  ...values.slice(0, points),
  ...(running && running.at < points ? [running.soFar, running.pace] : []),
];

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
