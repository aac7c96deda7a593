import type { BidStep } from "./adapter/bid-steps.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { atPath } from "./adapter/ext-paths.ts";
import { isRewarded } from "./adapter/imp-changes.ts";
import { byMtype, bySoleType } from "./adapter/media-type-of-bid.ts";

interface Keys {
  placementId: number;
  publisherId?: number;
}

const buyingType = atPath("improvedigital.buying_type");
const lineItem = atPath("improvedigital.line_item_id");

/** The deal that the bid is for. Only if the imp has it: the auction refuses bids for deals that it does not know. */
const withDealOfLineItem: BidStep = (read, { imp }) => {
  const { ext } = read.bid;
  const deal = imp?.pmp?.deals?.find(({ id }) => id === String(lineItem(ext)));
  if (deal === undefined || !/classic|deal/.test(String(buyingType(ext)))) return read;
  return { ...read, bid: { ...read.bid, dealid: deal.id } };
};

export const improvedigital = defineAdapter<Keys>({
  id: "improvedigital",
  name: "Improve Digital",
  gvlId: 253,
  mediaTypes: ["banner", "video", "native", "audio"],
  endpoint: "https://ad.360yield.com/{{PublisherId}}/pbs",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      placementId: { type: "integer", title: "Placement ID", minimum: 1 },
      publisherId: { type: "integer", title: "Publisher ID", minimum: 1 },
    },
    required: ["placementId"],
  },
  split: "per-imp",
  plan: (keys, { endpoint }) => ({
    endpoint: keys.publisherId === undefined ? endpoint.replace("{{PublisherId}}/", "") : endpoint,
    macros: { PublisherId: keys.publisherId },
    imp: {
      ext: (imp) => ({ ...imp.ext, bidder: keys, is_rewarded_inventory: isRewarded(imp) || undefined }),
    },
  }),
  response: {
    mediaType: [byMtype(), bySoleType("banner", "video", "audio", "native")],
    unknownType: "fail",
    firstSeatOnly: true,
    ownId: true,
    steps: [withDealOfLineItem],
  },
});
