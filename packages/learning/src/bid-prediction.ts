import { DAY_MS } from "@millrace/units";
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

/** Whether requests of a group are skipped. A group without an entry is treated as the wider one. */
export type Skips = Readonly<Record<string, boolean>>;

/** Half of a partner's evidence is three days old or less. */
export const BID_HALF_LIFE_MS = 3 * DAY_MS;
/** The share of the requests to skip that is sent all the same, so that a partner that begins to bid is noticed. */
export const SKIP_EXPLORATION = 0.02;

/** A partner is skipped where it was asked this often and bid for less than this share. */
const MIN_REQUESTS = 1000;
const MIN_BID_RATE = 0.003;

const groupsWithApp = (cell: AppCell): string[] => {
  const groups = groupsOf(cell);
  return [...groups, `${groups.at(-1)}/${cell.appId}`];
};

/** Where a partner is skipped, after this evidence. A group that was asked too seldom is treated as the wider one until it bids. */
export function fitSkips(rows: readonly BidEvidence[]): Skips {
  const evidence = byGroup(rows, groupsWithApp, ({ asked, bids }) => ({ count: asked, sum: bids, squares: bids }));
  const skips: Record<string, boolean> = {};
  for (const row of rows) {
    let wider = false;
    for (const group of groupsWithApp(row)) {
      const { count, sum } = evidence.get(group) ?? NO_EVIDENCE;
      const isSkipped: boolean = count >= MIN_REQUESTS ? sum / count < MIN_BID_RATE : wider && sum === 0;
      if (isSkipped !== wider) skips[group] = isSkipped;
      wider = isSkipped;
    }
  }
  return skips;
}

/**
 * Draws whether a partner is skipped in a request for these cells, and how likely that was. Null if it is not predicted to
 * leave all of them without a bid: then it is asked.
 */
export function drawSkip(
  { seed, partnerId }: { seed: string; partnerId: string },
  skips: Skips,
  cells: readonly AppCell[],
): Drawn<boolean> | null {
  if (!cells.every((cell) => narrowest(skips, groupsWithApp(cell)) === true)) return null;
  return drawn(seed, `skip\n${partnerId}`, [
    { value: false, probability: SKIP_EXPLORATION },
    { value: true, probability: 1 - SKIP_EXPLORATION },
  ]);
}
