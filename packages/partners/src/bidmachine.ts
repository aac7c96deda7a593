import type { Imp } from "@millrace/openrtb";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { isRewarded } from "./adapter/imp-changes.ts";
import { always, byImp } from "./adapter/media-type-of-bid.ts";

interface Keys {
  host: string;
  path: string;
  seller_id: string;
}

/** AdCOM's creative attribute of an ad that can be skipped. */
const SKIPPABLE = 16;

/** Rewards are for ads that are watched to the end. */
const battrOf = (imp: Imp, battr: number[] | undefined): number[] | undefined =>
  isRewarded(imp) ? [...new Set([...(battr ?? []), SKIPPABLE])] : battr;

export const bidmachine = defineAdapter<Keys>({
  id: "bidmachine",
  name: "BidMachine",
  gvlId: 736,
  mediaTypes: ["banner", "video"],
  endpoint: "https://{{Host}}.bidmachine.io",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      host: { type: "string", title: "Host prefix", pattern: "^[a-zA-Z0-9.-]+(:[0-9]+)?$" },
      path: { type: "string", title: "URL path" },
      seller_id: { type: "string", title: "Seller ID" },
    },
    required: ["host", "path", "seller_id"],
  },
  headers: { "content-type": "application/json" },
  split: "per-imp",
  refuses: ({ banner }) =>
    banner && !(banner.w && banner.h) && !banner.format?.length ? "the banner has no size" : undefined,
  plan: (keys) => ({
    macros: { Host: keys.host },
    path: [keys.path, keys.seller_id],
    imp: {
      banner: (imp) => imp.banner && { ...imp.banner, battr: battrOf(imp, imp.banner.battr) },
      video: (imp) => imp.video && { ...imp.video, battr: battrOf(imp, imp.video.battr) },
    },
  }),
  response: { mediaType: [byImp("banner", "video"), always("banner")], currency: "USD", ownId: true },
});
