import type { Ltv } from "@millrace/contract";
import { formatLtv, formatMoneyExact } from "@millrace/units";
import { useMemo } from "react";
import type { Line } from "../../../ui/charts/line.ts";
import { LazyLineChart } from "../../../ui/charts/lazy-charts.tsx";
import classes from "./parts.module.css";

export const COHORT_HEIGHT = 180;
const MOST_TICKS = 8;
/** The minimum of days shown if the previous period has them: two weeks show how devices develop. */
const FEWEST_AGES = 15;

interface CohortCurveProps {
  curve: Ltv["curve"];
  /** The same for devices that were new in the previous period. */
  earlier: Ltv["curve"];
  /** The length of both periods in days. */
  days: number;
}

/** The cumulated revenue per device by its age in days. */
export function CohortCurve({ curve, earlier, days }: CohortCurveProps) {
  // The devices of the previous period are older, so their curve previews this one.
  const ages = Math.max(curve.length, Math.min(earlier.length, Math.max(FEWEST_AGES, 2 * curve.length)));
  const before = `previous ${days === 1 ? "day" : `${days} days`}`;
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
    if (earlier.length === 0) return [now];
    return [now, { ...line, id: "last", name: before, values: valuesOf(earlier), color: "ghost", dashed: true }];
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
        <span className={classes.keyLine} /> this period
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
