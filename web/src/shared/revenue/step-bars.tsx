import type { ThreeNumbers } from "@millrace/contract";
import { signedPart } from "./signed-money.ts";
import type { Step } from "./cause-words.ts";
import classes from "./revenue.module.css";

interface StepBarsProps {
  numbers: ThreeNumbers;
  /** How the numbers are shown. */
  format: (micros: number) => string;
  toReported: readonly Step[];
  toPaid: readonly Step[];
}

interface Bar {
  key: string;
  label: string;
  /** The amounts between which it is drawn. */
  from: number;
  to: number;
  amount: string;
  kind: "estimated" | "reported" | "paid" | "up" | "down";
}

const WIDTH = 1140;
const HEIGHT = 96;
const TOP = 24;
const BAR_SHARE = 0.64;
/** The names of more would run into each other; the lists below have them all. */
const MOST_BARS = 15;

/** The three numbers as bars from zero, and each step between them where it is taken off or added. Hidden where it would not fit. */
export function StepBars({ numbers, format, toReported, toPaid }: StepBarsProps) {
  const bars = barsOf({ numbers, format, toReported, toPaid });
  if (bars.length > MOST_BARS) return null;
  const [low, high] = [
    Math.min(0, ...bars.flatMap(({ from, to }) => [from, to])),
    Math.max(1, ...bars.flatMap(({ from, to }) => [from, to])),
  ];
  const y = (micros: number) => TOP + ((high - micros) / (high - low)) * HEIGHT;
  const step = WIDTH / bars.length;
  const width = step * BAR_SHARE;
  const words = (["estimated", "reported", "paid"] as const).map((id) => `${id} ${format(numbers[id])}`);
  return (
    <div className={classes.bars}>
      <svg viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + 24}`} role="img" aria-label={`From ${words.join(" to ")}`}>
        <path d={`M0 ${y(0)}H${WIDTH}`} className={classes.zero} />
        {bars.map(({ key, label, from, to, amount, kind }, nth) => {
          const [top, bottom] = [y(Math.max(from, to)), y(Math.min(from, to))];
          const x = nth * step + (step - width) / 2;
          return (
            <g key={key} data-kind={kind}>
              {nth + 1 < bars.length ? (
                <path d={`M${x + width} ${y(to)}H${x + step}`} className={classes.link} />
              ) : null}
              <rect x={x} y={top} width={width} height={Math.max(2, bottom - top)} rx="2.5" />
              <text x={x + width / 2} y={top - 7} className={classes.amount}>
                {amount}
              </text>
              <text x={x + width / 2} y={TOP + HEIGHT + 18} className={classes.name}>
                {label}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** Steps with one name, such as deductions for several reasons, are one bar. */
function merged(steps: readonly Step[]): Step[] {
  const bars = new Map<string, Step>();
  for (const step of steps) {
    const { amount = 0, shown = 0 } = bars.get(step.short) ?? {};
    bars.set(step.short, { ...step, amount: step.amount + amount, shown: step.shown + shown });
  }
  return [...bars.values()];
}

function barsOf({ numbers, format, toReported, toPaid }: StepBarsProps): Bar[] {
  const whole = (kind: "estimated" | "reported" | "paid", label: string): Bar => ({
    key: kind,
    label,
    from: 0,
    to: numbers[kind],
    amount: format(numbers[kind]),
    kind,
  });
  const stepsFrom = (start: number, group: string, steps: readonly Step[]): Bar[] => {
    let at = start;
    return merged(steps).map(({ cause, short, amount, shown }) => {
      const from = at;
      at += amount;
      return {
        key: `${group} ${cause}`,
        label: short,
        from,
        to: at,
        amount: signedPart(amount, shown),
        kind: amount < 0 ? "down" : "up",
      };
    });
  };
  return [
    whole("estimated", "Estimated"),
    ...stepsFrom(numbers.estimated, "reported", toReported),
    whole("reported", "Reported"),
    ...stepsFrom(numbers.reported, "paid", toPaid),
    whole("paid", "Paid"),
  ];
}
