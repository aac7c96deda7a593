import type { Ltv } from "@millrace/contract";
import { formatLtv, formatMoneyExact } from "@millrace/units";
import { useMemo } from "react";
import type { Line } from "../../../ui/charts/line.ts";
import { LazyLineChart } from "../../../ui/charts/lazy-charts.tsx";
import classes from "./parts.module.css";

export const COHORT_HEIGHT = 180;
const MOST_TICKS = 8;
/** The minimum of days shown if the compared period has them: two weeks show how devices develop. */
const FEWEST_AGES = 15;

interface CohortCurveProps {
  /** Without points, only the compared devices are drawn. */
  curve: Ltv["curve"];
  /** The same for devices that were new in the compared period. */
  earlier: Ltv["curve"];
  /** The compared period in words. */
  before: string;
}

/** The cumulated revenue per device by its age in days. */
export function CohortCurve({ curve, earlier, before }: CohortCurveProps) {
  // The devices of the compared period are older, so their curve previews this one.
  const ages = Math.max(curve.length, Math.min(earlier.length, Math.max(FEWEST_AGES, 2 * curve.length)));
  const lines = useMemo((): Line[] => {
    const line = { format: formatLtv, exact: formatMoneyExact };
    const valuesOf = (points: Ltv["curve"]) => Array.from({ length: ages }, (_, age) => points[age]?.value ?? null);
    const now: Line = {
      ...line,
      id: "now",
      name: "This period",
      values: valuesOf(curve),
      color: "accent-line",
      area: true,
    };
    const last: Line = {
      ...line,
      id: "last",
      name: before,
      values: valuesOf(earlier),
      color: "ghost",
      dashed: true,
    };
    return [...(curve.length > 0 ? [now] : []), ...(earlier.length > 0 ? [last] : [])];
  }, [curve, earlier, ages, before]);
  const ticks = useMemo(() => Array.from({ length: ages }, (_, age) => `day ${age}`), [ages]);
  const titles = useMemo(() => Array.from({ length: ages }, (_, age) => titleOf(age)), [ages]);
  return (
    <>
      <LazyLineChart
        label="Lifetime value by age of the device"
        lines={lines}
        ticks={ticks}
        tickStep={Math.max(1, Math.ceil(ages / MOST_TICKS))}
        titles={titles}
        height={COHORT_HEIGHT}
      />
      <p className={classes.key}>
        {curve.length > 0 ? (
          <>
            <span className={classes.keyLine} /> this period
          </>
        ) : null}
        {earlier.length > 0 ? (
          <>
            <span className={classes.keyDash} /> {before}
          </>
        ) : null}
      </p>
    </>
  );
}

const titleOf = (age: number) => (age === 0 ? "On the first day" : `Up to ${age} ${age === 1 ? "day" : "days"} later`);
