import { defineAdapter } from "./adapter/define-adapter.ts";
import { priceFilledIn } from "./adapter/bid-steps.ts";
import { bannerWith } from "./adapter/imp-changes.ts";
import { publisherId } from "./adapter/request-changes.ts";

interface Keys {
  publisherId: string;
  supplySourceId?: string;
}

export const thetradedesk = defineAdapter<Keys>({
  id: "thetradedesk",
  name: "The Trade Desk",
  gvlId: 21,
  mediaTypes: ["banner", "video", "native", "audio"],
  endpoint: "https://direct.adsrvr.org/bid/bidder/{{SupplyId}}",
  openrtbVersion: "2.6",
  gzip: false,
  platformIds: ["supplyId"],
  keys: {
    properties: {
      publisherId: { type: "string", title: "Publisher ID" },
      supplySourceId: { type: "string", title: "Supply source ID", description: "If you have one of your own" },
    },
    required: ["publisherId"],
  },
  keysOf: "first-non-empty",
  plan: (keys, { ids }) => ({
    macros: { SupplyId: keys.supplySourceId || ids["supplyId"] },
    imp: { banner: bannerWith({ size: "always" }) },
    request: publisherId(keys.publisherId),
  }),
  response: { unknownType: "fail", ownId: true, steps: [priceFilledIn("adm", "nurl", "burl")] },
});
