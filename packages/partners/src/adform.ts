import { defineAdapter } from "./adapter/define-adapter.ts";
import { byExt } from "./adapter/media-type-of-bid.ts";

interface Keys {
  mid: string;
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
      priceType: { type: "string", title: "Price type", enum: ["gross", "net"] },
    },
    required: ["mid"],
  },
  keysOf: "first-non-empty",
  plan: ({ mid: tagid, priceType: pt }) => ({
    imp: { tagid },
    request: { ext: pt && (({ ext }) => ({ prebid: {}, ...ext, pt })) },
  }),
  response: { mediaType: [byExt("prebid.type")], ownId: true },
});
