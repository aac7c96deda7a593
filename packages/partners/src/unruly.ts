import { defineAdapter } from "./adapter/define-adapter.ts";
import { plusExt } from "./adapter/imp-changes.ts";
import { byImp } from "./adapter/media-type-of-bid.ts";

interface Keys {
  siteId: number;
}

export const unruly = defineAdapter<Keys>({
  id: "unruly",
  name: "Unruly",
  gvlId: 36,
  mediaTypes: ["banner", "video"],
  endpoint: "https://targeting.unrulymedia.com/unruly_prebid_server",
  openrtbVersion: "2.6",
  gzip: false,
  keys: {
    properties: { siteId: { type: "integer", title: "Site ID" } },
    required: ["siteId"],
    aliases: { siteid: "siteId" },
  },
  // The partner gets both names, with 0 for the one that the publisher did not use.
  plan(_, { typed }) {
    const { siteid = 0, siteId = 0 } = typed as { siteid?: number; siteId?: number };
    return { imp: { ext: plusExt({ bidder: { siteid, siteId } }) } };
  },
  response: { mediaType: [byImp("banner", "video")], currency: "USD", ownId: true },
});
