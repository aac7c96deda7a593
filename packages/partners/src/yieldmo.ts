import { defineAdapter } from "./adapter/define-adapter.ts";
import { textAt } from "./adapter/ext-paths.ts";
import { floorChanges } from "./adapter/imp-changes.ts";
import { byExt } from "./adapter/media-type-of-bid.ts";

interface Keys {
  placementId: string;
}

const adSlot = textAt("data.pbadslot");

export const yieldmo = defineAdapter<Keys>({
  id: "yieldmo",
  name: "Yieldmo",
  gvlId: 173,
  mediaTypes: ["banner", "video"],
  endpoint: "https://ads.yieldmo.com/exchange/prebid-server",
  openrtbVersion: "2.6",
  gzip: false,
  keys: {
    properties: { placementId: { type: "string", title: "Placement ID" } },
    required: ["placementId"],
  },
  plan: ({ placementId }) => ({
    imp: {
      ...floorChanges({ currency: "USD", keepWithoutRate: true }),
      ext: ({ ext }) => ({ placement_id: placementId, gpid: adSlot(ext) }),
    },
  }),
  response: { mediaType: [byExt("mediatype")], currency: "USD", ownId: true },
});
