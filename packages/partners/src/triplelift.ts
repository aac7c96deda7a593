import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges, plusExt } from "./adapter/imp-changes.ts";
import { always, byExt } from "./adapter/media-type-of-bid.ts";

interface Keys {
  inventoryCode: string;
  floor?: number;
  parentId?: string;
  publisherId?: string;
}

export const triplelift = defineAdapter<Keys>({
  id: "triplelift",
  name: "TripleLift",
  gvlId: 28,
  mediaTypes: ["banner", "video"],
  endpoint: "https://tlx.3lift.com/s2s/auction?sra=1&supplier_id=20",
  openrtbVersion: "2.6",
  gzip: true,
  keys: {
    properties: {
      inventoryCode: { type: "string", title: "Inventory code" },
      floor: { type: "number", title: "Bid floor" },
      parentId: { type: "string", title: "Parent ID" },
      publisherId: { type: "string", title: "Publisher ID" },
    },
    required: ["inventoryCode"],
  },
  plan: ({ inventoryCode: tagid, floor, parentId, publisherId }, { typed }) => ({
    imp: {
      tagid,
      ...floorChanges({ floor, currency: "USD", nameCurrency: "with-floor" }),
      ext: plusExt({ bidder: typed, parentId: parentId || undefined, publisherId: publisherId || undefined }),
    },
  }),
  response: {
    mediaType: [byExt("triplelift_pb.format", { 11: "video", 12: "video", 17: "video" }), always("banner")],
    currency: "USD",
    ownId: true,
  },
});
