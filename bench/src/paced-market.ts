import { HOUR_MS } from "@millrace/units";

export const DAY = Date.parse("2026-03-10T00:00:00Z");
export const OUTAGE_MS = 2 * HOUR_MS;

/** A request: when it comes, and the CPM in micro-dollars that an ad has to reach. */
export interface Offer {
  atMs: number;
  priceMicros: number;
}

export interface Market {
  offers: Offer[];
  /** Requests that an outage kept away. */
  missing: number;
  outageFromMs: number;
  /** By hour, of the seven days before. */
  before: number[];
  /** The prices of requests of these days. */
  pastPrices: number[];
}

/** Uniform numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const hours = <T>(of: (hour: number) => T): T[] => Array.from({ length: 24 }, (_, hour) => of(hour));

/** A peak at noon, and a higher one in the evening. */
const SHAPE = hours((hour) => {
  const peak = (at: number, width: number) => Math.exp(-(((hour + 0.5 - at) / width) ** 2));
  return 0.35 + peak(12.5, 2.5) + 1.4 * peak(20.5, 2);
});
const SHAPE_SUM = SHAPE.reduce((sum, each) => sum + each, 0);

/** Each day is busier or calmer than others, and so is each of its hours. */
function requestsByHour(random: () => number, requests: number): number[] {
  const level = Math.exp(0.15 * normal(random));
  return SHAPE.map((each) => Math.round((each / SHAPE_SUM) * requests * level * Math.exp(0.08 * normal(random))));
}

/** A fifth of the requests have the same floor and no rival; in the others, rivals pay more in the evening. */
function priceOf(random: () => number, hour: number): number {
  if (random() < 0.2) return 700_000;
  return 900_000 * (hour >= 18 ? 1.25 : 1) * Math.exp(0.6 * normal(random));
}

/** A day of a market and what is known of the days before; an outage is between the two peaks. */
export function marketOf({
  seed,
  requests,
  hasOutage,
}: {
  seed: number;
  requests: number;
  hasOutage: boolean;
}): Market {
  const random = randomOf(seed);
  const days = Array.from({ length: 7 }, () => requestsByHour(random, requests));
  const today = requestsByHour(random, requests);
  const outageFromMs = DAY + (13.5 + 2 * random()) * HOUR_MS;
  const all = today.flatMap((count, hour) =>
    Array.from({ length: count }, () => ({
      atMs: Math.floor(DAY + (hour + random()) * HOUR_MS),
      priceMicros: priceOf(random, hour),
    })),
  );
  const isOut = ({ atMs }: Offer) => hasOutage && atMs >= outageFromMs && atMs < outageFromMs + OUTAGE_MS;
  const offers = all.filter((offer) => !isOut(offer)).toSorted((a, b) => a.atMs - b.atMs);
  return {
    offers,
    missing: all.length - offers.length,
    outageFromMs,
    before: hours((hour) => days.reduce((sum, day) => sum + (day[hour] ?? 0), 0)),
    pastPrices: Array.from({ length: 24_000 }, (_, n) => priceOf(random, n % 24)),
  };
}
