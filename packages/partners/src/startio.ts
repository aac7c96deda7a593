import { defineAdapter } from "./adapter/define-adapter.ts";
import { byExt } from "./adapter/media-type-of-bid.ts";

export const startio = defineAdapter({
  id: "startio",
  name: "Start.io",
  gvlId: 1216,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "http://pbs-rtb.startappnetwork.com/1.3/2.5/getbid?account=pbs",
  openrtbVersion: "2.5",
  gzip: false,
  keys: { properties: {}, required: [] },
  split: "per-imp",
  refuses: (_, { cur }) => (cur?.length && !cur.includes("USD") ? "the request does not accept US dollars" : undefined),
  response: { mediaType: [byExt("prebid.type")], currency: "USD", ownId: true },
});
