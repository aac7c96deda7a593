import { withoutExt } from "./adapter/bid-steps.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { onlyExt } from "./adapter/imp-changes.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";

interface Keys {
  placement_id: number;
}

export const mobilefuse = defineAdapter<Keys>({
  id: "mobilefuse",
  name: "MobileFuse",
  gvlId: 909,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "http://mfx.mobilefuse.com/openrtb",
  openrtbVersion: "2.6",
  gzip: true,
  keys: {
    properties: { placement_id: { type: "integer", title: "Placement ID" } },
    required: ["placement_id"],
  },
  plan: ({ placement_id }) => ({ imp: { tagid: String(placement_id), ext: onlyExt(["skadn"]) } }),
  response: {
    mediaType: [byMtype("banner", "video", "native")],
    currency: "USD",
    ownId: true,
    steps: [withoutExt],
  },
});
