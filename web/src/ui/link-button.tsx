import type { ReactNode } from "react";
import classes from "./link-button.module.css";

/** A button styled as a link, for a secondary action. */
export const LinkButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={classes.button} onClick={onClick}>
    {children}
  </button>
);
