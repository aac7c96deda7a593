import { MICROS_PER_CENT, formatMoney, formatMoneyExact, formatSigned } from "@millrace/units";

/** A change of money with its sign; less than a cent with all its digits, so that no step looks like nothing. */
export function signedMoney(micros: number): string {
  return formatSigned(micros, Math.abs(micros) < MICROS_PER_CENT / 2 ? formatMoneyExact : formatMoney);
}
