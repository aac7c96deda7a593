import { formatMoney, formatMoneyExact } from "@millrace/units";

const CENT = 10_000;

/** A change of money with its sign; less than a cent with all its digits, so that no step looks like nothing. */
export function signedMoney(micros: number): string {
  const text = Math.abs(micros) < CENT / 2 ? formatMoneyExact(micros) : formatMoney(micros);
  return micros > 0 ? `+${text}` : text;
}
