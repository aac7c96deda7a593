import { defineAdapter } from "./adapter/define-adapter.ts";
import { impIdWithout, withPriceOnly } from "./adapter/bid-steps.ts";
import { bannerWith, wrappedNative } from "./adapter/imp-changes.ts";
import { byImpIdSuffix } from "./adapter/media-type-of-bid.ts";

interface Keys {
  placementId: string;
  endpointId: string;
  publisherId: string;
}

export const operaads = defineAdapter<Keys>({
  id: "operaads",
  name: "Opera Ads",
  mediaTypes: ["native", "video", "banner"],
  endpoint: "https://s.adx.opera.com/ortb/v2/{{PublisherID}}?ep={{AccountID}}",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      placementId: { type: "string", title: "Placement ID" },
      endpointId: { type: "string", title: "Endpoint ID" },
      publisherId: { type: "string", title: "Publisher ID" },
    },
    required: ["placementId", "endpointId", "publisherId"],
  },
  split: "per-imp-media-type",
  refuses: (_, { device }) => (device?.os ? undefined : "the device has no os"),
  plan: ({ placementId, endpointId, publisherId }) => ({
    macros: { PublisherID: publisherId, AccountID: endpointId },
    imp: {
      id: ({ id }, { mediaType }) => `${id}:opa:${mediaType}`,
      tagid: placementId,
      banner: bannerWith({ size: "any-missing", orRefuse: true }),
      native: wrappedNative,
    },
  }),
  response: {
    mediaType: [byImpIdSuffix],
    currency: "USD",
    ownId: true,
    steps: [withPriceOnly, impIdWithout(2)],
  },
});
