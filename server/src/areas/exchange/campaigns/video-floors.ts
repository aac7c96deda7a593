import { lengthFloorMicros, type Offer } from "@millrace/auction";
import { lengthFloorOf } from "@millrace/openrtb";
import { secondsOf } from "./ad-markup.ts";
import type { LiveCreative } from "./live-creatives.ts";

type Rates = Readonly<Record<string, number>>;

/** The lowest floor that an ad may have in a place: that of the imp, or one for a length of its video (CPM in micro-dollars). */
export function leastFloorMicros(offer: Offer, floorMicros: number, ratesToUsd: Rates): number {
  const ranges = offer.imp.video?.durfloors ?? [];
  return Math.min(
    floorMicros,
    ...ranges.map(({ bidfloor }) => lengthFloorMicros(bidfloor, offer, ratesToUsd) ?? Infinity),
  );
}

/**
 * The creatives with a floor that a price reaches. A video's floor is the one for its length, by which the auction judges it (OpenRTB
 * 2.6, sections 3.2.7 and 3.2.35).
 */
export function creativesAt(
  priceMicros: number,
  creatives: readonly LiveCreative[],
  offer: Offer,
  ratesToUsd: Rates,
): readonly LiveCreative[] {
  if (!offer.imp.video?.durfloors && !offer.imp.video?.mincpmpersec) return creatives;
  return creatives.filter(({ video }) => {
    const ofLength = video
      ? lengthFloorOf({ dur: secondsOf(video) }, offer.imp, { type: "video", deal: undefined })
      : undefined;
    const floorMicros = ofLength === undefined ? offer.floorMicros : lengthFloorMicros(ofLength, offer, ratesToUsd);
    return floorMicros !== null && priceMicros >= floorMicros;
  });
}
