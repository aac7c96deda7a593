/** A count, or money in micro-dollars. */
export type Amount = number | bigint;

export const MICROS_PER_CENT = 10_000;

/** The whole cents of an amount, in micro-dollars and rounded toward zero: what is paid of a balance. The rest stays on it. */
export function wholeCents(micros: Amount): bigint {
  const exact = BigInt(micros);
  return exact - (exact % BigInt(MICROS_PER_CENT));
}

/** The change between two balances in their whole cents, in micro-dollars, so that the three add up as they are shown. */
export const changeOfBalance = (opening: Amount, closing: Amount): number =>
  Number(wholeCents(closing) - wholeCents(opening));

/** 100 × impressions / requests, in percent; null without requests. */
export const fillRate = (impressions: Amount, requests: Amount) => percentOf(impressions, requests);

/** 100 × clicks / impressions, in percent; null without impressions. */
export const ctr = (clicks: Amount, impressions: Amount) => percentOf(clicks, impressions);

/** 100 × conversions / clicks, in percent; null without clicks. */
export const conversionRate = (conversions: Amount, clicks: Amount) => percentOf(conversions, clicks);

/** What a conversion costs, to the nearest micro-dollar; null without conversions. */
export function costPerConversionMicros(costMicros: Amount, conversions: Amount): number | null {
  return Number(conversions) === 0 ? null : Number(divideRounded(BigInt(costMicros), BigInt(conversions)));
}

/** 100 × uniques / sessions, in percent; null without sessions. */
export const useRate = (uniques: Amount, sessions: Amount) => percentOf(uniques, sessions);

/** 100 × part / whole, in percent; null without a whole. */
export function percentOf(part: Amount, whole: Amount): number | null {
  return Number(whole) === 0 ? null : (100 * Number(part)) / Number(whole);
}

/** The change from a previous amount in percent of it; null if there is nothing to compare with. */
export function percentChange(current: Amount | null, previous: Amount | null): number | null {
  if (current === null || previous === null || Number(previous) === 0) return null;
  return (100 * (Number(current) - Number(previous))) / Math.abs(Number(previous));
}

/** The mean session length in seconds; null without sessions. */
export function currentSession(sessionSeconds: Amount, sessions: Amount): number | null {
  return Number(sessions) === 0 ? null : Number(sessionSeconds) / Number(sessions);
}

/** Revenue per thousand impressions, to the nearest micro-dollar; null without impressions. */
export function ecpmMicros(revenueMicros: Amount, impressions: Amount): number | null {
  return Number(impressions) === 0 ? null : Number(divideRounded(BigInt(revenueMicros) * 1000n, BigInt(impressions)));
}

/** All revenue per device, to the nearest micro-dollar; null without devices. */
export function ltvMicros(revenueMicros: Amount, devices: Amount): number | null {
  return Number(devices) === 0 ? null : Number(divideRounded(BigInt(revenueMicros), BigInt(devices)));
}

/**
 * The price of one impression at a CPM, in whole micro-dollars, rounded half up. All code that turns a CPM into the price
 * of an impression uses this function, so that token, event, ledger and the partner's invoice agree.
 */
export function impressionMicros(cpmMicros: number): number {
  if (!Number.isSafeInteger(cpmMicros) || cpmMicros < 0)
    throw new RangeError("cpmMicros must be a whole number, 0 or more");
  const rest = cpmMicros % 1000;
  return (cpmMicros - rest) / 1000 + (rest >= 500 ? 1 : 0);
}

/**
 * The publisher's share of a cleared price, at `sharePpm` parts per million, rounded half up: rounded down, cheap impressions
 * would earn less than the share. The rest is the platform's, so that both add up to the price exactly.
 */
export function revenueShareMicros(priceMicros: number, sharePpm: number): number {
  if (!Number.isInteger(sharePpm) || sharePpm < 0 || sharePpm > 1_000_000) {
    throw new RangeError("sharePpm must be a whole number from 0 to 1000000");
  }
  return Number(divideRounded(BigInt(priceMicros) * BigInt(sharePpm), 1_000_000n));
}

/** A publisher's share of the cleared price, from a UTC day on. */
export interface DatedShare {
  fromDay: string;
  sharePpm: number;
}

/** The share of a UTC day: of the last row that begins on it or before, or else the platform's. */
export function sharePpmOn(day: string, shares: readonly DatedShare[], platformPpm: number): number {
  let found: DatedShare | undefined;
  for (const share of shares)
    if (share.fromDay <= day && (found === undefined || share.fromDay >= found.fromDay)) found = share;
  return found?.sharePpm ?? platformPpm;
}

/** Divides and rounds to the nearest integer, halves away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (top * 2n + bottom) / (bottom * 2n);
  return negative ? -quotient : quotient;
}
