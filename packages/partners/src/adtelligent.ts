import { asNumber } from "./adapter/check-keys.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges, onlyExt } from "./adapter/imp-changes.ts";
import { always, byImp } from "./adapter/media-type-of-bid.ts";

interface Keys {
  aid: number;
  placementId?: number;
  siteId?: number;
  bidFloor?: number;
}

export const adtelligent = defineAdapter<Keys>({
  id: "adtelligent",
  name: "Adtelligent",
  gvlId: 410,
  mediaTypes: ["banner", "video"],
  endpoint: "http://ghb.adtelligent.com/pbs/ortb",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      aid: { type: "integer", title: "Channel ID" },
      placementId: { type: "integer", title: "Placement ID" },
      siteId: { type: "integer", title: "Site ID" },
      bidFloor: { type: "number", title: "Bid floor" },
    },
    required: ["aid"],
    forms: { aid: asNumber },
  },
  split: { by: "aid" },
  plan: ({ aid, placementId, siteId, bidFloor }) => ({
    query: { aid },
    imp: {
      ...floorChanges({ floor: bidFloor }),
      ext: onlyExt([], { adtelligent: { aid, placementId, siteId, bidFloor } }),
    },
  }),
  response: { mediaType: [byImp("video"), always("banner")], currency: "USD", ownId: true },
});
