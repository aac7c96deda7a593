import { defineAdapter } from "./adapter/define-adapter.ts";
import { byImp } from "./adapter/media-type-of-bid.ts";

interface Keys {
  pubId: string;
}

export const onetag = defineAdapter<Keys>({
  id: "onetag",
  name: "OneTag",
  gvlId: 241,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://prebid-server.onetag-sys.com/prebid-server/{{PublisherID}}",
  openrtbVersion: "2.6",
  gzip: true,
  keys: {
    properties: { pubId: { type: "string", title: "Publisher ID" } },
    required: ["pubId"],
  },
  split: { by: "pubId" },
  plan: ({ pubId }) => ({ macros: { PublisherID: pubId } }),
  response: { mediaType: [byImp("banner", "video", "native")], unknownType: "fail", ownId: true },
});
