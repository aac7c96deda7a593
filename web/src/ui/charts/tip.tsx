import type { CSSProperties } from "react";
import classes from "./tip.module.css";

interface TipRow {
  /** A colour in CSS. Earlier periods have a dashed mark. */
  color: string;
  dashed: boolean;
  name: string;
  value: string;
}

interface TipProps {
  title: string;
  rows: readonly TipRow[];
  /** The share of the chart's width at which it stands, in percent. */
  at: number;
}

/** Shows the values of a point, on the side of it that has more room. */
export function Tip({ title, rows, at }: TipProps) {
  const place = { "--at": at } as CSSProperties;
  return (
    <div className={classes.tip} data-side={at > 50 ? "left" : "right"} style={place}>
      <div className={classes.title}>{title}</div>
      {rows.map(({ color, dashed, name, value }) => (
        <div key={name} className={classes.row}>
          <span className={dashed ? classes.dash : classes.mark} style={{ color }} />
          <span className={classes.name}>{name}</span>
          <b>{value}</b>
        </div>
      ))}
    </div>
  );
}
