import { defineAdapter } from "./adapter/define-adapter.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";

interface Keys {
  org: string;
  placementId?: string;
}

export const rise = defineAdapter<Keys>({
  id: "rise",
  name: "Rise",
  gvlId: 1043,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://pbs.yellowblue.io/pbs",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      org: { type: "string", title: "Organization ID" },
      placementId: { type: "string", title: "Placement ID" },
    },
    required: ["org"],
    aliases: { publisher_id: "org" },
  },
  keysOf: "first-non-empty",
  plan: ({ org }) => ({ query: { publisher_id: org.trim() } }),
  response: { mediaType: [byMtype("banner", "video", "native")], ownId: true },
});
