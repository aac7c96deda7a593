import { lengthFloorMicros, type Offer, requestFloorMicros } from "@millrace/auction";
import type { Audio, BidRequest, DurFloor, Imp, Video } from "@millrace/openrtb";

/**
 * Sets the floors in the request that buyers get: an imp has the floor of its offer (CPM in US dollars) if the publisher's is
 * above the request's own, and so do the floors by length of its video and audio; their price per second is converted with
 * them. A floor in a currency without a rate stays unchanged. Returns the offers with the imps of that request, so that no floor is looked up again to check bids.
 */
export function withFloors(
  request: BidRequest,
  offers: readonly Offer[],
  ratesToUsd?: Readonly<Record<string, number>>,
): { request: BidRequest; offers: Offer[] } {
  const updated = offers.map((offer) => {
    const imp = withFloorsOf(offer, ratesToUsd);
    return imp === offer.imp ? offer : { ...offer, imp };
  });
  const isSame = updated.every((offer, index) => offer === offers[index]);
  return { request: isSame ? request : { ...request, imp: updated.map(({ imp }) => imp) }, offers: updated };
}

/** The same imp if it has the floors of its offer already, or if one of them cannot be converted. */
function withFloorsOf(offer: Offer, ratesToUsd?: Readonly<Record<string, number>>): Imp {
  const { imp, floorMicros } = offer;
  const { video, audio } = imp;
  const ranges = [...(video?.durfloors ?? []), ...(audio?.durfloors ?? [])];
  const floorOf = ({ bidfloor }: DurFloor) => lengthFloorMicros(bidfloor, offer, ratesToUsd);
  const isSameFloor = (range: DurFloor) =>
    floorOf(range) === lengthFloorMicros(range.bidfloor, { imp, ownFloorMicros: 0 }, ratesToUsd);
  const perSecond = (stream: Stream) =>
    requestFloorMicros({ bidfloor: stream?.mincpmpersec, bidfloorcur: imp.bidfloorcur }, ratesToUsd);
  // All floors of an imp are in one currency.
  const floors = [floorMicros, perSecond(video), perSecond(audio), ...ranges.map(floorOf)];
  if (floors.includes(null)) return imp;
  if (floorMicros === requestFloorMicros(imp, ratesToUsd) && ranges.every(isSameFloor)) return imp;
  const updated: Imp = { ...imp, bidfloor: inDollars(floorMicros), bidfloorcur: "USD" };
  const streamed = <Of extends Video | Audio>(stream: Of): Of => ({
    ...stream,
    ...(stream.durfloors && {
      durfloors: stream.durfloors.map((range) => ({ ...range, bidfloor: inDollars(floorOf(range)) })),
    }),
    ...(stream.mincpmpersec && { mincpmpersec: inDollars(perSecond(stream)) }),
  });
  if (video) updated.video = streamed(video);
  if (audio) updated.audio = streamed(audio);
  return updated;
}

type Stream = Video | Audio | undefined;

const inDollars = (micros: number | null): number => (micros ?? 0) / 1_000_000;
