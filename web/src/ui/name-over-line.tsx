import type { ReactNode } from "react";
import classes from "./name-over-line.module.css";

interface NameOverLineProps {
  name: string;
  /** Shown small below the name, and in full as its tooltip. */
  line: string;
  /** Small marks beside the name. */
  marks?: ReactNode;
}

/** A table cell with a name and a line that distinguishes it from others of the same name. */
export function NameOverLine({ name, line, marks }: NameOverLineProps) {
  return (
    <span className={classes.cell}>
      <span>
        <b title={name}>{name}</b>
        {marks === undefined ? null : <span className={classes.marks}>{marks}</span>}
      </span>
      <small title={line} data-unspaced={line.includes(" ") ? undefined : ""}>
        {line}
      </small>
    </span>
  );
}
