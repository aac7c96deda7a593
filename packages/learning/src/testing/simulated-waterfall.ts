import { DAY_MS } from "@millrace/units";
import type { Cell } from "../cell.ts";
import { added, aged, type Evidence, meanOf, NO_EVIDENCE, sighting } from "../evidence.ts";
import { drawPrice, fitPriceFactors, PRICE_HALF_LIFE_MS, type PriceFactors } from "../expected-price.ts";
import { seeded } from "./seeded.ts";

/** How a waterfall is ordered: what is known of a line item's price in a cell, and what its impressions pay. */
export interface Strategy {
  priceOf(line: Line, cell: Cell, auction: string): number;
  /** An impression's price is known. */
  sees(line: Line, cell: Cell, paidMicros: number): void;
  /** Some time has passed. */
  rests(elapsedMs: number): void;
}

/** A line item with its true prices, which no strategy but the oracle's knows. */
export interface Line {
  id: string;
  statedMicros: number;
  fillRate: number;
  /** What an impression pays on average, by cell. */
  truth: Map<string, number>;
}

const FORMATS = ["interstitial", "rewarded_video"];
const COUNTRIES = ["US", "DE", "BR", "IN"];
const PLATFORMS = ["ios", "android"];
const keyOf = ({ format, country, platform }: Cell) => `${format}/${country}/${platform}`;
const CELLS: Cell[] = FORMATS.flatMap((format) =>
  COUNTRIES.flatMap((country) => PLATFORMS.map((platform) => ({ format, country, platform }))),
);

/** An app with a thousand requests a day; models are fitted 20 times a day. */
const REQUESTS_PER_FIT = 50;
const FIT_MS = DAY_MS / 20;

export interface Walk {
  /** Revenue of each request in micro-dollars per thousand. */
  revenue: number[];
  /** What the oracle's order would have earned of the same request. */
  oracle: number[];
}

export interface WaterfallWorld {
  lines: Line[];
  seed: string;
}

/** Six line items whose stated prices are wrong by a third or more, and differently so in each cell. */
export function waterfallWorld(seed: string): WaterfallWorld {
  const random = seeded(`world ${seed}`);
  const lines = Array.from({ length: 6 }, (_, nth): Line => {
    const statedMicros = Math.round(2_000_000 * 1.3 ** nth);
    const whole = random.factor(0.5);
    const truth = new Map(CELLS.map((cell) => [keyOf(cell), statedMicros * whole * random.factor(0.25)]));
    return { id: `line-${nth}`, statedMicros, fillRate: 0.2 + 0.5 * random.next(), truth };
  });
  return { lines, seed };
}

/**
 * Sells requests to the first line item that fills, from the highest price down; a live bid stands in the same order. The
 * highest price halves at request `halvesAt`.
 */
export function walk({ lines, seed }: WaterfallWorld, strategy: Strategy, requests: number, halvesAt = Infinity): Walk {
  const random = seeded(`requests ${seed}`);
  const sold: Walk = { revenue: [], oracle: [] };
  for (let nth = 0; nth < requests; nth++) {
    if (nth === halvesAt) halveBest(lines);
    if (nth % REQUESTS_PER_FIT === 0) strategy.rests(FIT_MS);
    const cell = random.pick(CELLS);
    // The same luck for every strategy: whether a line item would fill, and what it would pay.
    const chances = lines.map((line) => ({ line, fills: random.next() < line.fillRate, luck: random.factor(0.5) }));
    const bid = 3_000_000 * random.factor(0.5);
    const earn = (priceOf: (line: Line) => number, tell: boolean) => {
      const order = chances
        .map((chance) => ({ ...chance, price: priceOf(chance.line) }))
        .sort((a, b) => b.price - a.price);
      const shown = order.find(({ fills, price }) => fills && price > bid);
      if (shown === undefined) return bid;
      const paid = (shown.line.truth.get(keyOf(cell)) ?? 0) * shown.luck;
      if (tell) strategy.sees(shown.line, cell, paid);
      return paid;
    };
    sold.revenue.push(earn((line) => strategy.priceOf(line, cell, `${seed} ${nth}`), true));
    sold.oracle.push(earn((line) => line.truth.get(keyOf(cell)) ?? 0, false));
  }
  return sold;
}

function halveBest(lines: readonly Line[]): void {
  const priceOf = ({ truth }: Line) => [...truth.values()].reduce((sum, micros) => sum + micros, 0);
  const [best] = [...lines].sort((a, b) => priceOf(b) - priceOf(a));
  for (const [cell, micros] of best?.truth ?? []) best?.truth.set(cell, micros / 2);
}

/** The platform's strategy, fitted again from time to time. */
export function learning(explorationShare: number): Strategy {
  const seen = new Map<string, Map<string, { cell: Cell; factors: Evidence }>>();
  const fitted = new Map<string, PriceFactors>();
  return {
    priceOf: ({ id, statedMicros }, cell, seed) =>
      drawPrice({ seed, id, explorationShare }, fitted.get(id) ?? {}, cell, statedMicros).priceMicros,
    sees({ id, statedMicros }, cell, paidMicros) {
      const cells = seen.get(id) ?? new Map<string, { cell: Cell; factors: Evidence }>();
      seen.set(id, cells);
      const before = cells.get(keyOf(cell))?.factors ?? NO_EVIDENCE;
      cells.set(keyOf(cell), { cell, factors: added(before, sighting(paidMicros / statedMicros)) });
    },
    rests(elapsedMs) {
      for (const [id, cells] of seen) {
        for (const row of cells.values()) row.factors = aged(row.factors, elapsedMs, PRICE_HALF_LIFE_MS);
        fitted.set(id, fitPriceFactors([...cells.values()].map(({ cell, factors }) => ({ ...cell, factors }))));
      }
    },
  };
}

/** The owner's stated prices, for ever. */
export const fixedOrder = (): Strategy => ({ priceOf: (line) => line.statedMicros, sees() {}, rests() {} });

/** The mean of all that a line item's impressions in the cell ever paid. */
export function historicalMean(): Strategy {
  const seen = new Map<string, Evidence>();
  return {
    priceOf(line, cell) {
      const evidence = seen.get(`${line.id} ${keyOf(cell)}`);
      return evidence ? meanOf(evidence) : line.statedMicros;
    },
    sees(line, cell, paidMicros) {
      const key = `${line.id} ${keyOf(cell)}`;
      seen.set(key, added(seen.get(key) ?? NO_EVIDENCE, sighting(paidMicros)));
    },
    rests() {},
  };
}
