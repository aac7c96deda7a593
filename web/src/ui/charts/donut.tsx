import type { ReactNode } from "react";
import classes from "./charts.module.css";
import { LazyDonutChart } from "./lazy-charts.tsx";
import type { SliceColor } from "./stable-colors.ts";

export interface Slice {
  id: string;
  name: string;
  value: number;
  color: SliceColor;
  /** What stands in the legend instead of the plain name: a link. */
  text?: ReactNode;
}

export interface DonutProps {
  label: string;
  slices: readonly Slice[];
  /** Short, for the legend and the total. */
  format: (value: number) => string;
  exact: (value: number) => string;
  /** The slice's part of the whole, in words. */
  share: (value: number) => string;
  /** What stands in the ring's middle. */
  total: string;
}

/** A ring of shares with its total in the middle and a legend that says every figure. */
export function Donut(props: DonutProps) {
  return (
    <div className={classes.donut}>
      <div className={classes.ring}>
        <LazyDonutChart {...props} />
        <span className={classes.ringTotal}>{props.total}</span>
      </div>
      <ul className={classes.legend}>
        {props.slices.map((slice) => (
          <li key={slice.id} title={`${slice.name}: ${props.exact(slice.value)}`}>
            <span className={classes.legendMark} data-color={slice.color} />
            <span className={classes.legendName}>{slice.text ?? slice.name}</span>
            <span>{props.format(slice.value)}</span>
            <span className={classes.legendShare}>{props.share(slice.value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
