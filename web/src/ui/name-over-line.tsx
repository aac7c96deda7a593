import type { ReactNode } from "react";
import classes from "./name-over-line.module.css";

interface NameOverLineProps {
  name: string;
  /** What stands small below the name, and whole in its tip. */
  line: string;
  /** Small marks beside the name. */
  marks?: ReactNode;
}

/** A name and, below it, what tells it from others of that name: a cell of a table. */
export function NameOverLine({ name, line, marks }: NameOverLineProps) {
  return (
    <span className={classes.cell}>
      <span>
        <b title={name}>{name}</b>
        {marks === undefined ? null : <span className={classes.marks}>{marks}</span>}
      </span>
      <small title={line}>{line}</small>
    </span>
  );
}
