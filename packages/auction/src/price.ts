/** No buyer pays more for a thousand impressions; a price above it is a mistake or an attack. */
export const MAX_PRICE_MICROS = 10_000_000_000;

/**
 * A decimal price in millionths, rounded to the nearest (halves away from zero), so that every price of up to six
 * decimals is exact: 1.005 is 1005000 although the nearest double is a little less. Null if it is not a finite number
 * (NaN, 1e309, text); clamped to the safe integers, so it never overflows.
 */
export function priceToMicros(price: unknown): number | null {
  if (typeof price !== "number" || !Number.isFinite(price)) return null;
  const micros = Math.sign(price) * Math.round(Math.abs(price) * 1e6);
  // Adding 0 turns -0 into 0: JSON does not know the difference, a comparison of traces would.
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, micros)) + 0;
}

/** Millionths as a plain decimal without exponent or trailing zeros, for price macros: 1250000 is "1.25". */
export function microsToDecimal(micros: number): string {
  const sign = micros < 0 ? "-" : "";
  const digits = String(Math.abs(Math.trunc(micros))).padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return sign + digits.slice(0, -6) + (fraction === "" ? "" : `.${fraction}`);
}

/**
 * Converts millionths of a currency to micro-dollars, at `rate` dollars per unit. Prices and floors both use it, so
 * that equal ones stay equal.
 */
export function inUsdMicros(micros: number, rate: number): number {
  return rate === 1 ? micros : Math.round(Math.min(micros * rate, Number.MAX_SAFE_INTEGER)) + 0;
}

/** Dollars per unit of the currency; undefined without a rate. */
export function rateToUsd(currency: string, rates: Record<string, number> | undefined): number | undefined {
  if (currency === "USD") return 1;
  const rate = rates !== undefined && Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  return rate !== undefined && Number.isFinite(rate) && rate > 0 ? rate : undefined;
}
