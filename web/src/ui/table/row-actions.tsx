import type { ReactNode } from "react";
import classes from "./row-actions.module.css";

/** The actions at the end of a row. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <span className={classes.actions}>{children}</span>
);
