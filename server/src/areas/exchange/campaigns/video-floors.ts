import { durFloorMicros, type Offer } from "@millrace/auction";
import { durFloorOf } from "@millrace/openrtb";
import { secondsOf } from "./ad-markup.ts";
import type { LiveCreative } from "./live-creatives.ts";

type Rates = Readonly<Record<string, number>>;

/** The lowest floor that an ad may have in a place: that of the imp, or one for a length of its video (CPM in micro-dollars). */
export function leastFloorMicros(offer: Offer, floorMicros: number, ratesToUsd: Rates): number {
  const ranges = offer.imp.video?.durfloors ?? [];
  return Math.min(floorMicros, ...ranges.map((range) => durFloorMicros(range, offer, ratesToUsd) ?? Infinity));
}

/**
 * Of creatives, those whose floor a price reaches. A video's is the one for its length, by which the auction judges it (OpenRTB
 * 2.6, section 3.2.35).
 */
export function creativesAt(
  priceMicros: number,
  creatives: readonly LiveCreative[],
  offer: Offer,
  ratesToUsd: Rates,
): readonly LiveCreative[] {
  if (offer.imp.video?.durfloors === undefined) return creatives;
  return creatives.filter(({ video }) => {
    const range = video
      ? durFloorOf({ dur: secondsOf(video) }, offer.imp, { type: "video", deal: undefined })
      : undefined;
    const floorMicros = range ? durFloorMicros(range, offer, ratesToUsd) : offer.floorMicros;
    return floorMicros !== null && priceMicros >= floorMicros;
  });
}
