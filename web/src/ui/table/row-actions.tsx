import type { ReactNode } from "react";
import classes from "./row-actions.module.css";

/** What can be done with a row, at its end. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <span className={classes.actions}>{children}</span>
);
