import { defineAdapter } from "./adapter/define-adapter.ts";

export const loopme = defineAdapter({
  id: "loopme",
  name: "LoopMe",
  gvlId: 109,
  mediaTypes: ["banner", "video", "native", "audio"],
  endpoint: "http://prebid.loopmertb.com",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      publisherId: { type: "string", title: "Publisher ID" },
      bundleId: { type: "string", title: "Bundle ID" },
      placementId: { type: "string", title: "Placement ID" },
    },
    required: ["publisherId"],
  },
  split: "per-imp",
  response: { ownId: true },
});
