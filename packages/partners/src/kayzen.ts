import { defineAdapter } from "./adapter/define-adapter.ts";
import { always, byImp } from "./adapter/media-type-of-bid.ts";

interface Keys {
  zone: string;
  exchange: string;
}

export const kayzen = defineAdapter<Keys>({
  id: "kayzen",
  name: "Kayzen",
  gvlId: 528,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://bids-{{ZoneID}}.bidder.kayzen.io/?exchange={{AccountID}}",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      zone: { type: "string", title: "Zone", pattern: "^[a-zA-Z0-9.-]+$" },
      exchange: { type: "string", title: "Exchange" },
    },
    required: ["zone", "exchange"],
  },
  plan: ({ zone, exchange }, { typed }) => ({
    macros: { ZoneID: zone, AccountID: exchange },
    // The partner wants no ext in the first imp, and takes those of the others as they are.
    imp: { ext: ({ ext }, { index }) => (index === 0 ? undefined : { ...ext, bidder: typed }) },
  }),
  response: {
    mediaType: [byImp("banner", "video", "native"), always("banner")],
    currency: "USD",
    ownId: true,
  },
});
