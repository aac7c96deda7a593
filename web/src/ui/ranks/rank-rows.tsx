import type { ReactNode } from "react";
import type { BarColor } from "../charts/stable-color.ts";
import classes from "./rank-rows.module.css";

export interface RankRow {
  id: string;
  name: ReactNode;
  figure: string;
  /** All digits, shown on hover. */
  exact: string;
  /** The length of the bar, from 0 to 100. */
  percent: number;
  color?: BarColor;
  change?: ReactNode;
  /** The rest of the list in one row. */
  rest?: boolean;
}

interface RankRowsProps {
  label: string;
  rows: readonly RankRow[];
}

/** Ranked figures with a bar behind each name. A name may be a link, which then covers its row. */
export function RankRows({ label, rows }: RankRowsProps) {
  const changes = rows.some(({ change }) => change !== undefined);
  return (
    <ol className={classes.ranks} aria-label={label} data-changes={changes ? "" : undefined}>
      {rows.map((row) => (
        <li key={row.id} title={row.exact} data-rest={row.rest === true ? "" : undefined}>
          <span className={classes.name}>
            <span
              className={classes.bar}
              data-bar={row.rest === true ? "rest" : (row.color ?? "accent")}
              style={{ width: `${Math.max(1, Math.min(100, row.percent))}%` }}
            />
            <span className={classes.text}>{row.name}</span>
          </span>
          <span className={classes.figure}>{row.figure}</span>
          {changes ? <span className={classes.change}>{row.change}</span> : null}
        </li>
      ))}
    </ol>
  );
}
