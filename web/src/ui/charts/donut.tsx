import classes from "./charts.module.css";
import type { DonutProps } from "./donut-chart.tsx";
import { LazyDonutChart } from "./lazy-charts.tsx";

/** A ring of shares with the total in the middle and a legend with every figure. */
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
