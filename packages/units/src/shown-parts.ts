import { divideRounded } from "./formulas.ts";

/**
 * What the parts of a difference come to between totals that formatMoneyTo shows with 0 to 6 decimals, in whole units of the
 * last one: each is the difference of two running totals, and together they are the difference of the shown totals. A part
 * smaller than a unit is 0, since it is no unit, and is to be shown with all its digits. Undefined if all parts are smaller,
 * and the totals differ by a unit all the same: then only all digits of everything add up.
 */
export function shownParts(start: number, parts: readonly number[], decimals: number): number[] | undefined {
  const unit = 10 ** (6 - decimals);
  const round = (micros: number): number => Number(divideRounded(BigInt(micros), BigInt(unit))) * unit;
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
