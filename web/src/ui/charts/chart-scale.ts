import { nice, ticks } from "d3-array";

const TARGET_TICKS = 4;

/** A scale of values that starts at zero. */
export interface ChartScale {
  /** The value at the top of the chart. */
  top: number;
  /** Round values from zero up. */
  ticks: { value: number; label: string }[];
}

/** A scale on which all values have room. Whole numbers get whole ticks; without a positive value there is only zero. */
export function scaleFor(values: readonly (number | null)[], format: (value: number) => string): ChartScale {
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  if (largest === 0) return { top: 1, ticks: [{ value: 0, label: format(0) }] };
  const [, top] = nice(0, largest, TARGET_TICKS);
  const areWhole = values.every((value) => value === null || Number.isInteger(value));
  const round = ticks(0, top, TARGET_TICKS).filter((value) => !areWhole || Number.isInteger(value));
  return { top, ticks: round.map((value) => ({ value, label: format(value) })) };
}

/** The share of the chart's height, in percent, at which a value stands above the axis. Nothing stands below it. */
export const percentUp = (value: number, top: number): number => (100 * Math.max(0, value)) / top;
