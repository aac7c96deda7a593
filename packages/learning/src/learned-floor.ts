import type { FloorArm, FloorDraw } from "@millrace/auction";
import { DAY_MS } from "@millrace/units";
import { type Evidence, meanOf } from "./evidence.ts";
import { type Drawn, drawn } from "./random.ts";

/**
 * Automatic floors. Floors are steps of a scale, each a tenth above the one below. A cell's floor is moved a little up
 * or down in a few auctions, at random, and follows what earns more for each request. Bidders answer floors with other
 * bids, so only what was earned at a floor tells what it is worth.
 */

/** The share of requests that always has the publisher's floor, with which automatic floors are compared. */
export const HOLD_OUT = 0.05;
/** The share of requests with automatic floors until a gain is proven. */
export const TRIAL_SHARE = 0.3;
/** The share of requests with automatic floors that have one a step lower; as many have one a step higher. */
const SHOCK = 0.15;
/** Half of a floor's evidence is a week old or less. */
export const FLOOR_HALF_LIFE_MS = 7 * DAY_MS;

const LOWEST_MICROS = 1000;
const STEP = 1.1;

/** A step of the scale as CPM in micro-dollars. */
export const floorAtStep = (step: number): number => Math.round(LOWEST_MICROS * STEP ** step);
/** The step that is nearest to a CPM in micro-dollars. */
export const stepOfFloor = (micros: number): number =>
  Math.max(0, Math.round(Math.log(Math.max(micros, LOWEST_MICROS) / LOWEST_MICROS) / Math.log(STEP)));

/** What is learned for a cell. */
export interface LearnedFloor {
  step: number;
  /** All requests outside the hold-out have the learned floor; otherwise those of the trial. See `liftOf`. */
  isProven: boolean;
}

/** What a request's floor may be, and how likely: its arm, and by how many steps it is beside the learned one. */
export function floorChoices(isProven: boolean): Drawn<{ arm: FloorArm; shock: number }>[] {
  const automatic = isProven ? 1 - HOLD_OUT : TRIAL_SHARE;
  return [
    { value: { arm: "held", shock: 0 }, probability: HOLD_OUT },
    { value: { arm: "own", shock: 0 }, probability: Math.max(0, 1 - HOLD_OUT - automatic) },
    { value: { arm: "shock", shock: -1 }, probability: automatic * SHOCK },
    { value: { arm: "shock", shock: 1 }, probability: automatic * SHOCK },
    { value: { arm: "learned", shock: 0 }, probability: automatic * (1 - 2 * SHOCK) },
  ];
}

/** Draws the floor of a request. Never below the publisher's own, which is the least that they sell at. */
export function drawFloor(
  { seed, impId }: { seed: string; impId: string },
  { step, isProven }: LearnedFloor,
  publisherMicros: number,
): FloorDraw {
  const { value, probability } = drawn(seed, `floor\n${impId}`, floorChoices(isProven));
  const { arm } = value;
  if (arm === "held" || arm === "own") return { impId, arm, floorMicros: publisherMicros, step: null, probability };
  const shocked = Math.max(0, step + value.shock);
  return { impId, arm, floorMicros: Math.max(publisherMicros, floorAtStep(shocked)), step: shocked, probability };
}

/**
 * What a draw weighs in the comparison with the hold-out. While nothing is proven, floors are automatic as often as
 * `TRIAL_SHARE` says, and more often later; weighted, they are so at all times, or a good day would look like a good floor.
 */
export const comparedWeight = ({ arm, probability }: Pick<FloorDraw, "arm" | "probability">): number => {
  const onTrial = floorChoices(false).find(({ value }) => value.arm === arm);
  return onTrial === undefined || arm === "own" || probability <= 0 ? 0 : onTrial.probability / probability;
};

/** Steps farther away tell nothing about this one. */
const REACH = 4;

/**
 * The next step of a cell's floor: one up, one down or the same, towards the top of a parabola through what the steps
 * around it earned per request. `earned` has the revenue of requests by step.
 */
export function nextStep(earned: ReadonlyMap<number, Evidence>, step: number): number {
  const near = [...earned].filter(([at, { count }]) => Math.abs(at - step) <= REACH && count > 0);
  if (near.length < 2) return step;
  const fit = parabola(
    near.map(([at, evidence]) => ({ x: at - step, y: meanOf(evidence), weight: weightAt(at - step, evidence) })),
  );
  // Where it has no top, uphill.
  const top = fit.bend < 0 ? -fit.slope / (2 * fit.bend) : Math.sign(fit.slope);
  return Math.max(0, step + Math.max(-1, Math.min(1, Math.round(top))));
}

const weightAt = (distance: number, { count }: Evidence): number => count * (1 - (distance / (REACH + 1)) ** 2);

interface Point {
  x: number;
  y: number;
  weight: number;
}

/** The slope at 0 and the bend of the parabola (a line, of two points) with the least weighted squared distance. */
function parabola(points: readonly Point[]): { slope: number; bend: number } {
  const moment = (of: (point: Point) => number) => points.reduce((sum, point) => sum + point.weight * of(point), 0);
  const [all, x, y] = [moment(() => 1), moment((p) => p.x), moment((p) => p.y)];
  const [meanX, meanY] = [x / all, y / all];
  const square = moment((p) => p.x ** 2) / all;
  const [u, v] = [(p: Point) => p.x - meanX, (p: Point) => p.x ** 2 - square];
  const [uu, uv, vv] = [moment((p) => u(p) ** 2), moment((p) => u(p) * v(p)), moment((p) => v(p) ** 2)];
  const [uy, vy] = [moment((p) => u(p) * (p.y - meanY)), moment((p) => v(p) * (p.y - meanY))];
  const determinant = uu * vv - uv ** 2;
  if (points.length < 3 || determinant <= uu * vv * 1e-9) return { slope: uy / uu, bend: 0 };
  return { slope: (uy * vv - vy * uv) / determinant, bend: (vy * uu - uy * uv) / determinant };
}
