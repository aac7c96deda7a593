import { defineAdapter } from "./adapter/define-adapter.ts";
import { byExt } from "./adapter/media-type-of-bid.ts";

export const criteo = defineAdapter({
  id: "criteo",
  name: "Criteo",
  gvlId: 91,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://ssp-bidder.criteo.com/openrtb/pbs/auction/request?profile=230",
  openrtbVersion: "2.6",
  gzip: false,
  keys: {
    properties: {
      zoneId: { type: "integer", title: "Zone ID", minimum: 0 },
      networkId: { type: "integer", title: "Network ID", minimum: 0 },
      pubid: { type: "string", title: "Publisher ID" },
      uid: { type: "integer", title: "Ad unit ID", minimum: 0 },
    },
    required: [],
    anyOf: [{ required: ["zoneId"] }, { required: ["networkId"] }],
    aliases: { zoneid: "zoneId", networkid: "networkId" },
  },
  response: { mediaType: [byExt("prebid.type")], unknownType: "fail", ownId: true },
});
