import classes from "./half-gauge.module.css";
import { GAUGE_STEPS, litSteps, stepDegrees } from "./gauge-steps.ts";

interface HalfGaugeProps {
  label: string;
  percent: number | null;
  /** The formatted percentage. */
  figure: string;
  exact: string;
  /** Explains how the figure is calculated. */
  caption: string;
}

const OUTER = 96;
const INNER = 76;
/** The gap between two steps, in degrees. */
const GAP = 1.4;

/** A percentage on a half circle, in steps of 3. */
export function HalfGauge({ label, percent, figure, exact, caption }: HalfGaugeProps) {
  const lit = litSteps(percent);
  return (
    <figure className={classes.gauge} title={exact}>
      <svg viewBox="0 0 200 104" role="img" aria-label={`${label}: ${figure}`}>
        {Array.from({ length: GAUGE_STEPS }, (_, step) => (
          <path key={step} d={arc(step)} className={classes.step} data-lit={step < lit ? "" : undefined} />
        ))}
        <text x="100" y="82" className={classes.figure} textAnchor="middle">
          {figure}
        </text>
        <text x="100" y="99" className={classes.name} textAnchor="middle">
          {label}
        </text>
      </svg>
      <figcaption className={classes.caption}>{caption}</figcaption>
    </figure>
  );
}

function arc(step: number): string {
  const { from, to } = stepDegrees(step);
  const [a, b] = [from + GAP / 2, to - GAP / 2];
  return `M${at(OUTER, a)}A${OUTER} ${OUTER} 0 0 1 ${at(OUTER, b)}L${at(INNER, b)}A${INNER} ${INNER} 0 0 0 ${at(INNER, a)}Z`;
}

function at(radius: number, degrees: number): string {
  const angle = Math.PI - (degrees * Math.PI) / 180;
  return `${(100 + radius * Math.cos(angle)).toFixed(2)} ${(100 - radius * Math.sin(angle)).toFixed(2)}`;
}
