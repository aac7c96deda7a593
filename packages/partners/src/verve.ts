import { withPriceOnly } from "./adapter/bid-steps.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { bannerWith, floorChanges } from "./adapter/imp-changes.ts";
import { always, byImp } from "./adapter/media-type-of-bid.ts";

interface Keys {
  zone_id: number;
  app_auth_token: string;
}

export const verve = defineAdapter<Keys>({
  id: "verve",
  name: "Verve (PubNative)",
  gvlId: 512,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "http://dsp.pubnative.net/bid/v1/request",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      zone_id: { type: "integer", title: "Zone ID" },
      app_auth_token: { type: "string", title: "App auth token" },
    },
    required: ["zone_id", "app_auth_token"],
  },
  split: "per-imp",
  refuses: (_, { device }) => (device?.os ? undefined : "the device has no os"),
  plan: ({ zone_id: zoneid, app_auth_token: apptoken }) => ({
    query: { apptoken, zoneid },
    imp: { banner: bannerWith({ size: "any-missing", orRefuse: true }), ...floorChanges({ currency: "USD" }) },
  }),
  response: {
    mediaType: [byImp("video", "native"), always("banner")],
    currency: "USD",
    ownId: true,
    steps: [withPriceOnly],
  },
});
