import classes from "./half-gauge.module.css";
import { GAUGE_STEPS, litSteps, stepDegrees } from "./gauge-steps.ts";

interface HalfGaugeProps {
  label: string;
  percent: number | null;
  /** The formatted percentage. */
  figure: string;
}

const OUTER = 100;
const INNER = 66;

/** A percentage on a small half circle beside its figure, in steps of 3. */
export function HalfGauge({ label, percent, figure }: HalfGaugeProps) {
  const lit = litSteps(percent);
  return (
    <svg className={classes.gauge} viewBox="0 0 200 100" role="img" aria-label={`${label}: ${figure}`}>
      {Array.from({ length: GAUGE_STEPS }, (_, step) => (
        <path key={step} d={arc(step)} className={classes.step} data-lit={step < lit ? "" : undefined} />
      ))}
    </svg>
  );
}

function arc(step: number): string {
  const { from, to } = stepDegrees(step);
  return `M${at(OUTER, from)}A${OUTER} ${OUTER} 0 0 1 ${at(OUTER, to)}L${at(INNER, to)}A${INNER} ${INNER} 0 0 0 ${at(INNER, from)}Z`;
}

function at(radius: number, degrees: number): string {
  const angle = Math.PI - (degrees * Math.PI) / 180;
  return `${(100 + radius * Math.cos(angle)).toFixed(2)} ${(100 - radius * Math.sin(angle)).toFixed(2)}`;
}
