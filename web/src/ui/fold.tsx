import type { ReactNode } from "react";
import classes from "./fold.module.css";

interface FoldProps {
  title: string;
  count: number;
  /** What the folded things are, shown with them. */
  about?: string;
  children: ReactNode;
}

/** Things that most visits do not need, under a line that opens them. */
export const Fold = ({ title, count, about, children }: FoldProps) => (
  <details className={classes.fold}>
    <summary>
      {title} <span>{count}</span>
    </summary>
    {about === undefined ? null : <p>{about}</p>}
    {children}
  </details>
);
