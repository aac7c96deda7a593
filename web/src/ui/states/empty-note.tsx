import type { ReactNode } from "react";
import classes from "./states.module.css";

interface EmptyNoteProps {
  /** What is not there. */
  title: string;
  /** Why it is not there. */
  why?: string;
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
