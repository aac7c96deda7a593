import { Fragment, type ReactNode } from "react";
import classes from "./marks.module.css";

/** Something that was changed, marked at its point of a chart. */
export interface Mark {
  id: string;
  at: number;
  /** Its name, as a link to the change. */
  name: ReactNode;
}

/** More names than this, or closer ones, would cover each other. */
const MOST_NAMES = 4;
const LEAST_SHARE_BETWEEN = 1 / 6;

/** Whether each mark has room for its name in a wide chart. Otherwise letters stand there, and a key explains them. */
export function namesFit(marks: readonly Mark[], points: number): boolean {
  const places = marks.map(({ at }) => at).toSorted((a, b) => a - b);
  const gaps = places.slice(1).map((at, index) => at - (places[index] ?? 0));
  return marks.length <= MOST_NAMES && gaps.every((gap) => gap >= points * LEAST_SHARE_BETWEEN);
}

const letterOf = (index: number): string => String.fromCodePoint(65 + (index % 26));

interface MarksProps {
  marks: readonly Mark[];
  points: number;
  xOf: (index: number) => number;
}

/** Lines at the points where something was changed, with its name; on a phone, with a letter and a key below the chart. */
export function Marks({ marks, points, xOf }: MarksProps) {
  const lettered = marks.map((mark, index) => ({ ...mark, letter: letterOf(index) }));
  const places = [...new Set(marks.map(({ at }) => at))];
  return (
    <div className={classes.marks} data-letters={namesFit(marks, points) ? undefined : ""}>
      <div className={classes.lines}>
        {places.map((at) => (
          <span key={at} className={classes.line} style={{ left: xOf(at) }}>
            <span>
              {lettered
                .filter((mark) => mark.at === at)
                .map(({ id, letter, name }) => (
                  <Fragment key={id}>
                    <span className={classes.name}>{name}</span>
                    <b className={classes.letter}>{letter}</b>
                  </Fragment>
                ))}
            </span>
          </span>
        ))}
      </div>
      <ol className={classes.key} aria-label="Changes in the chart">
        {lettered.map(({ id, letter, name }) => (
          <li key={id}>
            <b>{letter}</b> {name}
          </li>
        ))}
      </ol>
    </div>
  );
}
