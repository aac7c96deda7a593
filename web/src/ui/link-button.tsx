import type { ReactNode, Ref } from "react";
import classes from "./link-button.module.css";

interface LinkButtonProps {
  ref?: Ref<HTMLButtonElement>;
  onClick: () => void;
  children: ReactNode;
}

/** A button styled as a link, for a secondary action. */
export const LinkButton = ({ ref, onClick, children }: LinkButtonProps) => (
  <button ref={ref} type="button" className={classes.button} onClick={onClick}>
    {children}
  </button>
);
