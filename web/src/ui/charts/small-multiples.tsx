import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import { moveByKey, percentAcross, pointNear } from "./points.ts";
import classes from "./small-multiples.module.css";
import { splinePath } from "./spline-path.ts";

export interface Multiple {
  id: string;
  /** The metric's name; it may be a button. */
  name: ReactNode;
  /** The name for screen readers. */
  label: string;
  values: readonly (number | null)[];
  /** The short form, for the top of the scale. */
  axis: (value: number) => string;
  format: (value: number | null) => string;
}

interface SmallMultiplesProps {
  label: string;
  multiples: readonly Multiple[];
  /** The full titles of the points. */
  titles: readonly string[];
}

const WIDTH = 200;
const HEIGHT = 52;

/**
 * One small chart per metric, each on its own scale, over the same points. Pointing at one shows the same point in all of
 * them; with the keyboard, arrows, Home and End move between the points.
 */
export function SmallMultiples({ label, multiples, titles }: SmallMultiplesProps) {
  const [point, setPoint] = useState<number | null>(null);
  const count = titles.length;
  const shown = point !== null && point < count ? point : null;
  const walk = (event: KeyboardEvent) => moveByKey(event, point, count, setPoint);
  const figureOf = ({ values, format }: Multiple) => format(values[shown ?? lastWith(values)] ?? null);
  return (
    <div className={classes.place}>
      <p className={classes.when}>{shown === null ? `Latest: ${titles[lastOf(multiples)] ?? "–"}` : titles[shown]}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- role application: the keys are its own */}
      <div
        className={classes.multiples}
        role="application"
        aria-roledescription="charts"
        aria-label={`${label}. Arrow keys move along the points.`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the charts' points are reached by arrow keys
        tabIndex={0}
        onKeyDown={walk}
        onBlur={() => setPoint(null)}
        onPointerLeave={() => setPoint(null)}
      >
        {multiples.map((multiple) => (
          <figure key={multiple.id} className={classes.multiple} aria-label={multiple.label}>
            <figcaption>
              <span className={classes.name}>{multiple.name}</span>
              <span className={classes.figure}>{figureOf(multiple)}</span>
            </figcaption>
            <Spline multiple={multiple} point={shown} onPoint={setPoint} />
          </figure>
        ))}
        <span className="visually-hidden" aria-live="polite">
          {shown === null ? "" : [titles[shown], ...multiples.map((one) => `${one.label} ${figureOf(one)}`)].join(", ")}
        </span>
      </div>
    </div>
  );
}

interface SplineProps {
  multiple: Multiple;
  point: number | null;
  onPoint: (point: number) => void;
}

function Spline({ multiple: { values, axis }, point, onPoint }: SplineProps) {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  const xOf = (index: number) => (WIDTH * percentAcross(index, values.length)) / 100;
  const yOf = (value: number) => (most > 0 ? HEIGHT - (value / most) * (HEIGHT - 4) - 2 : HEIGHT - 2);
  const points = values.flatMap((value, index) => (value === null ? [] : [{ x: xOf(index), y: yOf(value) }]));
  const path = splinePath(points);
  const value = point === null ? null : (values[point] ?? null);
  const pick = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onPoint(pointNear((event.clientX - box.left) / box.width, values.length));
  };
  return (
    <>
      <span className={classes.most}>{most > 0 ? `max ${axis(most)}` : ""}</span>
      <span className={classes.plot}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" onPointerMove={pick}>
          {points.length > 1 ? (
            <>
              <path
                className={classes.area}
                d={`${path}L${points.at(-1)?.x ?? 0} ${HEIGHT}L${points[0]?.x ?? 0} ${HEIGHT}Z`}
              />
              <path className={classes.line} d={path} />
            </>
          ) : null}
          {point === null ? null : (
            <line className={classes.cursor} x1={xOf(point)} x2={xOf(point)} y1="0" y2={HEIGHT} />
          )}
        </svg>
        {point !== null && value !== null ? (
          <span
            className={classes.dot}
            style={{ left: `${(100 * xOf(point)) / WIDTH}%`, top: `${(100 * yOf(value)) / HEIGHT}%` }}
          />
        ) : null}
      </span>
    </>
  );
}

/** The index of the last value, as an unfinished point has none. */
const lastWith = (values: readonly (number | null)[]): number => values.findLastIndex((value) => value !== null);

const lastOf = (multiples: readonly Multiple[]): number => Math.max(...multiples.map(({ values }) => lastWith(values)));
