import type { DateFormat, StatementMapping } from "@millrace/contract";
import { dayStartMs, divideRounded } from "@millrace/units";

/** A value that a statement's cell may not have, as a sentence. */
export class CellError extends Error {}

const FORMULA = /^[=@]|^[+-](?![\d.,])/;
const PATTERNS = {
  "2026-10-31": /^(?<year>\d{4})-(?<month>\d{2})-(?<date>\d{2})$/,
  "31.10.2026": /^(?<date>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  "31/10/2026": /^(?<date>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  "10/31/2026": /^(?<month>\d{1,2})\/(?<date>\d{1,2})\/(?<year>\d{4})$/,
  "20261031": /^(?<year>\d{4})(?<month>\d{2})(?<date>\d{2})$/,
} as const satisfies Record<DateFormat, RegExp>;

/** The day of a cell, `yyyy-mm-dd`. Throws CellError. */
export function dayIn(cell: string, format: DateFormat): string {
  const { year = "", month = "", date = "" } = PATTERNS[format].exec(cell)?.groups ?? {};
  const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  try {
    dayStartMs(day);
  } catch {
    throw new CellError(`${shown(cell)} is not a date like ${format}`);
  }
  return day;
}

const MOST_COUNT = 1_000_000_000_000;

/** The count of a cell, thousands separators allowed. Throws CellError. */
export function countIn(cell: string, decimal: StatementMapping["decimal"]): number {
  refuseFormula(cell, "a count");
  const digits = /^\d+$/.test(cell) ? cell : ungrouped(cell, decimal);
  if (!/^\d{1,13}$/.test(digits) || Number(digits) > MOST_COUNT)
    throw new CellError(`${shown(cell)} is not a count of impressions`);
  return Number(digits);
}

/** The decimals of an amount in a statement: more than its currency has, because revenue of single days is that fine. */
const DECIMALS = 12;

/**
 * The amount of a cell in 10^-12 of its currency's unit, thousands separators allowed, negative for what is taken back.
 * Throws CellError.
 */
export function amountIn(cell: string, decimal: StatementMapping["decimal"]): bigint {
  refuseFormula(cell, "an amount");
  const [whole = "", fraction = "", more] = cell.replace(/^-/, "").split(decimal);
  const digits = /^\d+$/.test(whole) ? whole : ungrouped(whole, decimal);
  const isAmount =
    more === undefined && /^\d{1,9}$/.test(digits) && /^\d{0,12}$/.test(fraction) && !cell.endsWith(decimal);
  if (!isAmount) throw new CellError(`${shown(cell)} is not an amount like ${decimal === "." ? "1234.56" : "1234,56"}`);
  const units = BigInt(digits + fraction.padEnd(DECIMALS, "0"));
  return cell.startsWith("-") ? -units : units;
}

/** Removes thousands separators, if there is one after every three digits; an empty text otherwise, also for decimals such as `0,845`. */
function ungrouped(cell: string, decimal: StatementMapping["decimal"]): string {
  const separator = decimal === "." ? "," : ".";
  const groups = cell.split(separator);
  const isGrouped = groups.every((group, nth) => (nth === 0 ? /^[1-9]\d{0,2}$/ : /^\d{3}$/).test(group));
  return isGrouped ? groups.join("") : "";
}

function refuseFormula(cell: string, what: string): void {
  if (FORMULA.test(cell)) throw new CellError(`${shown(cell)} is a formula, not ${what}`);
}

const MOST_SHOWN = 60;
/** A cell in a sentence. */
export const shown = (cell: string): string =>
  cell === "" ? "An empty cell" : `“${cell.length > MOST_SHOWN ? `${cell.slice(0, MOST_SHOWN)}…` : cell}”`;

const RATE_DECIMALS = 8;

/** A rate such as `1.0842` in 10^-8; 1 for dollars, which have none. */
export function rateUnits(rate: string | null): bigint {
  const [whole = "1", fraction = ""] = (rate ?? "1").split(".");
  return BigInt(whole + fraction.padEnd(RATE_DECIMALS, "0"));
}

/** Micro-dollars of an amount at a rate, rounded half away from zero. */
export function microsAt(units: bigint, rate: bigint): bigint {
  return divideRounded(units * rate, 10n ** BigInt(DECIMALS + RATE_DECIMALS - 6));
}
