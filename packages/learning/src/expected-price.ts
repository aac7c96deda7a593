import { DAY_MS } from "@millrace/units";
import { type Cell, groupsOf, ROOT } from "./cell.ts";
import { alongPath, byGroup, type Evidence, meanOf, NO_EVIDENCE, scatterOf } from "./evidence.ts";
import { type Drawn, drawn } from "./random.ts";

/**
 * Expected prices of line items. A line item has a price that its owner states; what its impressions really pay is a
 * factor on that price. Factors are learned for the whole line item, then for each format and country, then for each
 * platform: every group starts from the wider one's belief and moves away from it as far as its own evidence goes
 * (hierarchical shrinkage with normal priors). So a country that nobody has seen yet gets what the others pay.
 */

/** A belief about a factor on the stated price. */
export interface Belief {
  mean: number;
  sd: number;
}

/** Beliefs by the names of groups, see `groupsOf`. */
export type PriceFactors = Readonly<Record<string, Belief>>;

/** What one cell's impressions paid, each as a factor on the price that is stated today. */
export interface PriceEvidence extends Cell {
  factors: Evidence;
}

/** Half of a price's evidence is a day old or less, so that a halved price is noticed within about a day. */
export const PRICE_HALF_LIFE_MS = DAY_MS;

/** Before any impression: stated prices are right within a factor of about two. */
const STATED: Belief = { mean: 1, sd: 0.5 };
/** How far a group usually is from the wider one. */
const GROUP_SPREAD = 0.2;
/** How far single impressions are from their group's mean, until enough of them are seen. */
const NOISE = 0.5;
const NOISE_WEIGHT = 10;

/** The beliefs about a line item's prices after this evidence. */
export function fitPriceFactors(rows: readonly PriceEvidence[]): PriceFactors {
  const evidence = byGroup(rows, groupsOf, ({ factors }) => factors);
  const all = evidence.get(ROOT) ?? NO_EVIDENCE;
  const scatter = rows.reduce((sum, { factors }) => sum + scatterOf(factors), 0);
  const variance = (scatter + NOISE_WEIGHT * NOISE ** 2) / (all.count + NOISE_WEIGHT);
  const beliefOf = (groups: readonly string[]): Belief =>
    alongPath(evidence, groups).reduce(
      (wider, seen, depth) => updated(depth === 0 ? STATED : narrowed(wider), seen, variance),
      STATED,
    );
  const beliefs: Record<string, Belief> = { [ROOT]: beliefOf([ROOT]) };
  for (const row of rows) {
    const groups = groupsOf(row);
    for (let depth = 2; depth <= groups.length; depth++) {
      beliefs[groups[depth - 1] as string] ??= beliefOf(groups.slice(0, depth));
    }
  }
  return beliefs;
}

/** What a group is believed to be before it is seen. */
const narrowed = ({ mean, sd }: Belief): Belief => ({ mean, sd: Math.hypot(sd, GROUP_SPREAD) });

/** The normal belief after sightings of this variance. */
function updated(prior: Belief, evidence: Evidence, variance: number): Belief {
  const [before, seen] = [1 / prior.sd ** 2, evidence.count / variance];
  return {
    mean: (before * prior.mean + seen * meanOf(evidence)) / (before + seen),
    sd: 1 / Math.sqrt(before + seen),
  };
}

/** What an impression of a line item is expected to pay, CPM in micro-dollars. */
export interface ExpectedPrice {
  expectedMicros: number;
  /** The mean is above `lowMicros` and below `highMicros` with a probability of 90%. */
  lowMicros: number;
  highMicros: number;
}

/** 90% of a normal distribution is within this many standard deviations. */
const NINE_IN_TEN = 1.645;

export function expectedPrice(factors: PriceFactors, cell: Cell, statedMicros: number): ExpectedPrice {
  const belief = beliefAt(factors, cell);
  const at = (deviations: number) => priceAt(belief, deviations, statedMicros);
  return { expectedMicros: at(0), lowMicros: at(-NINE_IN_TEN), highMicros: at(NINE_IN_TEN) };
}

/** For a cell that has not been seen yet, the belief of the narrowest group that has. */
function beliefAt(factors: PriceFactors, cell: Cell): Belief {
  const groups = groupsOf(cell);
  const depth = groups.findLastIndex((group) => Object.hasOwn(factors, group));
  let belief = factors[groups[depth] ?? ROOT] ?? STATED;
  for (let unseen = Math.max(depth, 0) + 1; unseen < groups.length; unseen++) belief = narrowed(belief);
  return belief;
}

const priceAt = ({ mean, sd }: Belief, deviations: number, statedMicros: number): number =>
  Math.max(1, Math.round(Math.max(0, mean + deviations * sd) * statedMicros));

/**
 * The midpoints of 16 equally likely parts of a normal distribution: a draw among them has a probability, unlike a draw among all
 * numbers.
 */
const UPPER = [0.0784, 0.2372, 0.4023, 0.5791, 0.7764, 1.01, 1.318, 1.8627];
const QUANTILES = [...UPPER.map((deviations) => -deviations).reverse(), ...UPPER];

/** The price at which a line item is ranked in one auction, and how likely that price was. */
export interface PriceDraw {
  priceMicros: number;
  probability: number;
  /** Whether the auction explores: the price is drawn from the belief instead of expected (Thompson sampling). */
  isExplored: boolean;
}

/**
 * Draws the prices of an auction's line items. Of all auctions, `explorationShare` (0 to 1) explore; in the others
 * each line item ranks at its expected price. An auction explores with all of its line items or with none, so
 * probabilities of several are multiplied within the share, not with it.
 */
export function drawPrice(
  { seed, id, explorationShare }: { seed: string; id: string; explorationShare: number },
  factors: PriceFactors,
  cell: Cell,
  statedMicros: number,
): PriceDraw {
  const belief = beliefAt(factors, cell);
  const explore: Drawn<boolean>[] = [
    { value: true, probability: explorationShare },
    { value: false, probability: 1 - explorationShare },
  ];
  const { value: isExplored, probability } = drawn(seed, "explore", explore);
  if (!isExplored) return { priceMicros: priceAt(belief, 0, statedMicros), probability, isExplored };
  const each = QUANTILES.map((value) => ({ value, probability: 1 / QUANTILES.length }));
  const quantile = drawn(seed, `price\n${id}`, each);
  return {
    priceMicros: priceAt(belief, quantile.value, statedMicros),
    probability: probability * quantile.probability,
    isExplored,
  };
}
