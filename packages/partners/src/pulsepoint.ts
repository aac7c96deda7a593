import { asNumber } from "./adapter/check-keys.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { byImp } from "./adapter/media-type-of-bid.ts";
import { publisherId } from "./adapter/request-changes.ts";

interface Keys {
  cp: number;
  ct: number;
}

export const pulsepoint = defineAdapter<Keys>({
  id: "pulsepoint",
  name: "PulsePoint",
  gvlId: 81,
  mediaTypes: ["banner", "video", "native", "audio"],
  endpoint: "http://bid.contextweb.com/header/s/ortb/prebid-s2s",
  openrtbVersion: "2.6",
  gzip: false,
  keys: {
    properties: {
      cp: { type: "integer", title: "Publisher ID" },
      ct: { type: "integer", title: "Tag ID" },
    },
    required: ["cp", "ct"],
    forms: { cp: asNumber, ct: asNumber },
  },
  keysOf: "first-non-empty",
  plan: ({ cp, ct }) => ({ imp: { tagid: String(ct) }, request: publisherId(String(cp)) }),
  response: { mediaType: [byImp("banner", "video", "audio", "native")], currency: "USD", ownId: true },
});
