import { type Amount, MICROS_PER_CENT, divideRounded, wholeCents } from "./formulas.ts";

/** How totals are shown: in which unit of micro-dollars, and rounded to it how. */
export interface TotalRounding {
  unit: number;
  round: (micros: Amount) => number;
}

/** In the whole cents of a balance, as formatBalance shows it. */
export const IN_WHOLE_CENTS: TotalRounding = {
  unit: MICROS_PER_CENT,
  round: (micros) => Number(wholeCents(micros)),
};

/** To the nearest unit, as formatMoneyTo shows it with 0 to 6 decimals. */
export function toDecimals(decimals: number): TotalRounding {
  const unit = 10 ** (6 - decimals);
  return { unit, round: (micros) => Number(divideRounded(BigInt(micros), BigInt(unit))) * unit };
}

/**
 * What the parts of a difference come to between totals that are shown rounded, in whole units: each is the difference of two
 * running totals, and together they are the difference of the shown totals. A part smaller than a unit is 0, since it is no
 * unit, and is to be shown with all its digits. Undefined if all parts are smaller, and the totals differ by a unit all the
 * same: then only all digits of everything add up.
 */
export function shownParts(
  start: number,
  parts: readonly number[],
  { unit, round }: TotalRounding,
): number[] | undefined {
  const end = round(parts.reduce((sum, part) => sum + part, start));
  const last = parts.findLastIndex((part) => Math.abs(part) >= unit);
  if (last === -1) return round(start) === end ? parts.map(() => 0) : undefined;
  let exact = start;
  let shown = round(start);
  return parts.map((part, nth) => {
    exact += part;
    if (Math.abs(part) < unit) return 0;
    const from = shown;
    shown = nth === last ? end : round(exact);
    return shown - from;
  });
}
