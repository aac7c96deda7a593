import type { ReactNode } from "react";
import classes from "./parts.module.css";

interface ShareRow {
  id: string;
  name: ReactNode;
  figure: string;
  exact: string;
  /** From 0 to 100. */
  percent: number;
}

/** Parts of a whole as rows with a bar. */
export function ShareRows({ rows }: { rows: readonly ShareRow[] }) {
  return (
    <ul className={classes.shareRows}>
      {rows.map((row) => (
        <li key={row.id} title={row.exact}>
          <span>{row.name}</span>
          <span>{row.figure}</span>
          <span className={classes.shareBar} style={{ width: `${Math.min(100, row.percent)}%` }} />
        </li>
      ))}
    </ul>
  );
}
