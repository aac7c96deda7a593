import type { AuctionInput, PartnerResponse, RecordedBid } from "@millrace/auction";

/** Stands for what was removed before storage. */
const HIDDEN = "hidden";

/** The request as the trace has it, without the hash that stands for the device's id. */
export function recordedRequest({ request }: AuctionInput): object {
  if (request.device?.ifa === undefined) return request;
  return { ...request, device: { ...request.device, ifa: HIDDEN } };
}

/** The response of a call in OpenRTB's form, with what the trace has of it; null without a readable one. */
export function recordedAnswer(auctionId: string, { status, bids, nbr }: PartnerResponse): object | null {
  if (status !== "bid" && status !== "no_bid") return null;
  const seats = new Map<string | undefined, RecordedBid[]>();
  for (const bid of bids) seats.set(bid.seat, [...(seats.get(bid.seat) ?? []), bid]);
  const cur = bids[0]?.cur;
  return {
    id: auctionId,
    ...(cur !== undefined && { cur }),
    ...(nbr !== undefined && { nbr }),
    ...(bids.length > 0 && {
      seatbid: [...seats].map(([seat, of]) => ({ ...(seat !== undefined && { seat }), bid: of.map(bidAsSent) })),
    }),
  };
}

// JSON leaves out what is undefined.
const bidAsSent = (bid: RecordedBid) => ({
  id: bid.bidId,
  impid: bid.impId,
  price: bid.priceMicros === null ? null : bid.priceMicros / 1_000_000,
  dealid: bid.dealId,
  crid: bid.crid,
  adomain: bid.adomain,
  cat: bid.cat,
  attr: bid.attr,
  bundle: bid.bundle,
  mtype: bid.mtype,
  w: bid.w,
  h: bid.h,
  wratio: bid.wratio,
  hratio: bid.hratio,
  adm: bid.markupLength === 0 ? undefined : `${bid.markupLength} characters, not stored`,
});
