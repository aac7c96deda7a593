import { defineAdapter } from "./adapter/define-adapter.ts";
import { wrappedNative } from "./adapter/imp-changes.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";

export const zmaticoo = defineAdapter({
  id: "zmaticoo",
  name: "zMaticoo",
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://rtbbid.zmaticoo.com/prebid/bid",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      pubId: { type: "string", title: "Publisher ID" },
      zoneId: { type: "string", title: "Zone ID" },
    },
    required: ["pubId", "zoneId"],
  },
  plan: () => ({ imp: { native: wrappedNative } }),
  response: { mediaType: [byMtype("banner", "video", "native")], currency: "USD", ownId: true },
});
