import { isObject } from "@millrace/openrtb";
import { asNumber, asText } from "./adapter/check-keys.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges, isRewarded } from "./adapter/imp-changes.ts";
import { always, byImp, byMtype } from "./adapter/media-type-of-bid.ts";
import { without } from "./adapter/request-changes.ts";

interface Keys {
  unit: string;
  delDomain?: string;
  platform?: string;
  customFloor?: number;
  /** Not in the form: requests bring it. */
  customParams?: unknown;
}

export const openx = defineAdapter<Keys>({
  id: "openx",
  name: "OpenX",
  gvlId: 69,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "http://rtb.openx.net/prebid",
  openrtbVersion: "2.6",
  gzip: true,
  keys: {
    properties: {
      unit: { type: "string", title: "Ad unit ID", pattern: "^[0-9]+$" },
      delDomain: { type: "string", title: "Delivery domain", pattern: "\\.[a-zA-Z]{2,3}$" },
      platform: { type: "string", title: "Platform ID", pattern: "^[0-9a-fA-F-]{36}$" },
      customFloor: { type: "number", title: "Custom floor", minimum: 0 },
    },
    required: ["unit"],
    anyOf: [{ required: ["delDomain"] }, { required: ["platform"] }],
    forms: { unit: asText, customFloor: asNumber },
  },
  split: "video-per-imp",
  keysOf: "last",
  plan: ({ unit, delDomain, platform, customFloor, customParams }) => ({
    imp: {
      tagid: unit,
      ...floorChanges({ floor: customFloor, mode: "if-missing" }),
      video: (imp) => imp.video && { ...imp.video, ext: isRewarded(imp) ? { rewarded: 1 } : undefined },
      ext: ({ ext }) => without({ ...ext, ...(isObject(customParams) && { customParams }) }, "prebid"),
    },
    request: { ext: { delDomain, platform, bc: "hb_pbs_1.0.0" } },
  }),
  response: {
    mediaType: [byMtype("banner", "video", "native"), byImp("banner", "video", "native"), always("banner")],
    ownId: true,
  },
});
