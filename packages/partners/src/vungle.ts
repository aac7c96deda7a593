import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges, onlyExt } from "./adapter/imp-changes.ts";
import { always } from "./adapter/media-type-of-bid.ts";

interface Keys {
  app_store_id: string;
  placement_reference_id: string;
}

const keptExt = onlyExt(["prebid", "ae"]);

export const vungle = defineAdapter<Keys>({
  id: "vungle",
  name: "Vungle (Liftoff)",
  mediaTypes: ["video"],
  endpoint: "https://rtb.ads.vungle.com/bid/t/c770f32",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      app_store_id: { type: "string", title: "App store ID" },
      placement_reference_id: { type: "string", title: "Placement reference ID" },
    },
    required: ["app_store_id", "placement_reference_id"],
  },
  headers: { "content-type": "application/json" },
  split: "per-imp",
  plan: ({ app_store_id, placement_reference_id }, { typed }) => ({
    imp: {
      tagid: placement_reference_id,
      ...floorChanges({ currency: "USD" }),
      ext: (imp, { request: { user } }) => ({
        ...keptExt(imp),
        bidder: typed,
        // The partner's SDK puts its token where OpenRTB has the buyer's id of the user.
        vungle: { bid_token: user?.buyeruid ?? "", app_store_id, placement_reference_id },
      }),
    },
    request: { app: ({ app }) => ({ ...app, id: app_store_id }), site: () => undefined },
  }),
  response: { mediaType: [always("video")], ownId: true },
});
