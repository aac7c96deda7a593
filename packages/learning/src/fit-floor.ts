import type { FloorArm } from "@millrace/auction";
import { HOUR_MS } from "@millrace/units";
import { added, type Evidence, NO_EVIDENCE } from "./evidence.ts";
import { liftOf } from "./floor-lift.ts";
import { comparedWeight, floorAtStep, nextStep, stepOfFloor } from "./learned-floor.ts";

/**
 * `learning`: no gain is shown yet. `holds`: a gain is shown at 95% over these days, so all requests outside the hold-out have automatic
 * floors. `fell_back`: it is not any more, or a loss is; most requests have the publisher's floor.
 */
export const FLOOR_STATES = ["learning", "holds", "fell_back"] as const;
export type FloorState = (typeof FLOOR_STATES)[number];

/** A cell's automatic floor, from one fit to the next. */
export interface CellFloor {
  step: number;
  state: FloorState;
  /** When the step was last considered, epoch milliseconds. */
  movedAt: number;
}

/** The requests of a cell that had one kind of floor, drawn with one probability. */
export interface FloorEvidence {
  arm: FloorArm;
  /** Null for the publisher's own floor. */
  step: number | null;
  probability: number;
  /** What each request earned, CPM in micro-dollars. */
  earned: Evidence;
  /** The same, in which old requests weigh less. */
  recent: Evidence;
}

/** A cell as it is when it is fitted. */
export interface CellFacts {
  /** The publisher's own floor, CPM in micro-dollars; 0 for none. */
  ownMicros: number;
  /** What a tenth of its impressions were sold for at most, CPM in micro-dollars; 0 if nothing is sold. */
  lowPriceMicros: number;
  requestsPerHour: number;
}

/** In this many requests of a cell, some 300 have automatic floors: enough to see which way is uphill. */
const REQUESTS_PER_MOVE = 1000;

/** The highest step that is not above the publisher's own floor: lower ones would be that floor, too. */
export function lowestStep(ownMicros: number): number {
  const nearest = stepOfFloor(ownMicros);
  return floorAtStep(nearest) > ownMicros ? Math.max(0, nearest - 1) : nearest;
}

/** What requests with automatic floors earned, and those that were held out of them. See `liftOf`. */
export interface ComparedFloors {
  automatic: Evidence;
  held: Evidence;
}

/** The next floor of a cell, and what it is compared by. `before` is undefined where nothing is learned yet. */
export function fitFloor(
  before: CellFloor | undefined,
  evidence: readonly FloorEvidence[],
  { ownMicros, lowPriceMicros, requestsPerHour }: CellFacts,
  nowMs: number,
): CellFloor & ComparedFloors {
  const compared = comparedFloors(evidence);
  const lift = liftOf(compared.automatic, compared.held);
  const lowest = lowestStep(ownMicros);
  // Where it begins, hardly anything is lost.
  const start = Math.max(lowest, stepOfFloor(lowPriceMicros));
  const { step, movedAt } = before ?? { step: start, movedAt: nowMs };
  const isLoss = lift.possible.high < 0;
  const state = lift.isProven ? "holds" : isLoss || (before && before.state !== "learning") ? "fell_back" : "learning";
  const isDue = ((nowMs - movedAt) / HOUR_MS) * requestsPerHour >= REQUESTS_PER_MOVE;
  // A certain loss ends at once: the learned floor is the publisher's until the loss is out of the evidence.
  const next = isLoss ? lowest : isDue ? nextStep(earnedByStep(evidence), step) : step;
  return { step: Math.max(lowest, next), state, movedAt: isDue ? nowMs : movedAt, ...compared };
}

/** Weighted so that cells may be added up: all of them have automatic floors in the same share of their requests. */
function comparedFloors(evidence: readonly FloorEvidence[]): ComparedFloors {
  let [automatic, held] = [NO_EVIDENCE, NO_EVIDENCE];
  for (const { earned, ...draw } of evidence) {
    const weighted = scaled(earned, comparedWeight(draw));
    if (draw.arm === "held") held = added(held, weighted);
    else automatic = added(automatic, weighted);
  }
  return { automatic, held };
}

function earnedByStep(evidence: readonly FloorEvidence[]): Map<number, Evidence> {
  const earned = new Map<number, Evidence>();
  for (const { step, recent } of evidence) {
    if (step !== null) earned.set(step, added(earned.get(step) ?? NO_EVIDENCE, recent));
  }
  return earned;
}

const scaled = ({ count, sum, squares }: Evidence, weight: number): Evidence => ({
  count: count * weight,
  sum: sum * weight,
  squares: squares * weight,
});
