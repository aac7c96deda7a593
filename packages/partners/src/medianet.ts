import { defineAdapter } from "./adapter/define-adapter.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";

export const medianet = defineAdapter({
  id: "medianet",
  name: "Media.net",
  gvlId: 142,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://prebid-adapter.media.net/rtb/pb/prebids2s",
  openrtbVersion: "2.6",
  gzip: true,
  platformIds: ["src"],
  keys: {
    properties: {
      cid: { type: "string", title: "Customer ID" },
      crid: { type: "string", title: "Creative placement ID" },
    },
    required: ["cid", "crid"],
  },
  // The platform's name at the partner, if it has one.
  plan: (_, { ids }) => ({ query: { src: ids["src"] } }),
  response: { mediaType: [byMtype("banner", "video", "native")], currency: "USD", ownId: true },
});
