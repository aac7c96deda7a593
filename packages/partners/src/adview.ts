import { defineAdapter } from "./adapter/define-adapter.ts";
import { bannerWith, floorChanges } from "./adapter/imp-changes.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";

interface Keys {
  placementId: string;
  accountId: string;
}

export const adview = defineAdapter<Keys>({
  id: "adview",
  name: "AdView",
  gvlId: 1022,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://bid.adview.com/agent/thirdAdxService/{{AccountID}}",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      placementId: { type: "string", title: "Placement ID" },
      accountId: { type: "string", title: "Account ID" },
    },
    required: ["placementId", "accountId"],
  },
  split: "per-imp",
  plan: ({ placementId: tagid, accountId }) => ({
    macros: { AccountID: accountId },
    imp: { tagid, banner: bannerWith({ size: "always" }), ...floorChanges({ currency: "USD" }) },
    request: { cur: ["USD"] },
  }),
  response: { mediaType: [byMtype("banner", "video", "native")], currency: "USD", ownId: true },
});
