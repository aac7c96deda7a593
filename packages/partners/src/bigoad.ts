import { defineAdapter } from "./adapter/define-adapter.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";

interface Keys {
  sspid: string;
}

export const bigoad = defineAdapter<Keys>({
  id: "bigoad",
  name: "BIGO Ads",
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://api.imotech.tech/Ad/GetAdOut?sspid={{SspId}}",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: { sspid: { type: "string", title: "SSP ID" } },
    required: ["sspid"],
  },
  plan: ({ sspid }, { typed }) => ({
    macros: { SspId: sspid },
    // The partner reads the keys only from the first imp, where nothing else may be beside them.
    imp: { ext: ({ ext }, { index }) => (index === 0 ? { ...typed } : { ...ext, bidder: typed }) },
  }),
  response: {
    mediaType: [byMtype("banner", "video", "native")],
    currency: "USD",
    firstSeatOnly: true,
    ownId: true,
  },
});
