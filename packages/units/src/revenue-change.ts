/** The sums of a period whose revenue is requests × fill rate × eCPM; money in micro-dollars. */
export interface RevenueSums {
  requests: number | bigint;
  impressions: number | bigint;
  revenueMicros: number | bigint;
}

/** What each factor's change brought, in micro-dollars. */
export interface RevenueParts {
  requests: bigint;
  fillrate: bigint;
  ecpm: bigint;
}

/** A non-negative fraction. */
interface Ratio {
  top: bigint;
  bottom: bigint;
}

/**
 * Splits the difference in revenue into requests, fill rate and eCPM. A part is the factor's Shapley value: the difference that
 * its change makes, averaged over the six orders in which the three factors can change one after another. Exchanging the
 * periods only turns the signs.
 *
 * The parts are whole micro-dollars and add up to the difference exactly: each is rounded toward zero, and what is missing then,
 * one or two micro-dollars, goes one each to the parts that lost most by it (with equal losses in the order requests, fill rate,
 * eCPM). A factor that is unknown in a period, as the fill rate without requests, counts as unchanged. Impressions without a
 * request (it was made before the period) count as requested in it.
 */
export function splitRevenueChange(before: RevenueSums, after: RevenueSums): RevenueParts {
  const [first, second] = [factorsOf(before), factorsOf(after)];
  const [a0, a1] = [first.requests, second.requests];
  const [b0, b1] = known(first.fillrate, second.fillrate);
  const [c0, c1] = known(first.ecpm, second.ecpm);
  const bottom = 6n * b0.bottom * b1.bottom * c0.bottom * c1.bottom;
  // Everything over one divisor, so that all sums below are of whole numbers.
  const [fill0, fill1] = [b0.top * b1.bottom, b1.top * b0.bottom];
  const [price0, price1] = [c0.top * c1.bottom, c1.top * c0.bottom];
  const shapley = (change: bigint, [y0, y1]: Pair, [z0, z1]: Pair) =>
    change * (2n * y0 * z0 + y0 * z1 + y1 * z0 + 2n * y1 * z1);
  const tops = [
    shapley(a1 - a0, [fill0, fill1], [price0, price1]),
    shapley(fill1 - fill0, [a0, a1], [price0, price1]),
    shapley(price1 - price0, [a0, a1], [fill0, fill1]),
  ] as const;
  const [requests, fillrate, ecpm] = roundedTogether(tops, bottom);
  // Revenue without impressions has no eCPM: it is left to that part.
  const inexplicable = orphaned(after) - orphaned(before);
  return { requests, fillrate, ecpm: ecpm + inexplicable };
}

type Pair = readonly [bigint, bigint];

interface Factors {
  requests: bigint;
  fillrate: Ratio | null;
  /** Revenue per impression. */
  ecpm: Ratio | null;
}

function factorsOf({ requests, impressions, revenueMicros }: RevenueSums): Factors {
  const [asked, shown, money] = [BigInt(requests), BigInt(impressions), BigInt(revenueMicros)];
  const counted = asked === 0n ? shown : asked;
  return {
    requests: counted,
    fillrate: counted === 0n ? null : { top: shown, bottom: counted },
    ecpm: shown === 0n ? null : { top: money, bottom: shown },
  };
}

const orphaned = ({ impressions, revenueMicros }: RevenueSums): bigint =>
  BigInt(impressions) === 0n ? BigInt(revenueMicros) : 0n;

const NONE: Ratio = { top: 0n, bottom: 1n };
const known = (before: Ratio | null, after: Ratio | null) =>
  [before ?? after ?? NONE, after ?? before ?? NONE] as const;

/** Divides three numbers with a whole sum so that the quotients are whole and have that sum. */
function roundedTogether(tops: readonly [bigint, bigint, bigint], bottom: bigint): [bigint, bigint, bigint] {
  const parts = tops.map((top) => top / bottom) as [bigint, bigint, bigint];
  let missing = tops.reduce((sum, top) => sum + top, 0n) / bottom - parts.reduce((sum, part) => sum + part, 0n);
  const sign = missing < 0n ? -1n : 1n;
  const lost = tops
    .map((top, nth) => ({ nth, by: sign * (top % bottom) }))
    .toSorted((x, y) => Number(y.by > x.by) - Number(y.by < x.by) || x.nth - y.nth);
  for (const { nth } of lost) {
    if (missing === 0n) break;
    parts[nth] = (parts[nth] ?? 0n) + sign;
    missing -= sign;
  }
  return parts;
}
