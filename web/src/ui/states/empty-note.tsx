import type { ReactNode } from "react";
import classes from "./states.module.css";

interface EmptyNoteProps {
  /** Names what is missing. */
  title: string;
  /** Explains why it is missing. */
  why?: ReactNode;
  /** The next step. */
  action?: ReactNode;
}

export function EmptyNote({ title, why, action }: EmptyNoteProps) {
  return (
    <div className={classes.empty}>
      <p className={classes.emptyTitle}>{title}</p>
      {why === undefined ? null : <p className={classes.emptyWhy}>{why}</p>}
      {action}
    </div>
  );
}
