import { defineAdapter } from "./adapter/define-adapter.ts";
import { bannerWith } from "./adapter/imp-changes.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";

const sized = bannerWith({ size: "any-missing" });

export const inmobi = defineAdapter({
  id: "inmobi",
  name: "InMobi",
  gvlId: 333,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://api.w.inmobi.com/showad/openrtb/bidder/prebid",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: { plc: { type: "string", title: "Placement ID" } },
    required: ["plc"],
  },
  // The partner wants a size only for the first imp.
  plan: () => ({ imp: { banner: (imp, { index }) => (index === 0 ? sized(imp) : imp.banner) } }),
  response: {
    mediaType: [byMtype("banner", "video", "native")],
    currency: "USD",
    unknownType: "fail",
    ownId: true,
  },
});
