import { type AppBids, BID_EDGES } from "@millrace/contract";
import { MICROS_PER_CENT } from "@millrace/units";

/** A logarithmic axis of prices in micro-dollars. */
export interface BidScale {
  lo: number;
  hi: number;
  /** The place of a price on the axis, from 0 to 1. */
  at(micros: number): number;
  /** The price at a place, in whole ten-thousandths of a dollar. */
  priceAt(place: number): number;
}

const STEP_MICROS = 100;

/** The end of a bucket: the next one's begin. */
export const bucketEnd = (from: number): number => BID_EDGES.find((edge) => edge > from) ?? from * 1.2;

/** An axis with room for all bids and floors. */
export function bidScale({ buckets, floors }: Pick<AppBids, "buckets" | "floors">, floor: number | null): BidScale {
  const prices = [
    ...buckets.flatMap(({ from }) => [from, bucketEnd(from)]),
    ...floors,
    ...(floor === null ? [] : [floor * 1.1]),
  ].filter((price) => price >= MICROS_PER_CENT / 10);
  // Room below the lowest, so that a floor can be drawn lower.
  const lo = Math.max(MICROS_PER_CENT / 10, prices.length > 0 ? Math.min(...prices) * 0.6 : MICROS_PER_CENT * 10);
  const hi = Math.max(lo * (prices.length > 0 ? 10 : 100), ...prices);
  const span = Math.log(hi / lo);
  return {
    lo,
    hi,
    at: (micros) => Math.min(1, Math.max(0, micros <= 0 ? 0 : Math.log(micros / lo) / span)),
    priceAt: (place) => Math.round((lo * Math.exp(place * span)) / STEP_MICROS) * STEP_MICROS,
  };
}

/** What a floor means for the requests of a bucket. */
export type BucketFate = "under" | "lost" | "gained" | "sold";

/** `today` is the floor in force, `floor` the new one. */
export function fateOf(from: number, today: number, floor: number | null): BucketFate {
  const next = floor ?? today;
  if (from >= Math.max(today, next)) return "sold";
  if (from >= today) return "lost";
  return from >= next ? "gained" : "under";
}

const TICKS = [10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/** The powers of ten on the axis. */
export const ticksOf = ({ lo, hi }: Pick<BidScale, "lo" | "hi">): number[] =>
  TICKS.filter((tick) => tick >= lo * 0.999 && tick <= hi * 1.001);
