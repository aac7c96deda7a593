import { defineAdapter } from "./adapter/define-adapter.ts";
import { bannerWith } from "./adapter/imp-changes.ts";
import { byImp } from "./adapter/media-type-of-bid.ts";
import { deviceHeaders, inventoryId, without } from "./adapter/request-changes.ts";

interface Keys {
  dcn: string;
  pos: string;
}

export const yahoo = defineAdapter<Keys>({
  id: "yahoo",
  name: "Yahoo",
  gvlId: 25,
  mediaTypes: ["banner", "video"],
  endpoint: "https://s2shb.ssp.yahoo.com/admax/bid/partners/PBS",
  openrtbVersion: "2.6",
  gzip: false,
  keys: {
    properties: {
      dcn: { type: "string", title: "Site or app ID" },
      pos: { type: "string", title: "Placement" },
    },
    required: ["dcn", "pos"],
  },
  split: "per-imp",
  requestHeaders: deviceHeaders("user-agent"),
  plan: ({ dcn, pos: tagid }) => ({
    imp: { tagid, banner: bannerWith({ size: "any-null", orRefuse: true }) },
    request: {
      ...inventoryId(dcn),
      // The signals of the Global Privacy Platform are at their 2.6 places already.
      regs: ({ regs }) => regs && { ...regs, ext: without(regs.ext, "gpp", "gpp_sid") },
    },
  }),
  response: { mediaType: [byImp("banner", "video")], currency: "USD", ownId: true },
});
