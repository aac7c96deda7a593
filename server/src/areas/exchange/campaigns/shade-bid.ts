import { LEAST_BID } from "@millrace/contract";
import { LEAST_PRICE_MICROS } from "../../statistics/index.ts";
import type { Outlook } from "./forecast.ts";

/** How a campaign bids: a CPM in micro-dollars, and the share of auctions that it takes part in. */
export interface Plan {
  bidMicros: number;
  share: number;
}

/** A bid is shaded to this part of itself at most: below, it would win what nobody else wants. */
const LEAST_SHADE = 0.25;
/** From one price to the next, spending grows by more than this only where many requests have the same price to beat. */
const STEEP = 1.5;

/** What can be spent per request with a bid, in micro-dollars; with nothing known, as if every request could be won. */
export const spendingAt = ({ winnable }: Outlook, bidMicros: number): number =>
  ((winnable?.(bidMicros) ?? 1) * bidMicros) / 1000;

/**
 * The lowest bid that spends this much per request (micro-dollars). It takes part in fewer auctions only where no bid would
 * do: the lowest one spends too much already, or many requests have the same price to beat, or no price is known.
 */
export function shadeBid(bidMicros: number, outlook: Outlook, valueMicros: number): Plan {
  if (valueMicros <= 0) return { bidMicros, share: 0 };
  if (outlook.winnable === null) return { bidMicros, share: Math.min(1, valueMicros / spendingAt(outlook, bidMicros)) };
  let below: { price: number; spending: number } | null = null;
  for (const price of pricesUpTo(bidMicros)) {
    const spending = spendingAt(outlook, price);
    if (spending >= valueMicros) {
      if (below === null || spending > below.spending * STEEP)
        return { bidMicros: price, share: valueMicros / spending };
      const part = (valueMicros - below.spending) / (spending - below.spending);
      return { bidMicros: Math.round(below.price + part * (price - below.price)), share: 1 };
    }
    below = { price, spending };
  }
  return { bidMicros, share: 1 };
}

/** The least price, the steps in which prices are counted, and the bid. */
function* pricesUpTo(bidMicros: number): Generator<number> {
  const least = Math.min(bidMicros, Math.max(LEAST_BID, Math.ceil(bidMicros * LEAST_SHADE)));
  yield least;
  for (let step = Math.floor(8 * Math.log2(least / LEAST_PRICE_MICROS)) + 1; ; step++) {
    const price = Math.ceil(LEAST_PRICE_MICROS * 2 ** (step / 8));
    if (price >= bidMicros) break;
    if (price > least) yield price;
  }
  if (bidMicros > least) yield bidMicros;
}
