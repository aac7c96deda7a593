import { type Cell, groupsOf, narrowest } from "./cell.ts";
import { byGroup, NO_EVIDENCE } from "./evidence.ts";
import { type Drawn, drawn } from "./random.ts";

/**
 * Which partners need not be asked, because they never bid for such a request: for all of theirs, those of a format and
 * country, of a platform there, or of one app on it.
 */

/** A request as partners see it. */
export interface AppCell extends Cell {
  appId: number;
}

/**
 * What became of one partner's requests in a cell, each divided by the probability with which it was sent: those that were
 * sent although the partner is skipped stand for those that were not. Old ones may weigh less.
 */
export interface BidEvidence extends AppCell {
  asked: number;
  bids: number;
}

/** Whether requests of a group are skipped. */
export type Skips = Readonly<Record<string, boolean>>;

/** Half of a partner's evidence is three days old or less. */
export const BID_HALF_LIFE_MS = 3 * 24 * 60 * 60 * 1000;
/** Of the requests that would be skipped, so many are sent all the same: a partner that begins to bid is noticed. */
export const SKIP_EXPLORATION = 0.02;

/** A partner is skipped where it was asked so often and bid for less than this share. */
const ENOUGH = 1000;
const LEAST_RATE = 0.003;

const groupsWithApp = (cell: AppCell): string[] => {
  const groups = groupsOf(cell);
  return [...groups, `${groups.at(-1)}/${cell.appId}`];
};

/** Where a partner is skipped, after this evidence. A group that was asked too seldom is treated as the wider one until it bids. */
export function fitSkips(rows: readonly BidEvidence[]): Skips {
  const evidence = byGroup(rows, groupsWithApp, ({ asked, bids }) => ({ count: asked, sum: bids, squares: bids }));
  const skips: Record<string, boolean> = {};
  for (const row of rows) {
    let isSkipped = false;
    for (const group of groupsWithApp(row)) {
      const { count, sum } = evidence.get(group) ?? NO_EVIDENCE;
      isSkipped = skips[group] ??= count >= ENOUGH ? sum / count < LEAST_RATE : isSkipped && sum === 0;
    }
  }
  return skips;
}

export const SKIPPED = "skipped: predicted no bid";

/** Whether a partner is asked; its probability is 1 unless it is predicted not to bid. */
export function drawSkip(
  { seed, partnerId }: { seed: string; partnerId: string },
  skips: Skips,
  cell: AppCell,
): Drawn<"asked" | typeof SKIPPED> {
  if (narrowest(skips, groupsWithApp(cell)) !== true) return { value: "asked", probability: 1 };
  return drawn(seed, `skip\n${partnerId}`, [
    { value: "asked", probability: SKIP_EXPLORATION },
    { value: SKIPPED, probability: 1 - SKIP_EXPLORATION },
  ]);
}
