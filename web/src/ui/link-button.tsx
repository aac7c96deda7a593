import type { ReactNode } from "react";
import classes from "./link-button.module.css";

/** A button that reads like a link, for a small thing beside a large one. */
export const LinkButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={classes.button} onClick={onClick}>
    {children}
  </button>
);
