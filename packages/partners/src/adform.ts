import { asText } from "./adapter/check-keys.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { byExt } from "./adapter/media-type-of-bid.ts";

interface Keys {
  mid?: string;
  priceType?: "gross" | "net";
}

export const adform = defineAdapter<Keys>({
  id: "adform",
  name: "Adform",
  gvlId: 50,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://adx.adform.net/adx/openrtb",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      mid: { type: "string", title: "Master tag ID", pattern: "^\\d+$" },
      inv: { type: "integer", title: "Inventory ID", description: "With a name, instead of a master tag" },
      mname: { type: "string", title: "Placement name" },
      priceType: { type: "string", title: "Price type", enum: ["gross", "net"] },
    },
    required: [],
    anyOf: [{ required: ["mid"] }, { required: ["inv", "mname"] }],
    forms: { mid: asText },
  },
  keysOf: "first-non-empty",
  plan: ({ mid: tagid, priceType: pt }) => ({
    // Without a master tag, the inventory and the name in ext say what is sold, and not the platform's own tag.
    imp: { tagid: () => tagid },
    request: { ext: pt && (({ ext }) => ({ prebid: {}, ...ext, pt })) },
  }),
  response: { mediaType: [byExt("prebid.type")], ownId: true },
});
