import { priceFilledIn } from "./adapter/bid-steps.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { always, byImp } from "./adapter/media-type-of-bid.ts";

interface Keys {
  supplyId: string;
}

export const axonix = defineAdapter<Keys>({
  id: "axonix",
  name: "Axonix",
  gvlId: 678,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://openrtb-us-east-1.axonix.com/supply/prebid-server/{{AccountID}}",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: { supplyId: { type: "string", title: "Supply ID" } },
    required: ["supplyId"],
  },
  headers: { "content-type": "application/json" },
  plan: ({ supplyId }) => ({ macros: { AccountID: supplyId } }),
  response: {
    mediaType: [byImp("native", "video"), always("banner")],
    ownId: true,
    steps: [priceFilledIn("adm", "nurl")],
  },
});
