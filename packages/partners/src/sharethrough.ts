import { type BidRequest, takesContentTaxonomy1 } from "@millrace/openrtb";
import type { ChangeContext } from "./adapter/changes.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges } from "./adapter/imp-changes.ts";
import { byExt } from "./adapter/media-type-of-bid.ts";

interface Keys {
  pkey: string;
  badv?: string[];
  bcat?: string[];
}

/** What the keys block is added to what the request blocks, and holds for the calls of later imps as well. */
const plusBlocks =
  (field: "badv" | "bcat", keys: Keys) =>
  (request: BidRequest, { keysBefore }: ChangeContext): readonly string[] | undefined => {
    const blocks = [...(keysBefore() as Keys[]), keys].flatMap((of) => of[field] ?? []);
    // The keys' categories are of the taxonomy that partners assume.
    const isOther = field === "bcat" && !takesContentTaxonomy1(request.cattax, request.bcat, request.acat);
    return blocks.length === 0 || isOther ? request[field] : [...(request[field] ?? []), ...blocks];
  };

export const sharethrough = defineAdapter<Keys>({
  id: "sharethrough",
  name: "Sharethrough",
  gvlId: 80,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://btlr.sharethrough.com/universal/v1?supply_id=FGMrCMMc",
  openrtbVersion: "2.6",
  gzip: false,
  platformIds: ["version"],
  keys: {
    properties: {
      pkey: { type: "string", title: "Placement key" },
      badv: { type: "array", title: "Blocked advertisers", items: { type: "string" } },
      bcat: { type: "array", title: "Blocked categories", items: { type: "string" } },
    },
    required: ["pkey"],
  },
  split: "per-imp-media-type",
  plan: (keys, { ids: { version = "" } }) => ({
    imp: { tagid: keys.pkey, ...floorChanges({ currency: "USD" }) },
    request: {
      bcat: plusBlocks("bcat", keys),
      badv: plusBlocks("badv", keys),
      source: ({ source }) => ({ ...source, ext: { ...source?.ext, str: "10.0", version } }),
    },
  }),
  response: { mediaType: [byExt("prebid.type")], currency: "USD", ownId: true },
});
