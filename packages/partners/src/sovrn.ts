import { asNumber } from "./adapter/check-keys.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { decoded } from "./adapter/bid-steps.ts";
import { floorChanges } from "./adapter/imp-changes.ts";
import { always, byImp } from "./adapter/media-type-of-bid.ts";
import { deviceHeaders } from "./adapter/request-changes.ts";

interface Keys {
  tagid: string;
  bidfloor?: number;
}

const headersOfDevice = deviceHeaders("user-agent", "x-forwarded-for", "accept-language", "dnt");

export const sovrn = defineAdapter<Keys>({
  id: "sovrn",
  name: "Sovrn",
  gvlId: 13,
  mediaTypes: ["banner", "video"],
  endpoint: "http://pbs.lijit.com/rtb/bid?src=prebid_server",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      tagid: { type: "string", title: "Tag ID" },
      bidfloor: { type: "number", title: "Bid floor" },
    },
    required: ["tagid"],
    aliases: { tagId: "tagid" },
    forms: { bidfloor: asNumber },
  },
  headers: { "content-type": "application/json" },
  requestHeaders: (request) => ({
    ...headersOfDevice(request),
    cookie: request.user?.buyeruid && `ljt_reader=${request.user.buyeruid}`,
  }),
  refuses: ({ video }) => {
    const missing = (["mimes", "maxduration", "protocols"] as const).find((name) => video && !video[name]);
    return missing && `the video has no ${missing}`;
  },
  plan: ({ tagid, bidfloor }) => ({ imp: { tagid, ...floorChanges({ floor: bidfloor, mode: "if-missing" }) } }),
  response: {
    mediaType: [byImp("video"), always("banner")],
    currency: "USD",
    ownId: true,
    steps: [decoded("adm")],
  },
});
