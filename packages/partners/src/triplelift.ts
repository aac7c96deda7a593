import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges } from "./adapter/imp-changes.ts";
import { always, byExt } from "./adapter/media-type-of-bid.ts";

interface Keys {
  inventoryCode: string;
  floor?: number;
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
    },
    required: ["inventoryCode"],
  },
  plan: ({ inventoryCode: tagid, floor }) => ({
    imp: { tagid, ...floorChanges({ floor, currency: "USD", nameCurrency: "with-floor" }) },
  }),
  response: {
    mediaType: [byExt("triplelift_pb.format", { 11: "video", 12: "video", 17: "video" }), always("banner")],
    currency: "USD",
    ownId: true,
  },
});
