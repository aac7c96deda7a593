import { defineAdapter } from "./adapter/define-adapter.ts";
import { always, byExt } from "./adapter/media-type-of-bid.ts";

export const kargo = defineAdapter({
  id: "kargo",
  name: "Kargo",
  gvlId: 972,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://krk2.kargo.com/api/v1/openrtb",
  openrtbVersion: "2.6",
  gzip: true,
  keys: {
    properties: { placementId: { type: "string", title: "Placement ID" } },
    required: ["placementId"],
    aliases: { adSlotID: "placementId" },
  },
  response: {
    mediaType: [byExt("mediaType", { video: "video", native: "native" }), always("banner")],
    ownId: true,
  },
});
