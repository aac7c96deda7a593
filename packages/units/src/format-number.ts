import { type Amount, MICROS_PER_CENT, divideRounded, percentChange, wholeCents } from "./formulas.ts";

/** Shown in place of a missing number. */
export const NO_NUMBER = "–";
const MINUS = "−";

const STEPS = [
  { from: 1_000_000_000, unit: "B", decimals: 2 },
  { from: 1_000_000, unit: "M", decimals: 2 },
  { from: 1000, unit: "K", decimals: 1 },
] as const;

/** A compact count: `987`, `412.6K`, `3.00M`, `1.25B`. */
export function formatCount(count: Amount | null): string {
  if (count === null) return NO_NUMBER;
  const size = Math.abs(Number(count));
  for (const { from, unit, decimals } of STEPS) {
    // A number that rounds up to the next unit is shown in that unit: 999,950 is 1.00M, never 1000.0K.
    if (size >= roundsUpTo(from)) return signed(Number(count), fixed(size / from, decimals) + unit);
  }
  return signed(Number(count), String(Math.round(size)));
}

/** The smallest number shown in the unit that starts at `from`, which depends on the rounding of the unit below. */
function roundsUpTo(from: number): number {
  const below = STEPS.find((step) => step.from === from / 1000);
  return from - (below ? below.from / 10 ** below.decimals : 1) / 2;
}

/** A count with all its digits, for tooltips: `3,001,234`. */
export const formatCountExact = (count: Amount | null): string =>
  count === null ? NO_NUMBER : signed(Number(count), grouped(String(BigInt(count)).replace("-", "")));

/** Percent with up to 2 decimals: `88.03%`, `88.5%`, `100%`. */
export const formatPercent = (percent: number | null): string => percentUpTo(percent, 2);

/** Percent with up to 6 decimals, for tooltips. */
export const formatPercentExact = (percent: number | null): string => percentUpTo(percent, 6);

/** Dollars with 2 decimals: `$18,204.11`. */
export const formatMoney = (micros: Amount | null): string => dollars(micros, 2, 2);

/** A publisher's balance in its whole cents, so that no more is shown than can be paid: `$99.99` for $99.995. */
export const formatBalance = (micros: Amount | null): string =>
  formatMoney(micros === null ? null : wholeCents(micros));

const MICRO_DECIMALS = 6;

/**
 * The decimals that a column of money needs: 2, or so many that its smallest amount below a cent keeps two digits. All
 * figures of a column have the same.
 */
export function moneyDecimals(amounts: readonly (number | null)[]): number {
  const least = Math.min(...amounts.flatMap((micros) => (micros === null || micros === 0 ? [] : [Math.abs(micros)])));
  if (least >= MICROS_PER_CENT) return 2;
  return Math.min(MICRO_DECIMALS, MICRO_DECIMALS - String(Math.trunc(least)).length + 2);
}

/** Dollars with the given number of decimals, from 0 to 6. */
export const formatMoneyTo = (micros: Amount | null, decimals: number): string => dollars(micros, decimals, decimals);

/** Percent with exactly 2 decimals, so that a column aligns: `88.50%`. */
export const formatRate = (percent: number | null): string =>
  percent === null ? NO_NUMBER : signed(percent, `${grouped(fixed(Math.abs(percent), 2))}%`);

/** A share with 1 decimal: `65.4%`. */
export const formatShare = (percent: number | null): string => (percent === null ? NO_NUMBER : `${fixed(percent, 1)}%`);

/** A bid, a floor or a cleared price per thousand impressions, with 4 decimals, and up to 6 if it has them: `$6.4180`, `$0.049512`. */
export const formatCpm = (micros: Amount | null): string => dollars(micros, 4, 6);

/** Lifetime value, with 4 decimals: `$0.0459`. */
export const formatLtv = (micros: Amount | null): string => dollars(micros, 4, 4);

/** Dollars with up to 6 decimals, for tooltips: `$6.31`, `$0.018421`. */
export const formatMoneyExact = (micros: Amount | null): string => dollars(micros, 2, 6);

/** A single earning, always with 6 decimals so that a list aligns: `$0.018420`. */
export const formatEarning = (micros: Amount | null): string => dollars(micros, 6, 6);

/** Dollars for a key figure: cents below $10,000, whole dollars below a million, then compact. */
export function formatMoneyShort(micros: Amount | null): string {
  if (micros === null) return NO_NUMBER;
  const size = Math.abs(Number(micros));
  if (size < 9_999_995_000) return formatMoney(micros);
  if (size < 999_999_500_000) return dollars(micros, 0, 0);
  return signed(Number(micros), `$${formatCount(size / 1_000_000)}`);
}

/** Dollars as an exact plain decimal for files, without `$` or grouping: `18944.2`, `0.018421`, `-0.000005`. */
export function decimalDollars(micros: Amount): string {
  const { negative, whole, fraction } = parts(micros, 6);
  const shown = fraction.replace(/0+$/, "");
  return (negative ? "-" : "") + whole + (shown === "" ? "" : `.${shown}`);
}

/** A change with its sign, so that a gain reads as one: `+$1.20`. `format` gives losses theirs. */
export const formatSigned = (change: number, format: (amount: number) => string): string =>
  change > 0 ? `+${format(change)}` : format(change);

/** Change from the compared period: `+12.4%`, `−1.2%`, `0.0%`; null if there is nothing to compare with. */
export function formatChange(current: Amount | null, previous: Amount | null): string | null {
  const percent = percentChange(current, previous);
  return percent === null ? null : change(percent, "%");
}

/** Change of a percentage in points: `+0.4 pt`; null if there is nothing to compare with. */
export function formatPointChange(current: number | null, previous: number | null): string | null {
  return current === null || previous === null ? null : change(current - previous, " pt");
}

function change(difference: number, unit: string): string {
  const size = fixed(Math.abs(difference), 1);
  if (Number(size) === 0) return size + unit;
  return (difference > 0 ? "+" : MINUS) + grouped(size) + unit;
}

function percentUpTo(percent: number | null, decimals: number): string {
  if (percent === null) return NO_NUMBER;
  const size = fixed(Math.abs(percent), decimals).replace(/\.?0+$/, "");
  return signed(percent, `${grouped(size === "" ? "0" : size)}%`);
}

function dollars(micros: Amount | null, atLeast: number, atMost: number): string {
  if (micros === null) return NO_NUMBER;
  const { negative, whole, fraction } = parts(micros, atMost);
  let shown = fraction;
  while (shown.length > atLeast && shown.endsWith("0")) shown = shown.slice(0, -1);
  return (negative ? MINUS : "") + `$${grouped(whole)}` + (shown === "" ? "" : `.${shown}`);
}

/** Rounds micro-dollars to `decimals` places with integers only, so that no sum is off by a cent. */
function parts(micros: Amount, decimals: number) {
  const rounded = divideRounded(BigInt(micros), 10n ** BigInt(6 - decimals));
  const digits = String(rounded < 0n ? -rounded : rounded).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return { negative: rounded < 0n, whole: digits.slice(0, point), fraction: digits.slice(point) };
}

/** Rounds by decimal digits. toFixed rounds the binary value, where 1.005 is slightly less. */
function fixed(value: number, decimals: number): string {
  const scaled = Number(`${value}e${decimals}`);
  return (Number.isNaN(scaled) ? value : Number(`${Math.round(scaled)}e-${decimals}`)).toFixed(decimals);
}

const grouped = (digits: string) => digits.replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ","));
const signed = (value: number, shown: string) => (value < 0 && /[1-9]/.test(shown) ? MINUS + shown : shown);
