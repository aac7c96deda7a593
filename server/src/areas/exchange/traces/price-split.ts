import { divideRounded, formatPercent, impressionMicros, revenueShareMicros } from "@millrace/units";

const WHOLE_PPM = 1_000_000;

/** A price and its two parts, in micro-dollars: `fee` and `earned` add up to `cleared`. */
export interface Split {
  cleared: number;
  fee: number;
  earned: number;
}

export interface PriceSplit {
  feePpm: number | null;
  /** Where the fee comes from, as a sentence. */
  feeBy: string;
  impression: Split;
  thousand: Split;
}

interface Priced {
  /** The cleared CPM. */
  priceMicros: number;
  /** The publisher's share when the ad was sold; null for traces that do not record it. */
  sharePpm: number | null;
  /** What is known of the share of that day: the account's own, or the platform's present one. */
  knownSharePpm: number;
  /** The revenue of the counted impression; null without one. */
  revenueMicros: number | null;
}

/**
 * What the platform and the publisher get of a price, as the exchange computed it for the ad's events. A recorded revenue
 * is what was earned; then the known share is only named if it gives the same.
 */
export function priceSplit({ priceMicros, sharePpm, knownSharePpm, revenueMicros }: Priced): PriceSplit {
  const cleared = impressionMicros(priceMicros);
  const share = sharePpm ?? knownSharePpm;
  const earned = revenueMicros ?? revenueShareMicros(cleared, share);
  const isShareKnown = isShareOf(earned, cleared, share);
  const ofThousand = isShareKnown
    ? revenueShareMicros(priceMicros, share)
    : cleared === 0
      ? 0
      : Number(divideRounded(BigInt(priceMicros) * BigInt(earned), BigInt(cleared)));
  return {
    feePpm: isShareKnown ? WHOLE_PPM - share : null,
    feeBy: isShareKnown ? shareText(share, sharePpm !== null, revenueMicros !== null) : OTHER_SHARE,
    impression: { cleared, fee: cleared - earned, earned },
    thousand: { cleared: priceMicros, fee: priceMicros - ofThousand, earned: ofThousand },
  };
}

/** Whether the share of a price was earned, rounded either way: earlier versions rounded it down. */
export const isShareOf = (earned: number, price: number, sharePpm: number): boolean =>
  Math.abs(earned * WHOLE_PPM - price * sharePpm) < WHOLE_PPM;

const OTHER_SHARE = "The fee is what the recorded revenue leaves of the price; no share that is known gives it.";

function shareText(share: number, isRecorded: boolean, isEarned: boolean): string {
  const percent = formatPercent(share / 10_000);
  if (isRecorded) return `Your share was ${percent} at the sale.`;
  return isEarned
    ? `No share was recorded at the sale. Your share of ${percent} gives what was earned.`
    : `No share was recorded at the sale. This is computed with your share of ${percent}.`;
}
