import { MICROS_PER_CENT, formatMoney, formatMoneyExact, formatSigned, shownParts } from "@millrace/units";

/** A signed amount. A fraction of a cent keeps all its digits, so that it looks neither like zero nor like a cent. */
export function signedMoney(micros: number): string {
  return formatSigned(micros, Math.abs(micros) < MICROS_PER_CENT ? formatMoneyExact : formatMoney);
}

/** A part of a difference as it is shown, of shownParts; what is shown as nothing has all its digits. */
export const signedPart = (micros: number, shown: number): string =>
  shown === 0 ? formatSigned(micros, formatMoneyExact) : formatSigned(shown, formatMoney);

/** The difference of two totals that formatMoney shows. */
export const signedDifference = (from: number, to: number): string =>
  signedPart(to - from, shownParts(from, [to - from], 2)?.[0] ?? 0);
