import type { ReactNode } from "react";
import classes from "./parts.module.css";

interface RowProps {
  label: string;
  children: ReactNode;
  /** Controls at the row's right. */
  action?: ReactNode;
  /** A confirmation that disappears by itself. */
  done?: string | null;
  /** An error message. */
  failed?: string | null;
}

/** One line of a block: its label, its value and its controls. */
export function Row({ label, children, action, done, failed }: RowProps) {
  return (
    <div className={classes.row}>
      <dt>{label}</dt>
      <dd>
        <div className={classes.value}>{children}</div>
        {action === undefined ? null : <div>{action}</div>}
        <p className={classes.done} role="status">
          {done}
        </p>
        {failed ? (
          <p className={classes.failed} role="alert">
            {failed}
          </p>
        ) : null}
      </dd>
    </div>
  );
}
