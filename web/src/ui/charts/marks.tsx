import { type CSSProperties, Fragment, type ReactNode } from "react";
import classes from "./marks.module.css";
import { percentAcross } from "./points.ts";

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

const withLetters = (marks: readonly Mark[]) =>
  marks.map((mark, index) => ({ ...mark, letter: String.fromCodePoint(65 + (index % 26)) }));

interface MarkLinesProps {
  marks: readonly Mark[];
  points: number;
}

/** Lines at the points where something was changed, with its name; on a phone, with a letter that the key explains. */
export function MarkLines({ marks, points }: MarkLinesProps) {
  const places = [...new Set(marks.map(({ at }) => at))];
  return (
    <div className={classes.lines}>
      {places.map((at) => (
        <span key={at} className={classes.line} style={{ "--at": percentAcross(at, points) } as CSSProperties}>
          <span>
            {withLetters(marks)
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
  );
}

/** What the letters of a chart's marks mean. */
export function MarkKey({ marks }: Pick<MarkLinesProps, "marks">) {
  return (
    <ol className={classes.key} aria-label="Changes in the chart">
      {withLetters(marks).map(({ id, letter, name }) => (
        <li key={id}>
          <b>{letter}</b> {name}
        </li>
      ))}
    </ol>
  );
}
